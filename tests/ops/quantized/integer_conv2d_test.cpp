// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Convolutions on blocks of integers against sums by the definition: every way of computing them, sizes that
// fill no block, zero points and results at the ends of their range.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "ops/op_run.h"
#include "ops/quantized/integer_blocks.h"

namespace foothold {
namespace {

struct Case {
  std::int64_t batch, channels, height, width, outs, kernel, stride, pad, groups = 1;
  int zero = 7;
  double scale = 1.0 / 512;
  bool bias = true, residual = false, filter_zero = false, extreme = false;
};

std::vector<double> Bytes(std::size_t count, unsigned seed, bool is_signed, bool extreme) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    const int byte = extreme ? ((seed >> 20) % 2 == 0 ? 0 : 255) : static_cast<int>(seed >> 24);
    values.push_back(byte - (is_signed ? 128 : 0));
  }
  return values;
}

std::size_t Size(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

TensorValue Blocks(const Dims& dims, const std::vector<double>& bytes, DataType type, int zero,
                   std::int64_t lanes, const Ints& pads) {
  return OpRun("BlockIntegers")
      .In("x", Tensor(type, dims, bytes))
      .Attr("lanes", lanes)
      .Attr("zero", std::int64_t{zero})
      .Attr("pads", pads)
      .Out("y")
      .Run();
}

std::vector<double> Planes(const TensorValue& blocks, std::int64_t channels, int zero) {
  return Numbers(OpRun("UnblockIntegers")
                     .In("x", blocks)
                     .Attr("channels", channels)
                     .Attr("zero", std::int64_t{zero})
                     .Out("y")
                     .Run());
}

double Quantized(double value, double low, double high) {
  return std::clamp(std::nearbyint(value), low, high);
}

class Reference {
 public:
  explicit Reference(const Case& test) : c(test) {
    out_height = (c.height + 2 * c.pad - c.kernel) / c.stride + 1;
    out_width = (c.width + 2 * c.pad - c.kernel) / c.stride + 1;
    x = Bytes(Size(c.batch * c.channels * c.height * c.width), 1, false, c.extreme);
    filter = Bytes(Size(c.outs * c.channels / c.groups * c.kernel * c.kernel), 2, true, c.extreme);
    residual = Bytes(Size(c.batch * c.outs * out_height * out_width), 3, false, false);
    for (std::int64_t o = 0; o < c.outs; ++o) {
      bias.push_back(static_cast<double>(o * 37 % 1001 - 500));
      scales.push_back(static_cast<float>(c.scale * static_cast<double>(1 + o % 3)));
      zeros.push_back(static_cast<double>(o % 5 - 2));
    }
  }

  std::vector<double> Run() const {
    std::vector<double> y;
    for (std::int64_t n = 0; n < c.batch; ++n)
      for (std::int64_t o = 0; o < c.outs; ++o)
        for (std::int64_t h = 0; h < out_height; ++h)
          for (std::int64_t w = 0; w < out_width; ++w)
            y.push_back(Finish(Sum(n, o, h, w), o, y.size()));
    return y;
  }

  double Sum(std::int64_t n, std::int64_t o, std::int64_t row, std::int64_t column) const {
    const std::int64_t per = c.channels / c.groups, first = o / (c.outs / c.groups) * per;
    double sum = c.bias ? bias[Size(o)] : 0;
    for (std::int64_t i = 0; i < per; ++i)
      for (std::int64_t y = 0; y < c.kernel; ++y)
        for (std::int64_t z = 0; z < c.kernel; ++z) {
          const std::int64_t h = row * c.stride + y - c.pad, w = column * c.stride + z - c.pad;
          if (h < 0 || w < 0 || h >= c.height || w >= c.width) continue;
          const double a = x[Size(((n * c.channels + first + i) * c.height + h) * c.width + w)] - c.zero;
          const double b = filter[Size(((o * per + i) * c.kernel + y) * c.kernel + z)];
          sum += a * (b - (c.filter_zero ? zeros[Size(o)] : 0));
        }
    return sum;
  }

  // As floats are: one rounding for each operation.
  double Finish(double sum, std::int64_t o, std::size_t place) const {
    const float scaled = static_cast<float>(sum) * static_cast<float>(scales[Size(o)]);
    const double own = Quantized(scaled, -c.zero, 255 - c.zero);
    if (!c.residual) return own + c.zero;
    const float left = static_cast<float>(own) * 0.75f,
                right = static_cast<float>(residual[place] - 3) * 0.3f;
    const float both = left + right;
    return Quantized(both / 0.9f, -c.zero, 255 - c.zero) + c.zero;
  }

  const Case& c;
  std::int64_t out_height, out_width;
  std::vector<double> x, filter, residual, bias, scales, zeros;
};

std::vector<double> Found(const Case& c, const Reference& reference, bool padded) {
  const std::int64_t lanes = padded ? (c.channels + 1) / 2 * 2 : static_cast<std::int64_t>(IntegerBlock());
  const Ints pads(4, c.pad), none(4, 0);
  const Dims image{c.batch, c.channels, c.height, c.width};
  OpRun op("IntegerConv2D");
  op.Late("x", Blocks(image, reference.x, DataType::kUint8, c.zero, lanes, padded ? pads : none));
  op.In("filter",
        Tensor(DataType::kInt8, {c.outs, c.channels / c.groups, c.kernel, c.kernel}, reference.filter));
  op.In("scales", Floats({c.outs}, reference.scales));
  if (c.filter_zero) op.In("filter_zero", Tensor(DataType::kInt8, {c.outs}, reference.zeros));
  if (c.bias) op.In("bias", Int32s({c.outs}, reference.bias));
  if (c.residual)
    op.Late("residual",
            Blocks({c.batch, c.outs, reference.out_height, reference.out_width}, reference.residual,
                   DataType::kUint8, 3, static_cast<std::int64_t>(IntegerBlock()), none));
  op.Attr("strides", Ints{1, 1, c.stride, c.stride}).Attr("pads", padded ? none : pads);
  op.Attr("groups", c.groups).Attr("channels", c.channels).Attr("largest", std::int64_t{255});
  const auto low = static_cast<float>(-c.zero), high = static_cast<float>(255 - c.zero);
  SetLimits(op.node(), {low, high});
  if (c.residual) SetSum(op.node(), {0.75f, 0.3f, 0.9f, low, high});
  return Planes(op.Out("y").Run(), c.outs, c.zero);
}

void Check(const Case& test, bool padded = false) {
  const Reference reference(test);
  EXPECT_EQ(Found(test, reference, padded), reference.Run())
      << test.channels << " to " << test.outs << " channels of " << test.height << "x" << test.width;
}

TEST(IntegerConv2D, SumsExactlyWithOnePixel) {
  Check({1, 64, 7, 9, 48, 1, 1, 0});
  Check({2, 37, 5, 5, 35, 1, 1, 0});
  Check({1, 32, 9, 9, 33, 1, 2, 0});
  Check({1, 2100, 3, 2, 40, 1, 1, 0, 1, 0, 1.0 / 8192});  // longer than what is summed at a time
}

TEST(IntegerConv2D, SumsExactlyWithWindows) {
  Check({1, 33, 9, 11, 20, 5, 1, 2});
  Check({2, 64, 12, 10, 70, 3, 2, 1});
  Check({1, 16, 6, 6, 8, 3, 1, 1});
}

TEST(IntegerConv2D, SumsExactlyByMinimalFiltering) {
  Check({1, 64, 14, 13, 64, 3, 1, 1, 1, 7, 1.0 / 4096});
  Check({2, 96, 17, 28, 80, 3, 1, 1, 1, 0, 1.0 / 4096});
  Check({1, 80, 15, 15, 48, 3, 1, 0, 1, 255, 1.0 / 4096});
  // Sums that only the smaller tiles hold, and some that none does.
  Check({1, 256, 12, 12, 64, 3, 1, 1, 1, 0, 1.0 / 65536, true, false, false, true});
  Check({1, 64, 12, 12, 64, 3, 1, 1, 1, 255, 1.0 / 65536, false, false, false, true});
}

TEST(IntegerConv2D, ReadsFewChannelsWithPadding) {
  Check({1, 3, 15, 14, 24, 7, 2, 3}, true);
  Check({2, 1, 12, 12, 8, 3, 1, 1}, true);
  Check({1, 4, 8, 8, 33, 5, 1, 0}, true);
}

TEST(IntegerConv2D, HasFiltersOfSingleChannels) {
  Check({1, 40, 9, 9, 40, 3, 1, 1, 40, 7, 1.0 / 64});
  Check({2, 32, 8, 7, 32, 3, 2, 1, 32, 0, 1.0 / 64});
  Check({1, 100, 6, 6, 100, 5, 1, 2, 100, 255, 1.0 / 64, false, false, true});
  Check({1, 3, 2, 2, 3, 3, 1, 1, 3, 128, 1.0 / 64, true, false, false, true});
}

TEST(IntegerConv2D, AddsAResidualToWhatItHasRounded) {
  Check({1, 64, 9, 10, 48, 1, 1, 0, 1, 7, 1.0 / 512, true, true});
  Check({1, 48, 13, 14, 64, 3, 1, 1, 1, 0, 1.0 / 4096, true, true});
  Check({1, 48, 13, 14, 40, 3, 2, 1, 1, 255, 1.0 / 4096, true, true});
}

TEST(IntegerConv2D, TakesZeroPointsOfFiltersAway) {
  Check({1, 64, 9, 10, 48, 1, 1, 0, 1, 7, 1.0 / 512, true, false, true});
  Check({1, 64, 13, 14, 64, 3, 1, 1, 1, 0, 1.0 / 4096, true, false, true});
}

TEST(IntegerConv2D, RefusesWhatItCannotRead) {
  OpRun op("IntegerConv2D");
  op.In("x", Tensor(DataType::kUint8, {1, 1, 2, 2}, {1, 2, 3, 4}));
  op.In("filter", Tensor(DataType::kInt8, {1, 1, 1, 1}, {1})).In("scales", Floats({1}, {1})).Out("y");
  EXPECT_THROW(op.Run(), Error);
}

TEST(IntegerBlocks, GoThereAndBack) {
  const auto bytes = Bytes(2 * 35 * 3 * 5, 9, true, false);
  const TensorValue blocks = Blocks({2, 35, 3, 5}, bytes, DataType::kInt8, -128,
                                    static_cast<std::int64_t>(IntegerBlock()), Ints(4, 0));
  const TensorValue planes = OpRun("UnblockIntegers")
                                 .In("x", blocks)
                                 .Attr("channels", std::int64_t{35})
                                 .Attr("zero", std::int64_t{-128})
                                 .Attr("type", static_cast<std::int64_t>(DataType::kInt8))
                                 .Out("y")
                                 .Run();
  EXPECT_EQ(planes.type().type, DataType::kInt8);
  EXPECT_EQ(Numbers(planes), bytes);
}

TEST(IntegerSum, RoundsEachOperationAndSaturates) {
  const Dims dims{1, 40, 3, 3};
  const auto a = Bytes(40 * 9, 4, false, false), b = Bytes(40 * 9, 5, false, true);
  const auto lanes = static_cast<std::int64_t>(IntegerBlock());
  OpRun op("IntegerSum");
  op.In("x1", Blocks(dims, a, DataType::kUint8, 10, lanes, Ints(4, 0)));
  op.In("x2", Blocks(dims, b, DataType::kUint8, 255, lanes, Ints(4, 0)));
  SetSum(op.node(), {0.37f, 1.9f, 0.81f, -100, 155});
  std::vector<double> expected;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const float left = static_cast<float>(a[i] - 10) * 0.37f, right = static_cast<float>(b[i] - 255) * 1.9f;
    const float sum = left + right;
    expected.push_back(Quantized(sum / 0.81f, -100, 155) + 100);
  }
  EXPECT_EQ(Planes(op.Out("y").Run(), 40, 100), expected);
}

TEST(IntegerMean, RoundsTheMeanOfPlanes) {
  const auto bytes = Bytes(33 * 6, 6, false, false);
  OpRun op("IntegerMean");
  op.In("x", Blocks({1, 33, 2, 3}, bytes, DataType::kUint8, 5, static_cast<std::int64_t>(IntegerBlock()),
                    Ints(4, 0)));
  op.Attr("scale", 0.25f);
  SetLimits(op.node(), {-5, 250});
  std::vector<double> expected;
  for (std::size_t c = 0; c < 33; ++c) {
    double sum = 0;
    for (std::size_t i = 0; i < 6; ++i)
      sum += bytes[c * 6 + i] - 5;
    expected.push_back(Quantized(sum * 0.25, -5, 250) + 5);
  }
  EXPECT_EQ(Planes(op.Out("y").Run(), 33, 5), expected);
}

// A pass makes it, but files may hold it with anything in it.
TEST(IntegerConv2D, RefusesNumbersThatDoNotFitItsBlocks) {
  const auto lanes = static_cast<std::int64_t>(IntegerBlock());
  const auto run = [&](std::int64_t channels, std::int64_t zeros, DataType type) {
    const std::vector<double> pixels(Size(lanes * 16), 1), filter(Size(4 * channels), 1);
    OpRun op("IntegerConv2D");
    op.Late("x", Blocks({1, lanes, 4, 4}, pixels, DataType::kUint8, 0, lanes, Ints(4, 0)));
    op.In("filter", Tensor(type, {4, channels, 1, 1}, filter)).In("scales", Floats({4}, {1, 1, 1, 1}));
    op.In("filter_zero", Tensor(DataType::kInt8, {zeros}, std::vector<double>(Size(zeros), 0)));
    op.Attr("strides", Ints{1, 1, 1, 1}).Attr("pads", Ints(4, 0)).Attr("groups", std::int64_t{1});
    op.Attr("channels", channels).Attr("largest", std::int64_t{255});
    SetLimits(op.node(), {0, 255});
    op.Out("y").Run();
  };
  EXPECT_NO_THROW(run(lanes, 4, DataType::kInt8));
  EXPECT_THROW(run(lanes + 1, 4, DataType::kInt8), Error);
  EXPECT_THROW(run(lanes, 3, DataType::kInt8), Error);
  EXPECT_THROW(run(lanes, 4, DataType::kInt32), Error);
}

}  // namespace
}  // namespace foothold
