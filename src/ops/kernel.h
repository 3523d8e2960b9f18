// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A lowered operator: all decisions are made, only the work is left. Made by OpDef::Lower, owned by a
// Program.
#pragma once

#include <cstddef>

namespace foothold {

// All that changes from run to run. Inputs stand by port; a port that is not connected is null. After the
// ports come the constants the lowering added (OpContext::AddConstant). Outputs stand by port, none is null.
// Memory starts at multiples of 64, except where a user's buffer does not; zero-element tensors may be null.
struct RunArgs {
  const std::byte* const* inputs = nullptr;
  std::byte* const* outputs = nullptr;
  std::byte* workspace = nullptr;

  template <typename T>
  const T* In(int port) const {
    return reinterpret_cast<const T*>(inputs[port]);
  }
  template <typename T>
  T* Out(int port) const {
    return reinterpret_cast<T*>(outputs[port]);
  }
};

class Kernel {
 public:
  virtual ~Kernel() = default;
  // Any thread, several at a time: const, no state, no allocation. Long loops go through ParallelFor.
  virtual void Run(const RunArgs& args) const = 0;
  // Scratch memory for one run.
  virtual std::size_t WorkspaceBytes() const { return 0; }
};

}  // namespace foothold
