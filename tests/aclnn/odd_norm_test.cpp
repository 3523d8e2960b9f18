// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Odd arguments of functions that normalise, pool and resize.
#include <cmath>
#include <limits>

#include "aclnn/nn_case.h"
#include "aclnnop/aclnn_add_rms_norm.h"
#include "aclnnop/aclnn_avgpool2d.h"
#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_group_norm.h"
#include "aclnnop/aclnn_layer_norm.h"
#include "aclnnop/aclnn_max_pool.h"
#include "aclnnop/aclnn_rms_norm.h"
#include "aclnnop/aclnn_upsample_nearest_2d.h"

namespace nn {
namespace {

Values Rms(const Values& x, const Values& gamma, std::size_t row, double eps, Values& rstd) {
  Values out(x.size());
  rstd.assign(x.size() / row, 0);
  for (std::size_t r = 0; r < rstd.size(); ++r) {
    for (std::size_t i = 0; i < row; ++i)
      rstd[r] += x[r * row + i] * x[r * row + i] / static_cast<double>(row);
    rstd[r] = 1 / std::sqrt(rstd[r] + eps);
    for (std::size_t i = 0; i < row; ++i)
      out[r * row + i] = x[r * row + i] * rstd[r] * gamma[i];
  }
  return out;
}

TEST_F(Nn, RmsNormTakesWeightsOfAnotherTypeAndSeveralDimensions) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_FLOAT}) {
    const Tensor x = In(type, {2, 3, 4}, Spread(24), Layout::kPaddedRows),
                 gamma = In(ACL_FLOAT, {3, 4}, Spread(12, 0.5, 1.5));
    const Tensor y = Out(type, {2, 3, 4}), rstd = Out(ACL_FLOAT, {2});
    Run(NN(RmsNorm), x, gamma, 1e-6, y, rstd);
    Values expected;
    ExpectClose(y.Read(), Rms(x.Read(), gamma.Read(), 12, 1e-6, expected), Tolerance(type));
    ExpectClose(rstd.Read(), expected, 1e-6);
  }
}

TEST_F(Nn, LayerNormTakesSeveralDimensions) {
  const Tensor x = In(ACL_FLOAT, {2, 3, 4}, Spread(24, 100, 101), Layout::kTransposed);
  const Tensor weight = In(ACL_FLOAT, {3, 4}, Spread(12)), bias = In(ACL_FLOAT, {3, 4}, Spread(12, -1, 1, 5));
  const Tensor out = Out(ACL_FLOAT, {2, 3, 4}), mean = Out(ACL_FLOAT, {2, 1, 1}),
               rstd = Out(ACL_FLOAT, {2, 1, 1});
  Run(NN(LayerNorm), x, Ints{3, 4}, weight, bias, 1e-5, out, mean, rstd);
  const Values given = x.Read();
  Values expected(24), means(2), inverses(2);
  for (std::size_t r = 0; r < 2; ++r) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < 12; ++i)
      sum += given[r * 12 + i] / 12;
    for (std::size_t i = 0; i < 12; ++i)
      squares += (given[r * 12 + i] - sum) * (given[r * 12 + i] - sum) / 12;
    means[r] = sum;
    inverses[r] = 1 / std::sqrt(squares + 1e-5);
    for (std::size_t i = 0; i < 12; ++i)
      expected[r * 12 + i] = (given[r * 12 + i] - sum) * inverses[r] * weight.Read()[i] + bias.Read()[i];
  }
  ExpectClose(out.Read(), expected, 2e-4);
  ExpectClose(mean.Read(), means, 1e-6);
  ExpectClose(rstd.Read(), inverses, 1e-4);
  Run(NN(LayerNorm), x, Ints{4}, nullptr, bias.View(Role::kIn, {4}, {1}, 0), 1e-5, out, nullptr, nullptr);
  ExpectRefused(161002, "normalizedShape", NN(LayerNorm), x, Ints{3}, nullptr, nullptr, 1e-5, out, nullptr,
                nullptr);
}

// llama.cpp gives both statistics fewer bytes than they have, so that they lie over each other.
TEST_F(Nn, GroupNormIsRightWhereStatisticsOverlap) {
  const Tensor x = In(ACL_FLOAT, {2, 4, 3}, Spread(24)), out = Out(ACL_FLOAT, {2, 4, 3});
  const Tensor scratch = Ref(ACL_FLOAT, {6}, Values(6, 0));
  const Tensor mean = scratch.View(Role::kOut, {2, 2}, {2, 1}, 0),
               rstd = scratch.View(Role::kOut, {2, 2}, {2, 1}, 1);
  Run(NN(GroupNorm), x, nullptr, nullptr, std::int64_t{2}, std::int64_t{4}, std::int64_t{3}, std::int64_t{2},
      1e-5, out, mean, rstd);
  const Values given = x.Read();
  Values expected(24);
  for (std::size_t g = 0; g < 4; ++g) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < 6; ++i)
      sum += given[g * 6 + i] / 6;
    for (std::size_t i = 0; i < 6; ++i)
      squares += (given[g * 6 + i] - sum) * (given[g * 6 + i] - sum) / 6;
    for (std::size_t i = 0; i < 6; ++i)
      expected[g * 6 + i] = (given[g * 6 + i] - sum) / std::sqrt(squares + 1e-5);
  }
  ExpectClose(out.Read(), expected, 1e-5);
  ExpectRefused(161002, "'group' is 3", NN(GroupNorm), x, nullptr, nullptr, std::int64_t{2}, std::int64_t{4},
                std::int64_t{3}, std::int64_t{3}, 1e-5, out, mean, rstd);
}

TEST_F(Nn, AveragesAreDividedAsTold) {
  const Tensor x = In(ACL_FLOAT, {1, 1, 3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const auto pool = [&](Ints pads, bool ceil, bool count, std::int64_t divisor, Dims dims,
                        const Values& expected) {
    const Tensor out = Out(ACL_FLOAT, dims);
    Run(NN(AvgPool2d), x, Ints{2, 2}, Ints{2, 2}, pads, ceil, count, divisor, std::int8_t{0}, out);
    ExpectClose(out.Read(), expected, 1e-6);
  };
  pool({0, 0}, false, true, 0, {1, 1, 1, 1}, {3});
  pool({0, 0}, true, true, 0, {1, 1, 2, 2}, {3, 4.5, 7.5, 9});
  pool({0, 0}, true, true, 3, {1, 1, 2, 2}, {4, 3, 5, 3});
  pool({1, 1}, false, true, 0, {1, 1, 2, 2}, {0.25, 1.25, 2.75, 7});
  pool({1, 1}, false, false, 0, {1, 1, 2, 2}, {1, 2.5, 5.5, 7});
  pool({1}, true, true, 0, {1, 1, 2, 2}, {0.25, 1.25, 2.75, 7});
  const Tensor out = Out(ACL_FLOAT16, {1, 2, 2});
  Run(NN(AvgPool2d), In(ACL_FLOAT16, {1, 4, 4}, SpreadInts(16, 0, 9)), Ints{2}, Ints{}, Ints{0}, false, true,
      std::int64_t{0}, std::int8_t{1}, out);
}

// Windows that would begin behind the image are left out, as torch does.
TEST_F(Nn, CeilModeLeavesOutWindowsThatBeginOutside) {
  const Tensor x = In(ACL_FLOAT, {1, 1, 1, 4}, {1, 2, 3, 4});
  const Tensor out = Out(ACL_FLOAT, {1, 1, 1, 3});
  Run(NN(AvgPool2d), x, Ints{1, 2}, Ints{1, 2}, Ints{0, 1}, true, false, std::int64_t{0}, std::int8_t{0},
      out);
  EXPECT_EQ(out.Read(), (Values{1, 2.5, 4}));
  const Tensor y = In(ACL_FLOAT, {1, 1, 1, 3}, {1, 2, 3}), two = Out(ACL_FLOAT, {1, 1, 1, 2});
  Run(NN(AvgPool2d), y, Ints{1, 2}, Ints{1, 3}, Ints{0, 1}, true, false, std::int64_t{0}, std::int8_t{0},
      two);
  EXPECT_EQ(two.Read(), (Values{1, 3}));
}

TEST_F(Nn, MaxPoolTakesCeilAndNegatives) {
  const Tensor x = In(ACL_FLOAT, {1, 1, 3, 3}, {-1, -2, -3, -4, -5, -6, -7, -8, -9});
  const Tensor out = Out(ACL_FLOAT, {1, 1, 2, 2});
  Run(NN(MaxPool), x, Ints{2, 2}, Ints{2, 2}, std::int64_t{0}, Ints{0, 0, 0, 0}, Ints{1, 1}, std::int64_t{1},
      out);
  EXPECT_EQ(out.Read(), (Values{-1, -3, -7, -9}));
  Run(NN(MaxPool), x, Ints{2, 2}, Ints{2, 2}, std::int64_t{0}, Ints{1, 1, 0, 0}, Ints{1, 1}, std::int64_t{0},
      out);
  EXPECT_EQ(out.Read(), (Values{-1, -2, -4, -5}));
  const Tensor half = Out(ACL_FLOAT16, {1, 1, 1, 2});
  Run(NN(MaxPool), In(ACL_FLOAT16, {1, 1, 2, 3}, {1, -std::numeric_limits<double>::infinity(), 3, 4, 5, -6}),
      Ints{2, 2}, Ints{1, 1}, std::int64_t{0}, Ints{0, 0, 0, 0}, Ints{1, 1}, std::int64_t{0}, half);
  EXPECT_EQ(half.Read(), (Values{5, 5}));
}

TEST_F(Nn, ConvolutionTakesFourPaddingsAndStrides) {
  const Tensor x = In(ACL_FLOAT, {1, 2, 3, 3}, Spread(18)),
               w = In(ACL_FLOAT16, {4, 1, 2, 2}, Spread(16, -1, 1, 2));
  const Tensor bias = In(ACL_FLOAT, {4}, Spread(4)), out = Out(ACL_FLOAT, {1, 4, 3, 2}, Layout::kPaddedRows);
  // One above, none below, none on the left, one on the right; by 1 and 2.
  Run(NN(Convolution), x, w, bias, Ints{1, 2}, Ints{1, 0, 0, 1}, Ints{1, 1}, false, Ints{0, 0},
      std::int64_t{2}, out, std::int8_t{0});
  const Values image = x.Read(), kernel = w.Read();
  Values expected(24);
  for (std::size_t i = 0; i < 24; ++i) {
    const std::size_t c = i / 6, row = i % 6 / 2, column = i % 2;
    expected[i] = bias.Read()[c];
    for (std::size_t p = 0; p < 2; ++p)
      for (std::size_t q = 0; q < 2; ++q) {
        const std::size_t y = row + p, z = 2 * column + q;
        if (y < 1 || z > 2) continue;
        expected[i] += image[c / 2 * 9 + (y - 1) * 3 + z] * kernel[c * 4 + p * 2 + q];
      }
  }
  ExpectClose(out.Read(), expected, 1e-5);
}

TEST_F(Nn, UpsamplingByOddNumbersTakesTheElementBelow) {
  for (const auto& [from, to] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{2, 80}, {3, 7}, {7, 3}, {5, 5}, {1, 9}}) {
    const Tensor x = In(ACL_FLOAT, {1, 1, 1, from}, SpreadInts(static_cast<std::size_t>(from), 0, 99));
    const Tensor out = Out(ACL_FLOAT, {1, 1, 1, to});
    Run(NN(UpsampleNearest2d), x, Ints{1, to}, out);
    Values expected;
    for (std::int64_t i = 0; i < to; ++i)
      expected.push_back(x.Read()[static_cast<std::size_t>(i * from / to)]);
    EXPECT_EQ(out.Read(), expected) << from << " " << to;
  }
}

TEST_F(Nn, StatisticsOfRowsComeInTheirOrder) {
  const Tensor a = In(ACL_FLOAT16, {2, 4}, Spread(8)), b = In(ACL_FLOAT16, {2, 4}, Spread(8, -1, 1, 3));
  const Tensor gamma = In(ACL_FLOAT16, {4}, Spread(4, 0.5, 1.5));
  const Tensor y = Out(ACL_FLOAT16, {2, 4}), rstd = Out(ACL_FLOAT, {2, 1}), sum = Out(ACL_FLOAT16, {2, 4});
  Run(NN(AddRmsNorm), a, b, gamma, 1e-6, y, rstd, sum);
  Values added = a.Read(), expected;
  for (std::size_t i = 0; i < added.size(); ++i)
    added[i] += b.Read()[i];
  ExpectClose(sum.Read(), added, Tolerance(ACL_FLOAT16));
  ExpectClose(y.Read(), Rms(added, gamma.Read(), 4, 1e-6, expected), 2e-3);
  ExpectClose(rstd.Read(), expected, 2e-3);
}

}  // namespace
}  // namespace nn
