// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/cpu_target.h"

#include <hwy/highway.h>

namespace foothold {

const char* CpuTarget() {
  // The best targets have the lowest bits.
  const std::int64_t usable = hwy::SupportedTargets() & HWY_TARGETS;
  return hwy::TargetName(usable & -usable);
}

}  // namespace foothold
