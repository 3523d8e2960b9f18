// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The nodes that failed last on streams, for exception callbacks that ask which one it was. Any thread; a
// forked child begins with none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ir/tensor_type.h"
#include "program/node_failure.h"

namespace foothold {

class Stream;

struct FailedNode {
  std::uint32_t device, stream, task;
  std::string name;
  std::vector<TensorType> inputs, outputs;
};

class FailedNodes {
 public:
  static FailedNodes& Get();

  // The task that the stream runs, on the thread that runs it. Without memory nothing is kept.
  void Remember(Stream& stream, const NodeFailure& failure) noexcept;
  // Null if it was none of the last.
  std::shared_ptr<const FailedNode> Find(std::uint32_t device, std::uint32_t stream,
                                         std::uint32_t task) const;

 private:
  static constexpr std::size_t kKept = 64;

  mutable std::mutex mutex_;  // guards both below
  std::array<std::shared_ptr<const FailedNode>, kKept> last_;
  std::size_t next_ = 0;
};

}  // namespace foothold
