// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Sizes of stacks and of print buffers that kernels of the hardware have. Kept to be read back: what runs
// here has those of its threads. One set for the process, and for a forked child. Any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "base/per_process.h"

namespace foothold {

struct KernelLimits {
  static constexpr int kKinds = 5;

  static KernelLimits& Get() { return PerProcess<KernelLimits>::Get(); }

  std::array<std::atomic<std::size_t>, kKinds> values = {};  // 0: nothing was set
};

}  // namespace foothold
