// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Gradients of convolutions and pooling, maxima with their places, samples of images, convolutions of
// volumes.
#include <cmath>
#include <numeric>

#include "aclnn/windows.h"
#include "aclnnop/aclnn_adaptive_avg_pool2d.h"
#include "aclnnop/aclnn_adaptive_max_pool2d.h"
#include "aclnnop/aclnn_avgpool2d_backward.h"
#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_convolution_backward.h"
#include "aclnnop/aclnn_grid_sampler2d.h"
#include "aclnnop/aclnn_grid_sampler2d_backward.h"
#include "aclnnop/aclnn_grid_sampler3d.h"
#include "aclnnop/aclnn_grid_sampler3d_backward.h"
#include "aclnnop/aclnn_max_pool2d_with_indices.h"
#include "aclnnop/aclnn_max_pool2d_with_indices_backward.h"

namespace nn {
namespace {

// Calls visit(element of x, tap of weight, element of the result) for every product of a convolution.
template <typename Visit>
void ForProducts(const Dims& x, const Dims& weight, const Dims& out, std::int64_t groups,
                 const Window& window, Visit visit) {
  for (std::size_t i = 0; i < CountOf(out); ++i)
    for (std::size_t t = 0; t < CountOf(weight); ++t) {
      const Dims place = PlaceOf(i, out), tap = PlaceOf(t, weight);
      if (tap[0] != place[1]) continue;
      const std::int64_t channel = place[1] / (out[1] / groups) * weight[1] + tap[1];
      const std::size_t under = Under(x, {place[0], channel}, {place[2], place[3]}, {tap[2], tap[3]}, window);
      if (under != kNowhere) visit(under, t, i);
    }
}

TEST_F(Nn, ConvolutionBackwardGivesThreeGradients) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    const Tensor x = In(type, {2, 4, 6, 6}, Spread(288), Layout::kPaddedRows),
                 weight = In(type, {6, 2, 3, 2}, Spread(72, -1, 1, 2), Layout::kTransposed),
                 g = In(type, {2, 6, 3, 3}, Spread(108, -1, 1, 3));
    const Tensor dx = Out(type, x.dims()), dweight = Out(type, weight.dims(), Layout::kPaddedRows),
                 dbias = Out(type, {6});
    Run(NN(ConvolutionBackward), g, x, weight, Ints{6}, Ints{2, 2}, Ints{1, 0}, Ints{1, 1}, false, Ints{0, 0},
        2, Bools{true, true, true}, std::int8_t{0}, Out(type, x.dims()), Out(type, weight.dims()), nullptr);
    Run(NN(ConvolutionBackward), g, x, weight, Ints{6}, Ints{2, 2}, Ints{1, 0}, Ints{1, 1}, false, Ints{0, 0},
        2, Bools{true, true, true}, std::int8_t{0}, dx, dweight, dbias);
    Values to_x(288, 0.0), to_weight(72, 0.0), to_bias(6, 0.0);
    const Values up = g.Read(), values = x.Read(), taps = weight.Read();
    ForProducts(x.dims(), weight.dims(), g.dims(), 2, {{3, 2}, {2, 2}, {1, 0}, {1, 1}},
                [&](std::size_t from, std::size_t tap, std::size_t to) {
                  to_x[from] += taps[tap] * up[to];
                  to_weight[tap] += values[from] * up[to];
                });
    for (std::size_t i = 0; i < up.size(); ++i)
      to_bias[i / 9 % 6] += up[i];
    ExpectClose(dx.Read(), to_x, 4 * Tolerance(type));
    ExpectClose(dweight.Read(), to_weight, 4 * Tolerance(type));
    ExpectClose(dbias.Read(), to_bias, 4 * Tolerance(type));
  }
}

// A transposed convolution makes of x what the gradient of a convolution with the same weights makes.
TEST_F(Nn, ConvolutionBackwardTakesTransposedLines) {
  const Tensor x = In(ACL_FLOAT, {2, 3, 4}, Spread(24)),
               weight = In(ACL_FLOAT, {3, 2, 3}, Spread(18, -1, 1, 2)),
               g = In(ACL_FLOAT, {2, 2, 8}, Spread(32, -1, 1, 3)), dx = Out(ACL_FLOAT, {2, 3, 4}),
               dweight = Out(ACL_FLOAT, {3, 2, 3});
  Run(NN(ConvolutionBackward), g, x, weight, nullptr, Ints{2}, Ints{1}, Ints{1}, true, Ints{1}, 1,
      Bools{true, true, false}, std::int8_t{0}, dx, dweight, nullptr);
  Values to_x(24, 0.0), to_weight(18, 0.0);
  const Values up = g.Read(), values = x.Read(), taps = weight.Read();
  ForProducts({2, 2, 1, 8}, {3, 2, 1, 3}, {2, 3, 1, 4}, 1, {{1, 3}, {1, 2}, {0, 1}, {1, 1}},
              [&](std::size_t from, std::size_t tap, std::size_t to) {
                to_x[to] += taps[tap] * up[from];
                to_weight[tap] += values[to] * up[from];
              });
  ExpectClose(dx.Read(), to_x, 1e-5);
  ExpectClose(dweight.Read(), to_weight, 1e-5);
}

TEST_F(Nn, ConvolutionTakesVolumes) {
  const Dims from{1, 2, 3, 4, 5}, kernel{3, 2, 2, 2, 2}, to{1, 3, 2, 3, 4};
  const Tensor x = In(ACL_FLOAT16, from, Spread(120), Layout::kTransposed),
               weight = In(ACL_FLOAT16, kernel, Spread(48)), out = Out(ACL_FLOAT16, to),
               back = Out(ACL_FLOAT16, from);
  Run(NN(Convolution), x, weight, nullptr, Ints{1, 1, 1}, Ints{0, 0, 0}, Ints{1, 1, 1}, false, Ints{0, 0, 0},
      1, out, std::int8_t{0});
  Values expected(CountOf(to), 0.0);
  const Values values = x.Read(), taps = weight.Read();
  for (std::size_t i = 0; i < expected.size(); ++i)
    for (std::size_t t = 0; t < taps.size(); ++t) {
      const Dims p = PlaceOf(i, to), q = PlaceOf(t, kernel);
      if (q[0] == p[1])
        expected[i] += taps[t] * values[NumberOf({p[0], q[1], p[2] + q[2], p[3] + q[3], p[4] + q[4]}, from)];
    }
  ExpectClose(out.Read(), expected, 4 * Tolerance(ACL_FLOAT16));
  const Tensor to_filter = Out(ACL_FLOAT16, kernel), to_bias = Out(ACL_FLOAT16, {3});
  const Tensor g = In(ACL_FLOAT16, to, SpreadInts(72, -2, 2, 3));
  Run(NN(ConvolutionBackward), g, x, weight, Ints{3}, Ints{1, 1, 1}, Ints{0, 0, 0}, Ints{1, 1, 1}, false,
      Ints{0, 0, 0}, 1, Bools{true, true, true}, std::int8_t{0}, back, to_filter, to_bias);
  Values down(CountOf(from), 0.0), slope(CountOf(kernel), 0.0), sums(3, 0.0);
  const Values arriving = g.Read();
  for (std::size_t i = 0; i < arriving.size(); ++i) {
    const Dims p = PlaceOf(i, to);
    sums[static_cast<std::size_t>(p[1])] += arriving[i];
    for (std::size_t t = 0; t < taps.size(); ++t) {
      const Dims q = PlaceOf(t, kernel);
      if (q[0] != p[1]) continue;
      const std::size_t met = NumberOf({p[0], q[1], p[2] + q[2], p[3] + q[3], p[4] + q[4]}, from);
      down[met] += taps[t] * arriving[i];
      slope[t] += values[met] * arriving[i];
    }
  }
  ExpectClose(back.Read(), down, 4 * Tolerance(ACL_FLOAT16));
  ExpectClose(to_filter.Read(), slope, 4 * Tolerance(ACL_FLOAT16));
  ExpectClose(to_bias.Read(), sums, 4 * Tolerance(ACL_FLOAT16));
}

TEST_F(Nn, MaxPool2dTellsPlacesAndGivesBack) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16})
    for (const aclDataType index_type : {ACL_INT32, ACL_INT64}) {
      const Dims from{2, 2, 5, 6}, to{2, 2, 3, 3};
      const Window window{{3, 3}, {2, 2}, {1, 1}, {1, 1}};
      const Tensor x = In(type, from, Whole(120), Layout::kPaddedRows), out = Out(type, to),
                   indices = Out(index_type, to), g = In(type, to, Whole(36, 2)),
                   dx = Out(type, from, Layout::kPaddedRows);
      Run(NN(MaxPool2dWithIndices), x, Ints{3, 3}, Ints{2}, Ints{1, 1}, Ints{1, 1}, false, out, indices);
      Values most, places, back(120, 0.0);
      const Values values = x.Read();
      for (std::size_t i = 0; i < 36; ++i) {
        const Dims p = PlaceOf(i, to);
        std::size_t best = kNowhere;
        for (std::int64_t tap = 0; tap < 9; ++tap) {
          const std::size_t under = Under(from, {p[0], p[1]}, {p[2], p[3]}, {tap / 3, tap % 3}, window);
          if (under != kNowhere && (best == kNowhere || values[under] > values[best])) best = under;
        }
        most.push_back(values[best]);
        places.push_back(static_cast<double>(best % 30));
        back[best] += g.Read()[i];
      }
      EXPECT_EQ(out.Read(), most);
      EXPECT_EQ(indices.Read(), places);
      Run(NN(MaxPool2dWithIndicesBackward), g, x, indices.As(Role::kIn), Ints{3, 3}, Ints{2, 2}, Ints{1, 1},
          Ints{1, 1}, false, dx);
      ExpectClose(dx.Read(), back, Tolerance(type));
    }
}

Values Numbers(std::size_t count) {
  Values values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

// A fourth window of each row and column would begin behind the image.
TEST_F(Nn, MaxPool2dLeavesOutAWindowInThePadding) {
  const Tensor x = In(ACL_FLOAT, {1, 5, 5}, Numbers(25)), out = Out(ACL_FLOAT, {1, 3, 3}),
               indices = Out(ACL_INT32, {1, 3, 3}), g = In(ACL_FLOAT, {1, 3, 3}, Numbers(9)),
               dx = Out(ACL_FLOAT, {1, 5, 5});
  Run(NN(MaxPool2dWithIndices), x, Ints{2}, Ints{2}, Ints{1}, Ints{1}, true, out, indices);
  const Values most{0, 2, 4, 10, 12, 14, 20, 22, 24};
  EXPECT_EQ(out.Read(), most);
  EXPECT_EQ(indices.Read(), most);
  Run(NN(MaxPool2dWithIndicesBackward), g, x, indices.As(Role::kIn), Ints{2}, Ints{2}, Ints{1}, Ints{1}, true,
      dx);
  Values back(25, 0.0);
  for (std::size_t i = 0; i < most.size(); ++i)
    back[static_cast<std::size_t>(most[i])] = static_cast<double>(i);
  EXPECT_EQ(dx.Read(), back);
}

TEST_F(Nn, AvgPool2dBackwardSpreadsGradients) {
  for (const std::int64_t divisor : {0, 5})
    for (const bool count : {true, false})
      for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
        const Dims from{2, 5, 6}, to{2, 3, 3};
        const Tensor x = In(type, from, Spread(60)), g = In(type, to, Spread(18), Layout::kPaddedRows),
                     dx = Out(type, from);
        Run(NN(AvgPool2dBackward), g, x, Ints{3, 3}, Ints{2, 2}, Ints{1, 1}, false, count, divisor,
            std::int8_t{0}, dx);
        Values expected(60, 0.0);
        for (std::size_t i = 0; i < 18; ++i) {
          const Dims p = PlaceOf(i, to);
          std::vector<std::size_t> inside;
          for (std::int64_t tap = 0; tap < 9; ++tap) {
            const std::size_t under = Under({1, 2, 5, 6}, {0, p[0]}, {p[1], p[2]}, {tap / 3, tap % 3},
                                            {{3, 3}, {2, 2}, {1, 1}, {1, 1}});
            if (under != kNowhere) inside.push_back(under);
          }
          const double by = divisor > 0 ? static_cast<double>(divisor)
                            : count     ? 9
                                        : static_cast<double>(inside.size());
          for (const std::size_t under : inside)
            expected[under] += g.Read()[i] / by;
        }
        ExpectClose(dx.Read(), expected, Tolerance(type));
      }
}

// Linear samples of an image by coordinates from -1 to 1, whose corners are the centres of pixels.
TEST_F(Nn, GridSamplerTakesPlacesBetweenPixels) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    const Tensor x = In(type, {1, 1, 2, 3}, {1, 2, 3, 4, 5, 6}, Layout::kTransposed),
                 grid = In(type, {1, 1, 3, 2}, {-1, -1, 0.5, 0, 1, 1}), out = Out(type, {1, 1, 1, 3}),
                 g = In(type, {1, 1, 1, 3}, {1, 2, 3}), dx = Out(type, {1, 1, 2, 3}),
                 dgrid = Out(type, {1, 1, 3, 2});
    Run(NN(GridSampler2D), x, grid, 0, 0, true, out);
    EXPECT_EQ(out.Read(), (Values{1, 4, 6}));
    Run(NN(GridSampler2DBackward), g, x, grid, 0, 0, true, Bools{true, true}, dx, dgrid);
    EXPECT_EQ(dx.Read(), (Values{1, 0.5, 0.5, 0, 0.5, 3.5}));
    EXPECT_EQ(dgrid.Read()[2], 2.0);
    EXPECT_EQ(dgrid.Read()[3], 3.0);
    Run(NN(GridSampler2D), x, grid, 1, 1, true, out);
    EXPECT_EQ(out.Read()[2], 6.0);
  }
  const Tensor x = In(ACL_FLOAT, {1, 1, 2, 2}, Spread(4)), grid = In(ACL_FLOAT, {1, 1, 1, 2}, {0, 0});
  ExpectRefused(161002, "'paddingMode' is 3", NN(GridSampler2D), x, grid, 0, 3, true,
                Out(ACL_FLOAT, {1, 1, 1, 1}));
}

TEST_F(Nn, GridSamplerTakesVolumes) {
  const Tensor x = In(ACL_FLOAT, {1, 1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}),
               grid = In(ACL_FLOAT, {1, 1, 1, 2, 3}, {0, 0, 0, 1, 1, 1}),
               out = Out(ACL_FLOAT, {1, 1, 1, 1, 2}), g = In(ACL_FLOAT, {1, 1, 1, 1, 2}, {8, 1}),
               dx = Out(ACL_FLOAT, {1, 1, 2, 2, 2});
  Run(NN(GridSampler3D), x, grid, 0, 0, true, out);
  EXPECT_EQ(out.Read(), (Values{4.5, 8}));
  Run(NN(GridSampler3DBackward), g, x, grid, 0, 0, true, Bools{true, false}, dx, nullptr);
  EXPECT_EQ(dx.Read(), (Values{1, 1, 1, 1, 1, 1, 1, 2}));
}

TEST_F(Nn, AdaptivePoolingCutsImagesIntoParts) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    const Tensor x = In(type, {2, 5, 7}, Whole(70), Layout::kPaddedRows), average = Out(type, {2, 2, 3}),
                 most = Out(type, {2, 2, 3}), places = Out(ACL_INT64, {2, 2, 3});
    Run(NN(AdaptiveAvgPool2d), x, Ints{2, 3}, average);
    Run(NN(AdaptiveMaxPool2d), x, Ints{2, 3}, most, places);
    Values means, maxima, found;
    for (std::size_t i = 0; i < 12; ++i) {
      const std::size_t plane = i / 6, row = i / 3 % 2, column = i % 3;
      double sum = 0, count = 0, best = -INFINITY, place = 0;
      for (std::size_t y = row * 5 / 2; y < (row * 5 + 6) / 2; ++y)
        for (std::size_t z = column * 7 / 3; z < (column * 7 + 9) / 3; ++z) {
          const double value = x.Read()[(plane * 5 + y) * 7 + z];
          sum += value;
          ++count;
          if (value > best) place = static_cast<double>(y * 7 + z);
          best = std::max(best, value);
        }
      means.push_back(sum / count);
      maxima.push_back(best);
      found.push_back(place);
    }
    ExpectClose(average.Read(), means, Tolerance(type));
    EXPECT_EQ(most.Read(), maxima);
    EXPECT_EQ(places.Read(), found);
  }
}

}  // namespace
}  // namespace nn
