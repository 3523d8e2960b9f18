// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The dump of one operator as a file: eight bytes with the length of the message, the message of
// dump_data.proto, then the bytes of all inputs, outputs and buffers one behind the other. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ir/tensor_type.h"

namespace foothold {

struct DumpTensor {
  TensorType type;
  std::uint64_t size = 0;           // bytes in the file; may differ from what the type says, as 0 where there
                                    // was nothing to be had
  const std::byte* data = nullptr;  // after reading: inside the bytes that were read
};

struct DumpRecord {
  std::string op_name;
  std::uint64_t time = 0;  // microseconds since 1970
  std::vector<DumpTensor> inputs, outputs;
  std::vector<DumpTensor> buffers;  // memory without a type
};

// All that stands before the bytes of the tensors. Reads no `data`.
std::string DumpHeader(const DumpRecord& record);

// Throws kParseFile for bytes that are no dump, or whose tensors are not all there. `file` must live while
// the record is used.
DumpRecord ReadDump(std::span<const std::byte> file);

}  // namespace foothold
