// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rows divided by the root of their mean square, of float, float16 or bfloat16; sums are float. Any thread.
#pragma once

#include <cstddef>

#include "kernels/element_convert.h"

namespace foothold {

// A row, or the sum of two. The result may be the row.
struct RmsRow {
  ElementType type = ElementType::kFloat;
  std::size_t count = 0;
  const std::byte* first = nullptr;
  const std::byte* second = nullptr;  // may be null
  const float* gamma = nullptr;
  std::byte* out = nullptr;
  std::byte* sum = nullptr;  // first + second; may be null
};

// out = row * scale * gamma, with scale = 1 / sqrt(mean of squares + epsilon), which is returned.
float NormalizeRms(const RmsRow& row, float epsilon);

}  // namespace foothold
