// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/data/copy_kernel.h"

namespace foothold {

StridedCopy WholeCopy(std::size_t bytes) {
  return StridedCopy(1, {{bytes, 1, 1}});
}

}  // namespace foothold
