// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The gradient of the filter of a convolution over volumes. One thread at a time.
#pragma once

#include "aclnn/maps/window.h"

namespace foothold::aclnn {

// Depth, height, width; pads in pairs.
struct VolumeWindows {
  Sizes strides, dilations, pads;
  std::int64_t groups;
};

// From [n, c, d, h, w] and what arrives at the output.
Value VolumeFilterGradient(Call& call, const VolumeWindows& windows, Value x, Value gradient,
                           const Dims& filter);

}  // namespace foothold::aclnn
