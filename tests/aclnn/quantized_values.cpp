// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/quantized_values.h"

#include <algorithm>
#include <cmath>

namespace nn {

double ToInt8(double value) {
  return std::clamp(std::nearbyint(value), -128.0, 127.0);
}

QuantizedRows QuantizeRows(const Values& rows, std::size_t width) {
  QuantizedRows made;
  for (std::size_t row = 0; row < rows.size() / width; ++row) {
    double most = 0;
    for (std::size_t i = row * width; i < (row + 1) * width; ++i)
      most = std::max(most, std::abs(rows[i]));
    made.scales.push_back(most / 127);
    for (std::size_t i = row * width; i < (row + 1) * width; ++i)
      made.values.push_back(most == 0 ? 0 : ToInt8(rows[i] * 127 / most));
  }
  return made;
}

Values Gated(const Values& rows, std::size_t half) {
  Values out(rows.size() / 2);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double gate = rows[i / half * 2 * half + i % half];
    out[i] = gate / (1 + std::exp(-gate)) * rows[i / half * 2 * half + half + i % half];
  }
  return out;
}

void ExpectInt8(const Values& actual, const Values& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  std::size_t apart = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_LE(std::abs(actual[i] - expected[i]), 1) << "element " << i;
    apart += actual[i] != expected[i];
  }
  EXPECT_LE(apart, 1 + actual.size() / 50);
}

}  // namespace nn
