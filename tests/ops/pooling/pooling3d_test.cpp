// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "ops/window/volume_reference.h"

namespace foothold {
namespace {

struct Case {
  Dims x;  // N C D H W
  Ints kernel, strides, pads;
  bool ceil = false, count_padding = true;
  std::int64_t divisor = 0;
  Format format = Format::kNcdhw;
  DataType type = DataType::kFloat;
};

Dims OutDims(const Case& c) {
  Dims out{c.x[0], c.x[1], 0, 0, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    const double steps = static_cast<double>(c.x[i + 2] + c.pads[2 * i] + c.pads[2 * i + 1] - c.kernel[i]) /
                         static_cast<double>(c.strides[i]);
    out[i + 2] = static_cast<std::int64_t>(c.ceil ? std::ceil(steps) : std::floor(steps)) + 1;
  }
  return out;
}

std::vector<double> Pooled(const Case& c, const std::vector<double>& x, bool max) {
  std::vector<double> result;
  ForIndices(OutDims(c), [&](const Index& y) {
    double best = -std::numeric_limits<double>::infinity(), sum = 0, inside = 0, counted = 0;
    ForIndices(Dims(c.kernel.begin(), c.kernel.end()), [&](const Index& k) {
      Index at{y[0], y[1], 0, 0, 0};
      bool in = true, in_padding = true;
      for (std::size_t i = 0; i < 3; ++i) {
        at[i + 2] = y[i + 2] * c.strides[i] - c.pads[2 * i] + k[i];
        in = in && at[i + 2] >= 0 && at[i + 2] < c.x[i + 2];
        in_padding = in_padding && at[i + 2] < c.x[i + 2] + c.pads[2 * i + 1];
      }
      if (in_padding) ++counted;
      if (!in) return;
      ++inside;
      best = std::max(best, x[Offset(c.x, at)]);
      sum += x[Offset(c.x, at)];
    });
    const double count = c.divisor != 0 ? static_cast<double>(c.divisor) : c.count_padding ? counted : inside;
    result.push_back(max ? best : sum / std::max(1.0, count));
  });
  return result;
}

class Pooling3D : public testing::TestWithParam<Case> {};

TEST_P(Pooling3D, EqualsItsDefinition) {
  const Case& c = GetParam();
  const TensorValue x = Random(c.type, VolumeDimsIn(c.format, c.x), 5, c.format);
  const Dims out = OutDims(c);
  for (const char* type : {"MaxPool3D", "AvgPool3D", "AvgPool3DD"}) {
    const bool max = std::string(type) == "MaxPool3D";
    OpRun run(type);
    run.Late("x", x)
        .Attr("ksize", SpaceList(c.format, c.kernel))
        .Attr("strides", SpaceList(c.format, c.strides));
    run.Attr("pads", c.pads).Attr("count_include_pad", c.count_padding).Attr("divisor_override", c.divisor);
    if (max)
      run.Attr("padding", std::string("CALCULATED")).Attr("ceil_mode", std::int64_t{c.ceil});
    else
      run.Attr("ceil_mode", c.ceil);
    const TensorValue y = run.Out("y").Run();
    EXPECT_EQ(y.dims(), VolumeDimsIn(c.format, out)) << type;
    const double tolerance = c.type == DataType::kFloat16    ? 2e-3
                             : c.type == DataType::kBfloat16 ? 1e-2
                                                             : 1e-5;
    ExpectNear(y, VolumeInFormat(Pooled(c, VolumeByMeaning(x, c.format), max), out, c.format), tolerance);
  }
}

constexpr Format kPlanes = Format::kNcdhw, kLast = Format::kNdhwc;

INSTANTIATE_TEST_SUITE_P(
    Shapes, Pooling3D,
    testing::Values(Case{{1, 1, 1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0, 0, 0, 0}},
                    Case{{2, 3, 5, 6, 7}, {3, 3, 3}, {2, 2, 2}, {1, 1, 1, 1, 1, 1}},
                    Case{{2, 3, 5, 6, 7}, {1, 2, 3}, {1, 2, 1}, {0, 0, 0, 1, 1, 1}, false, false},
                    Case{{2, 3, 5, 6, 7}, {2, 3, 2}, {2, 2, 3}, {0, 1, 1, 0, 1, 1}, true, true},
                    Case{{2, 3, 5, 6, 7}, {2, 3, 2}, {2, 2, 3}, {0, 1, 1, 0, 1, 1}, true, false, 0, kLast},
                    Case{{1, 3, 4, 4, 4}, {2, 2, 2}, {2, 2, 2}, {1, 1, 0, 0, 0, 0}, false, true, 3, kLast},
                    Case{{1, 2, 4, 4, 4},
                         {3, 2, 2},
                         {1, 2, 2},
                         {1, 1, 0, 0, 0, 0},
                         false,
                         true,
                         0,
                         kPlanes,
                         DataType::kFloat16},
                    Case{{1, 2, 4, 4, 4},
                         {3, 2, 2},
                         {1, 2, 2},
                         {1, 1, 0, 0, 0, 0},
                         false,
                         true,
                         0,
                         kPlanes,
                         DataType::kBfloat16},
                    Case{{1, 2, 4, 4, 4},
                         {3, 2, 2},
                         {1, 2, 2},
                         {1, 1, 0, 0, 0, 0},
                         false,
                         false,
                         0,
                         kLast,
                         DataType::kDouble}));

TEST(MaxPool3DOp, TakesIntegersAndTextsForPadding) {
  OpRun run("MaxPool3D");
  run.Late("x", Tensor(DataType::kInt8, {1, 1, 3, 1, 1}, {-5, 4, -9}, kPlanes));
  run.Attr("ksize", Ints{2, 1, 1}).Attr("strides", Ints{2, 1, 1}).Attr("padding", std::string("SAME"));
  ExpectNear(run.Out("y").Run(), {4, -9});
}

TEST(MaxPool3DOp, LeavesGapsWhereDilated) {
  OpRun run("MaxPool3D");
  run.Late("x", Floats({1, 1, 4, 1, 1}, {1, 9, 2, 3}, kPlanes)).Attr("ksize", Ints{2, 1, 1});
  run.Attr("strides", Ints{1}).Attr("padding", std::string("VALID")).Attr("dilation", Ints{1, 1, 2, 1, 1});
  ExpectNear(run.Out("y").Run(), {2, 9});
}

TEST(AvgPool3DOp, RefusesWhatCannotBe) {
  const auto pool = [](const Ints& kernel, const Ints& strides, const Ints& pads, DataType type) {
    OpRun run("AvgPool3D");
    run.Late("x", Tensor(type, {1, 1, 2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}, kPlanes));
    return run.Attr("ksize", kernel).Attr("strides", strides).Attr("pads", pads).Out("y").Run();
  };
  ExpectNear(pool({2}, {1}, {0, 0, 0, 0, 0, 0}, DataType::kFloat), {4.5});
  EXPECT_THROW(pool({3}, {1}, {0, 0, 0, 0, 0, 0}, DataType::kFloat), Error);
  EXPECT_THROW(pool({2, 2}, {1}, {0, 0, 0, 0, 0, 0}, DataType::kFloat), Error);
  EXPECT_THROW(pool({2}, {0}, {0, 0, 0, 0, 0, 0}, DataType::kFloat), Error);
  EXPECT_THROW(pool({2}, {1}, {0, 0}, DataType::kFloat), Error);
  EXPECT_THROW(pool({2}, {1}, {0, 0, 0, 0, 0, 0}, DataType::kInt32), Error);
}

}  // namespace
}  // namespace foothold
