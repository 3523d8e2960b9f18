// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The memory layouts of a tensor, under the numbers of the public API (aclFormat);
// api/codes/tensor_enums_check.cpp holds them equal to the headers. Any thread.
#pragma once

namespace foothold {

enum class Format : int {
  kUndefined = -1,
  kNchw = 0,
  kNhwc = 1,
  kNd = 2,
  kNc1hwc0 = 3,
  kFractalZ = 4,
  kNc1hwc0C04 = 12,
  kHwcn = 16,
  kNdhwc = 27,
  kFractalNz = 29,
  kNcdhw = 30,
  kNdc1hwc0 = 32,
  kFractalZ3d = 33,
  kNc = 35,
  kNcl = 47,
  kFractalNzC016 = 50,
  kFractalNzC032 = 51,
  kFractalNzC02 = 52,
  kFractalNzC04 = 53,
  kFractalNzC08 = 54,
};

}  // namespace foothold
