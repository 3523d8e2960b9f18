// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Divides scratch memory into arrays that start at multiples of 64; from nothing, it counts the bytes they
// take. Any thread.
#pragma once

#include <cstddef>

#include "kernels/gemm_pack.h"

namespace foothold {

class WorkspaceParts {
 public:
  // Null: the arrays are null too.
  explicit WorkspaceParts(std::byte* memory) : memory_(memory) {}

  template <typename T>
  T* Take(std::size_t count) {
    std::byte* const at = memory_ == nullptr ? nullptr : memory_ + bytes_;
    bytes_ += RoundUp(count * sizeof(T), 64);
    return reinterpret_cast<T*>(at);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* memory_;
  std::size_t bytes_ = 0;
};

}  // namespace foothold
