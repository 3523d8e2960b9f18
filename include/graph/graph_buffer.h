// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Holds the bytes Graph::SaveToMem writes.
#ifndef FOOTHOLD_GRAPH_GRAPH_BUFFER_H_
#define FOOTHOLD_GRAPH_GRAPH_BUFFER_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "graph/ge_error_codes.h"

namespace ge {

class GE_FUNC_HOST_VISIBILITY Buffer;
using BufferPtr = std::shared_ptr<Buffer>;

class GE_FUNC_HOST_VISIBILITY GraphBuffer {
 public:
  GraphBuffer();
  GraphBuffer(const GraphBuffer&)            = delete;
  GraphBuffer& operator=(const GraphBuffer&) = delete;
  ~GraphBuffer();

  // Null and 0 until a graph was saved.
  const std::uint8_t* GetData() const;
  std::size_t GetSize() const;

 private:
  friend class Buffer;
  BufferPtr buffer_;
};

}  // namespace ge

#endif  // FOOTHOLD_GRAPH_GRAPH_BUFFER_H_
