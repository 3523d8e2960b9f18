// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/pooling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <vector>

#include "kernels/channel_blocks.h"

namespace foothold {
namespace {

struct Case {
  std::size_t height, width, channels, kernel, stride, pad;
  PoolingMode mode = PoolingMode::kMax;
};

std::ostream& operator<<(std::ostream& stream, const Case& c) {
  return stream << c.height << "x" << c.width << "x" << c.channels << ", kernel " << c.kernel << ", stride "
                << c.stride << ", pad " << c.pad << (c.mode == PoolingMode::kMax ? ", maximum" : ", average");
}

PoolingAxis AxisOf(std::size_t extent, const Case& c) {
  const std::size_t kernel = c.kernel == 0 ? extent : c.kernel, padded = extent + 2 * c.pad;
  return {extent, kernel, c.stride, 1, c.pad, (padded - kernel) / c.stride + 1, padded};
}

class PoolingWithChannelsLast : public testing::TestWithParam<Case> {};

TEST_P(PoolingWithChannelsLast, EqualsItsDefinition) {
  const Case& c = GetParam();
  PoolingShape shape{2, c.channels, AxisOf(c.height, c), AxisOf(c.width, c), true, c.mode};
  std::vector<float> input(shape.batch * shape.Pixels() * shape.channels);
  for (std::size_t i = 0; i < input.size(); ++i)
    input[i] = static_cast<float>(i * 7919 % 1009) / 500 - 1;
  if (c.mode == PoolingMode::kMax) input[input.size() / 2] = NAN;
  std::vector<float> found(shape.batch * shape.OutPixels() * shape.channels), expected(found.size());
  PoolFloats(shape, input.data(), found.data());
  PoolPlain(shape, input.data(), expected.data());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(std::isnan(found[i]), std::isnan(expected[i])) << "at " << i;
    if (std::isnan(expected[i])) continue;
    ASSERT_NEAR(found[i], expected[i], 1e-5f) << "at " << i;
  }
}

std::vector<Case> Cases() {
  std::vector<Case> cases;
  const std::size_t block = ChannelBlock();
  for (const PoolingMode mode : {PoolingMode::kMax, PoolingMode::kAverage})
    for (const Case& c :
         {Case{11, 13, block, 3, 2, 0}, Case{10, 9, block, 5, 1, 2}, Case{7, 9, block, 0, 1, 0},
          Case{6, 30, 3, 2, 2, 0}, Case{5, 600, block, 3, 2, 1}}) {
      cases.push_back(c);
      cases.back().mode = mode;
    }
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Shapes, PoolingWithChannelsLast, testing::ValuesIn(Cases()));

}  // namespace
}  // namespace foothold
