// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Floats to int8, for kernels that quantise what they computed. Any thread.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace foothold {

// The nearest whole number, ties to even, saturated; NaN is 0.
inline std::int8_t ToInt8(float value) {
  const float whole = std::nearbyint(value);
  return whole == whole ? static_cast<std::int8_t>(std::clamp(whole, -128.0f, 127.0f)) : std::int8_t{0};
}

// The largest magnitude becomes 127. Returns the scale that leads back, max|x| / 127: 0 for a row of zeros.
float QuantizeRowToInt8(const float* x, std::size_t count, std::int8_t* y);

}  // namespace foothold
