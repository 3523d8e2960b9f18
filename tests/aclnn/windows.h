// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Windows that move over images [n, c, h, w], for tests of convolutions and pooling.
#pragma once

#include "aclnn/places.h"

namespace nn {

// Height and width of what a window does.
struct Window {
  Dims kernel{1, 1}, stride{1, 1}, pad{0, 0}, dilation{1, 1};
};

constexpr std::size_t kNowhere = SIZE_MAX;

// The number of the element that a place of the window stands on.
inline std::size_t Under(const Dims& dims, const Dims& image, const Dims& out, const Dims& tap,
                         const Window& window) {
  Dims place = image;
  for (std::size_t i = 0; i < 2; ++i)
    place.push_back(out[i] * window.stride[i] - window.pad[i] + tap[i] * window.dilation[i]);
  for (std::size_t i = 2; i < 4; ++i)
    if (place[i] < 0 || place[i] >= dims[i]) return kNowhere;
  return NumberOf(place, dims);
}

// Null for nowhere.
inline const double* Under(const Values& values, const Dims& dims, const Dims& image, const Dims& out,
                           const Dims& tap, const Window& window) {
  const std::size_t number = Under(dims, image, out, tap, window);
  return number == kNowhere ? nullptr : &values[number];
}

}  // namespace nn
