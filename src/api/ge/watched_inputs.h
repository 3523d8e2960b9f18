// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Inputs of RunGraphAsync in memory of the host, looked at in the call and again before the callback: a
// device may read them until then (GE-RUN-003). Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "check/stacks.h"
#include "exe_graph/runtime/tensor.h"

namespace foothold {

class WatchedInputs {
 public:
  // Null unless the program is checked for it.
  static std::shared_ptr<const WatchedInputs> Of(const std::vector<gert::Tensor>& tensors);
  void LookAgain() const noexcept;

 private:
  struct Input {
    std::size_t index;
    const void* address;
    std::size_t bytes;
    std::uint64_t digest;
  };
  check::Site site_;
  std::vector<Input> inputs_;
};

}  // namespace foothold
