// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/quantized/quantized_row.h"

namespace foothold {

float QuantizeRowToInt8(const float* x, std::size_t count, std::int8_t* y) {
  float most = 0;
  for (std::size_t i = 0; i < count; ++i)
    most = std::max(most, std::abs(x[i]));
  const float scale = most / 127.0f;
  for (std::size_t i = 0; i < count; ++i)
    y[i] = scale > 0 ? ToInt8(x[i] / scale) : std::int8_t{0};
  return scale;
}

}  // namespace foothold
