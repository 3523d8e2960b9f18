// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Convolutions, pooling and resizing, with the views that language and vision models pass.
#include <algorithm>
#include <cmath>

#include "aclnn/windows.h"
#include "aclnnop/aclnn_avgpool2d.h"
#include "aclnnop/aclnn_convolution.h"
#include "aclnnop/aclnn_im2col.h"
#include "aclnnop/aclnn_max_pool.h"
#include "aclnnop/aclnn_upsample_nearest_2d.h"

namespace nn {
namespace {

// x [n, c, h, w], weight [c_out, c/groups, kh, kw].
Values Convolved(const Tensor& x, const Tensor& weight, const Dims& x_dims, const Dims& w_dims,
                 const Dims& out_dims, std::int64_t groups, const Window& window) {
  const Values values = x.Read(), taps = weight.Read();
  Values out(CountOf(out_dims), 0.0);
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t t = 0; t < taps.size(); ++t) {
      const Dims place = PlaceOf(i, out_dims), tap = PlaceOf(t, w_dims);
      if (tap[0] != place[1]) continue;
      const std::int64_t channel = place[1] / (out_dims[1] / groups) * w_dims[1] + tap[1];
      const double* under =
          Under(values, x_dims, {place[0], channel}, {place[2], place[3]}, {tap[2], tap[3]}, window);
      if (under != nullptr) out[i] += taps[t] * *under;
    }
  return out;
}

TEST_F(Nn, ConvolutionTakesImagesGroupsAndBias) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16})
    for (const Layout layout : {Layout::kContiguous, Layout::kTransposed, Layout::kPaddedRows}) {
      const Tensor x = In(type, {2, 4, 6, 7}, Spread(336), layout),
                   weight = In(type, {6, 2, 3, 2}, Spread(72, -1, 1, 2), layout),
                   bias = In(type, {6}, Spread(6)), out = Out(type, {2, 6, 3, 4}, layout);
      Run(NN(Convolution), x, weight, bias, Ints{2, 2}, Ints{1, 0}, Ints{1, 1}, false, Ints{0, 0}, 2,
          Out(type, {2, 6, 3, 3}), std::int8_t{0});
      const Tensor fits = Out(type, {2, 6, 3, 3}, layout);
      Run(NN(Convolution), x, weight, bias, Ints{2, 2}, Ints{1, 0}, Ints{1, 1}, false, Ints{0, 0}, 2, fits,
          std::int8_t{1});
      Values expected =
          Convolved(x, weight, x.dims(), weight.dims(), fits.dims(), 2, {{3, 2}, {2, 2}, {1, 0}, {1, 1}});
      for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] += bias.Read()[i / 9 % 6];
      ExpectClose(fits.Read(), expected, 4 * Tolerance(type));
      ExpectRefused(161002, "'output'", NN(Convolution), x, weight, bias, Ints{2, 2}, Ints{1, 0}, Ints{1, 1},
                    false, Ints{0, 0}, 2, out, std::int8_t{0});
    }
}

// State space models: every channel its own, and the result lies channel by channel in rows.
TEST_F(Nn, ConvolutionOfChannelsWritesATransposedView) {
  constexpr std::int64_t n = 2, c = 8, l = 5, k = 4;
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    const Tensor x = In(type, {n, c, l + k - 1}, Spread(n * c * (l + k - 1)), Layout::kPaddedRows);
    const Tensor stored = In(type, {c, k}, Spread(c * k, -1, 1, 2));
    const Tensor weight = stored.View(Role::kIn, {c, 1, k}, {k, k, 1}, 0);
    const Tensor memory = Out(type, {n, l, c});
    const Tensor out = memory.View(Role::kOut, {n, c, l}, {c * l, 1, c}, 0);
    Run(NN(Convolution), x, weight, nullptr, Ints{1}, Ints{0}, Ints{1}, false, Ints{0}, c, out,
        std::int8_t{0});
    ExpectClose(out.Read(),
                Convolved(x, weight, {n, c, 1, l + k - 1}, {c, 1, 1, k}, {n, c, 1, l}, c, {{1, k}}),
                Tolerance(type));
  }
}

// weight [c_in, c_out, k].
Values Transposed1d(const Tensor& x, const Tensor& weight, std::size_t l_out, std::size_t stride,
                    std::size_t pad) {
  const auto c_in = static_cast<std::size_t>(x.dims()[1]), l = static_cast<std::size_t>(x.dims()[2]);
  const auto c_out = static_cast<std::size_t>(weight.dims()[1]),
             k = static_cast<std::size_t>(weight.dims()[2]);
  Values out(c_out * l_out, 0.0);
  const Values values = x.Read(), taps = weight.Read();
  for (std::size_t i = 0; i < c_in * l; ++i)
    for (std::size_t t = 0; t < c_out * k; ++t) {
      const std::size_t place = i % l * stride + t % k - pad;
      if (place < l_out) out[t / k * l_out + place] += values[i] * taps[i / l * c_out * k + t];
    }
  return out;
}

TEST_F(Nn, ConvolutionTransposedTakesHalfWeights) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16})
    for (const std::int64_t stride : {1, 2, 3}) {
      const std::int64_t l = (5 - 1) * stride + 4;
      const Tensor x = In(ACL_FLOAT, {1, 3, 5}, Spread(15)),
                   weight = In(type, {3, 2, 4}, Spread(24, -1, 1, 2)), out = Out(ACL_FLOAT, {1, 2, l});
      Run(NN(Convolution), x, weight, nullptr, Ints{stride}, Ints{0}, Ints{1}, true, Ints{0}, 1, out,
          std::int8_t{0});
      ExpectClose(out.Read(),
                  Transposed1d(x, weight, static_cast<std::size_t>(l), static_cast<std::size_t>(stride), 0),
                  1e-5);
    }
}

TEST_F(Nn, ConvolutionTransposedTakesPaddingOfTheOutput) {
  const Tensor x = In(ACL_FLOAT, {1, 3, 5}, Spread(15)),
               weight = In(ACL_FLOAT, {3, 2, 4}, Spread(24, -1, 1, 2)), out = Out(ACL_FLOAT, {1, 2, 11});
  Run(NN(Convolution), x, weight, nullptr, Ints{2}, Ints{1}, Ints{1}, true, Ints{1}, 1, out, std::int8_t{0});
  ExpectClose(out.Read(), Transposed1d(x, weight, 11, 2, 1), 1e-5);
  ExpectRefused(161002, "'output'", NN(Convolution), x, weight, nullptr, Ints{2}, Ints{1}, Ints{1}, true,
                Ints{0}, 1, out, std::int8_t{0});
}

TEST_F(Nn, ConvolutionSlicesAreAccumulated) {
  const Tensor x = In(ACL_FLOAT, {1, 2, 4}, Spread(8)),
               all = In(ACL_FLOAT16, {2, 3, 300}, Spread(1800, -1, 1, 2));
  const Tensor slice = all.View(Role::kIn, {2, 3, 255}, {900, 300, 1}, 45), out = Out(ACL_FLOAT, {1, 3, 258});
  Run(NN(Convolution), x, slice, nullptr, Ints{1}, Ints{0}, Ints{1}, true, Ints{0}, 1, out, std::int8_t{0});
  ExpectClose(out.Read(), Transposed1d(x, slice, 258, 1, 0), 1e-5);
}

TEST_F(Nn, AvgPool2dCountsThePaddingOrNot) {
  for (const bool count : {true, false})
    for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
      const Tensor self = In(type, {2, 3, 6, 7}, Spread(252), Layout::kPaddedRows),
                   out = Out(type, {2, 3, 3, 5}, Layout::kPaddedRows);
      const Window window{{3, 3}, {2, 2}, {1, 1}, {1, 1}};
      Run(NN(AvgPool2d), self, Ints{3, 3}, Ints{2, 2}, Ints{1, 1}, false, count, 0, std::int8_t{1},
          Out(type, {2, 3, 3, 4}));
      const Tensor fits = Out(type, {2, 3, 3, 4}, Layout::kPaddedRows);
      Run(NN(AvgPool2d), self, Ints{3, 3}, Ints{2, 2}, Ints{1, 1}, false, count, 0, std::int8_t{1}, fits);
      Values expected(72, 0.0), values = self.Read();
      for (std::size_t i = 0; i < 72; ++i) {
        const Dims place = PlaceOf(i, fits.dims());
        double found = 0;
        for (std::int64_t tap = 0; tap < 9; ++tap)
          if (const double* under = Under(values, self.dims(), {place[0], place[1]}, {place[2], place[3]},
                                          {tap / 3, tap % 3}, window)) {
            expected[i] += *under;
            ++found;
          }
        expected[i] /= count ? 9 : found;
      }
      ExpectClose(fits.Read(), expected, Tolerance(type));
      ExpectRefused(161002, "'out'", NN(AvgPool2d), self, Ints{3, 3}, Ints{2, 2}, Ints{1, 1}, false, count, 0,
                    std::int8_t{1}, out);
    }
}

TEST_F(Nn, MaxPoolPadsTopLeftBottomRight) {
  const Tensor self = In(ACL_FLOAT, {1, 2, 4, 5}, Spread(40, -5, -1), Layout::kTransposed);
  const Tensor out = Out(ACL_FLOAT, {1, 2, 6, 8}, Layout::kPaddedRows);
  Run(NN(MaxPool), self, Ints{2, 2}, Ints{1, 1}, 0, Ints{1, 0, 2, 4}, Ints{1, 1}, 0, out);
  Values expected(96, -INFINITY);
  const Values values = self.Read();
  for (std::size_t i = 0; i < 96; ++i) {
    const Dims place = PlaceOf(i, out.dims());
    for (std::int64_t tap = 0; tap < 4; ++tap)
      if (const double* under = Under(values, self.dims(), {0, place[1]}, {place[2], place[3]},
                                      {tap / 2, tap % 2}, {{2, 2}, {1, 1}, {1, 0}, {1, 1}}))
        expected[i] = std::max(expected[i], *under);
  }
  ExpectClose(out.Read(), expected, 0);
}

TEST_F(Nn, MaxPoolTakesNoPadding) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    const Tensor self = In(type, {1, 1, 4, 4}, Whole(16)), out = Out(type, {1, 1, 2, 2});
    Run(NN(MaxPool), self, Ints{2, 2}, Ints{2, 2}, 0, Ints{0, 0, 0, 0}, Ints{1, 1}, true, out);
    const Values v = self.Read();
    EXPECT_EQ(out.Read(),
              (Values{std::max({v[0], v[1], v[4], v[5]}), std::max({v[2], v[3], v[6], v[7]}),
                      std::max({v[8], v[9], v[12], v[13]}), std::max({v[10], v[11], v[14], v[15]})}));
  }
}

// [n, c, h, w] to [n, c*kh*kw, oh*ow].
Values Columns(const Tensor& self, const Dims& out, const Window& window) {
  const Values values = self.Read();
  Values columns;
  const Dims order{self.dims()[0], self.dims()[1], window.kernel[0], window.kernel[1], out[0], out[1]};
  for (std::size_t i = 0; i < CountOf(order); ++i) {
    const Dims p = PlaceOf(i, order);
    const double* under = Under(values, self.dims(), {p[0], p[1]}, {p[4], p[5]}, {p[2], p[3]}, window);
    columns.push_back(under != nullptr ? *under : 0);
  }
  return columns;
}

TEST_F(Nn, Im2colUnfoldsImages) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16})
    for (const Layout layout : kAllLayouts) {
      const Tensor self = In(type, {2, 3, 6, 7}, Whole(252), layout);
      const Window window{{3, 2}, {2, 1}, {1, 2}, {1, 2}};
      const Tensor out = Out(type, {2, 18, 27}, layout);
      Run(NN(Im2col), self, Ints{3, 2}, Ints{1, 2}, Ints{1, 2}, Ints{2, 1}, out);
      EXPECT_EQ(out.Read(), Columns(self, {3, 9}, window));
    }
}

// One dimension: channels are the height, the kernel is as high as that, and padding makes three rows of it.
TEST_F(Nn, Im2colWritesAllRowsOfOneDimension) {
  const Tensor self = In(ACL_FLOAT, {1, 1, 4, 9}, Whole(36)), out = Out(ACL_FLOAT, {1, 12, 27});
  Run(NN(Im2col), self, Ints{4, 3}, Ints{1, 1}, Ints{1, 1}, Ints{1, 1}, out);
  EXPECT_EQ(out.Read(), Columns(self, {3, 9}, {{4, 3}, {1, 1}, {1, 1}, {1, 1}}));
}

TEST_F(Nn, UpsampleNearest2dTakesTheElementBelow) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16})
    for (const auto& [h, w] : {std::pair<std::int64_t, std::int64_t>{8, 10}, {3, 3}, {7, 4}})
      for (const Layout layout : kAllLayouts) {
        const Tensor self = In(type, {2, 3, 4, 5}, Whole(120), layout), out = Out(type, {2, 3, h, w}, layout);
        Run(NN(UpsampleNearest2d), self, Ints{h, w}, out);
        EXPECT_EQ(out.Read(), Moved(self.Read(), self.dims(), out.dims(),
                                    [&, h = h, w = w](const Dims& p) {
                                      return Dims{p[0], p[1], p[2] * 4 / h, p[3] * 5 / w};
                                    }))
            << h;
      }
  ExpectRefused(161002, "'outputSize'", NN(UpsampleNearest2d), In(ACL_FLOAT, {1, 1, 2, 2}, Whole(4)), Ints{4},
                Out(ACL_FLOAT, {1, 1, 4, 4}));
}

}  // namespace
}  // namespace nn
