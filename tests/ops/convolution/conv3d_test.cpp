// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "ops/window/volume_reference.h"

namespace foothold {
namespace {

struct Case {
  Dims x;       // N C D H W
  Dims filter;  // out, in of a group, D H W
  Ints strides, dilations, pads;
  std::int64_t groups = 1;
  Format format = Format::kNcdhw, filter_format = Format::kNcdhw;
  DataType type = DataType::kFloat;
  bool late = false;  // the filter comes with the run
};

Dims OutDims(const Case& c) {
  Dims out{c.x[0], c.filter[0], 0, 0, 0};
  for (std::size_t i = 0; i < 3; ++i)
    out[i + 2] =
        (c.x[i + 2] + c.pads[2 * i] + c.pads[2 * i + 1] - c.dilations[i] * (c.filter[i + 2] - 1) - 1) /
            c.strides[i] +
        1;
  return out;
}

// Calls visit(x, filter, y) with the flat places of the factors and the sum of every product.
template <typename Visit>
void ForEachProduct(const Case& c, Visit&& visit) {
  const Dims out = OutDims(c);
  const std::int64_t group_out = c.filter[0] / c.groups;
  ForIndices(out, [&](const Index& y) {
    ForIndices({c.filter[1], c.filter[2], c.filter[3], c.filter[4]}, [&](const Index& k) {
      Index x{y[0], y[1] / group_out * c.filter[1] + k[0], 0, 0, 0};
      for (std::size_t i = 0; i < 3; ++i) {
        x[i + 2] = y[i + 2] * c.strides[i] - c.pads[2 * i] + k[i + 1] * c.dilations[i];
        if (x[i + 2] < 0 || x[i + 2] >= c.x[i + 2]) return;
      }
      visit(Offset(c.x, x), Offset(c.filter, {y[1], k[0], k[1], k[2], k[3]}), Offset(out, y));
    });
  });
}

double Tolerance(DataType type) {
  if (type == DataType::kFloat16) return 4e-3;
  if (type == DataType::kBfloat16) return 2e-2;
  return 1e-5;
}

class Conv3D : public testing::TestWithParam<Case> {
 protected:
  void Configure(OpRun& run) const {
    const Case& c = GetParam();
    run.Attr("strides", SpaceList(c.format, c.strides)).Attr("dilations", SpaceList(c.format, c.dilations));
    run.Attr("pads", c.pads).Attr("groups", c.groups);
  }
  void AddFilter(OpRun& run, const TensorValue& filter) const {
    if (GetParam().late)
      run.Late("filter", filter);
    else
      run.In("filter", filter);
  }
  static DataType BiasType() {
    return GetParam().type == DataType::kInt8 ? DataType::kInt32 : GetParam().type;
  }
  TensorValue FilterValue(unsigned seed) const {
    const Case& c = GetParam();
    return Values(VolumeDimsIn(c.filter_format, c.filter), seed, c.filter_format);
  }
  static TensorValue Values(const Dims& dims, unsigned seed, Format format) {
    const Case& c = GetParam();
    if (c.type != DataType::kInt8) return Random(c.type, dims, seed, format);
    std::vector<double> numbers = Numbers(Random(DataType::kFloat, dims, seed));
    for (double& number : numbers)
      number = std::floor(number * 20);
    return Tensor(c.type, dims, numbers, format);
  }
};

TEST_P(Conv3D, EqualsItsDefinition) {
  const Case& c = GetParam();
  const TensorValue x = Values(VolumeDimsIn(c.format, c.x), 1, c.format), filter = FilterValue(2);
  std::vector<double> bias(static_cast<std::size_t>(c.filter[0]));
  for (std::size_t i = 0; i < bias.size(); ++i)
    bias[i] = static_cast<double>(i) - 1;
  const Dims out = OutDims(c);
  std::vector<double> expected(static_cast<std::size_t>(ElementCount(out)));
  for (std::size_t i = 0; i < expected.size(); ++i)
    expected[i] = bias[i / static_cast<std::size_t>(out[2] * out[3] * out[4]) % bias.size()];
  const auto xs = VolumeByMeaning(x, c.format), weights = VolumeByMeaning(filter, c.filter_format);
  ForEachProduct(c, [&](auto i, auto w, auto o) { expected[o] += xs[i] * weights[w]; });

  OpRun run("Conv3D");
  run.Late("x", x);
  AddFilter(run, filter);
  run.Late("bias", Tensor(BiasType(), {c.filter[0]}, bias));
  Configure(run);
  const TensorValue y = run.Out("y").Run();
  EXPECT_EQ(y.dims(), VolumeDimsIn(c.format, out));
  ExpectNear(y, VolumeInFormat(expected, out, c.format), Tolerance(c.type));
}

TEST_P(Conv3D, IsTransposedByConv3DTranspose) {
  const Case& c = GetParam();
  const Dims out = OutDims(c);
  const TensorValue given = Values(VolumeDimsIn(c.format, out), 3, c.format), filter = FilterValue(4);
  std::vector<double> expected(static_cast<std::size_t>(ElementCount(c.x)), 0.5);
  if (c.type == DataType::kInt8) std::fill(expected.begin(), expected.end(), 2.0);
  const TensorValue bias =
      Tensor(BiasType(), {c.x[1]}, std::vector<double>(static_cast<std::size_t>(c.x[1]), expected[0]));
  const auto gs = VolumeByMeaning(given, c.format), weights = VolumeByMeaning(filter, c.filter_format);
  ForEachProduct(c, [&](auto i, auto w, auto o) { expected[i] += gs[o] * weights[w]; });

  for (const char* type : {"Conv3DTranspose", "Conv3DTransposeD"}) {
    OpRun run(type);
    const Dims size = VolumeDimsIn(c.format, c.x);
    if (std::string(type) == "Conv3DTranspose")
      run.In("input_size", List(size));
    else
      run.Attr("input_size", size);
    run.Late("x", given);
    AddFilter(run, filter);
    run.Late("bias", bias);
    Configure(run);
    const TensorValue y = run.Out("y").Run();
    EXPECT_EQ(y.dims(), size);
    ExpectNear(y, VolumeInFormat(expected, c.x, c.format), Tolerance(c.type));
  }
}

constexpr Format kPlanes = Format::kNcdhw, kLast = Format::kNdhwc;

INSTANTIATE_TEST_SUITE_P(
    Shapes, Conv3D,
    testing::Values(
        Case{{1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {0, 0, 0, 0, 0, 0}},
        Case{{2, 3, 5, 6, 7}, {4, 3, 3, 3, 3}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1, 1, 1, 1}},
        Case{{2, 4, 7, 6, 5}, {6, 2, 3, 2, 1}, {2, 1, 2}, {2, 1, 1}, {2, 1, 0, 1, 1, 0}, 2, kPlanes, kDhwcn},
        Case{{2, 4, 7, 6, 5}, {6, 2, 3, 2, 1}, {2, 1, 2}, {2, 1, 1}, {2, 1, 0, 1, 1, 0}, 2, kLast, kDhwcn},
        Case{{1, 3, 4, 5, 6}, {5, 3, 2, 3, 2}, {1, 2, 1}, {1, 1, 2}, {0, 1, 1, 1, 0, 0}, 1, kLast, kLast},
        Case{{1, 4, 4, 4, 4}, {4, 1, 3, 3, 3}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1, 1, 1, 1}, 4},
        Case{{2, 3, 5, 4, 4},
             {4, 3, 2, 3, 3},
             {2, 2, 2},
             {1, 1, 1},
             {0, 0, 1, 1, 1, 1},
             1,
             kLast,
             kPlanes,
             DataType::kFloat,
             true},
        Case{{1, 3, 5, 4, 4},
             {4, 3, 2, 3, 3},
             {1, 1, 1},
             {1, 1, 1},
             {1, 0, 1, 1, 1, 1},
             1,
             kPlanes,
             kDhwcn,
             DataType::kFloat16},
        Case{{1, 3, 5, 4, 4},
             {4, 3, 2, 3, 3},
             {1, 1, 1},
             {1, 1, 1},
             {1, 0, 1, 1, 1, 1},
             1,
             kPlanes,
             kPlanes,
             DataType::kBfloat16,
             true},
        Case{{1, 3, 5, 4, 4},
             {4, 3, 2, 3, 3},
             {1, 1, 1},
             {1, 1, 1},
             {1, 0, 1, 1, 1, 1},
             1,
             kLast,
             kDhwcn,
             DataType::kDouble},
        Case{{1, 2, 5, 4, 4},
             {3, 2, 2, 3, 3},
             {1, 2, 1},
             {1, 1, 1},
             {1, 0, 1, 1, 1, 1},
             1,
             kPlanes,
             kPlanes,
             DataType::kInt8,
             true}));

TEST(Conv3DOp, TakesTheOffsetOfQuantisedDataNowhereFromThePadding) {
  OpRun run("Conv3D");
  run.Late("x", Tensor(DataType::kInt8, {1, 1, 1, 1, 1}, {7}, kPlanes));
  run.In("filter", Tensor(DataType::kInt8, {1, 1, 3, 1, 1}, {10, 1, 100}, kPlanes));
  run.Attr("strides", Ints{1, 1, 1, 1, 1})
      .Attr("pads", Ints{1, 1, 0, 0, 0, 0})
      .Attr("offset_x", std::int64_t{5});
  ExpectNear(run.Out("y").Run(), {2});
}

TEST(Conv3DOp, PadsAsTheTextSays) {
  for (const auto& [text, depth] : {std::pair{"SAME_UPPER", 3}, {"SAME_LOWER", 3}, {"VALID", 2}}) {
    OpRun run("Conv3D");
    run.Late("x", Random(DataType::kFloat, {1, 1, 5, 3, 3}, 1, kPlanes));
    run.In("filter", Random(DataType::kFloat, {1, 1, 3, 1, 1}, 2, kPlanes));
    run.Attr("strides", Ints{1, 1, 2, 1, 1}).Attr("auto_pad", std::string(text));
    EXPECT_EQ(run.Out("y").Run().dims(), (Dims{1, 1, depth, 3, 3})) << text;
  }
}

TEST(Conv3DTransposeOp, FindsItsSizeWithOutputPadding) {
  OpRun run("Conv3DTranspose");
  run.In("input_size", List({0, 0, 0, 0, 0}));
  run.Late("x", Floats({1, 1, 2, 1, 1}, {1, 2}, kPlanes));
  run.In("filter", Floats({1, 1, 2, 1, 1}, {3, 4}, kPlanes));
  run.Attr("strides", Ints{1, 1, 2, 1, 1}).Attr("pads", Ints{0, 0, 0, 0, 0, 0});
  run.Attr("output_padding", Ints{0, 0, 1, 0, 0});
  const TensorValue y = run.Out("y").Run();
  EXPECT_EQ(y.dims(), (Dims{1, 1, 5, 1, 1}));
  ExpectNear(y, {3, 4, 6, 8, 0});
}

struct Wrong {
  Dims x, filter;
  Ints strides, pads;
  std::int64_t groups;
};

class WrongConv3D : public testing::TestWithParam<Wrong> {};

TEST_P(WrongConv3D, IsRefused) {
  const Wrong& wrong = GetParam();
  OpRun run("Conv3D");
  run.Late("x", Random(DataType::kFloat, wrong.x, 1, kPlanes));
  run.In("filter", Random(DataType::kFloat, wrong.filter, 2, kPlanes));
  run.Attr("strides", wrong.strides).Attr("pads", wrong.pads).Attr("groups", wrong.groups);
  EXPECT_THROW(run.Out("y").Run(), Error);
}

INSTANTIATE_TEST_SUITE_P(
    Arguments, WrongConv3D,
    testing::Values(Wrong{{1, 1, 3, 3}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0}, 1},
                    Wrong{{1, 1, 3, 3, 3}, {1, 1, 1, 1}, {1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0}, 1},
                    Wrong{{1, 1, 3, 3, 3}, {1, 1, 4, 1, 1}, {1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0}, 1},
                    Wrong{{1, 1, 3, 3, 3}, {1, 1, 1, 1, 1}, {1, 1, 0, 1, 1}, {0, 0, 0, 0, 0, 0}, 1},
                    Wrong{{1, 1, 3, 3, 3}, {1, 1, 1, 1, 1}, {1, 1, 1, 1}, {0, 0, 0, 0, 0, 0}, 1},
                    Wrong{{1, 1, 3, 3, 3}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {0, 0, 0, 0}, 1},
                    Wrong{{1, 1, 3, 3, 3}, {1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}, {0, 0, 0, 0, -1, 0}, 1},
                    Wrong{{1, 4, 3, 3, 3}, {4, 3, 1, 1, 1}, {1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0}, 1},
                    Wrong{{1, 4, 3, 3, 3}, {3, 2, 1, 1, 1}, {1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0}, 2}));

}  // namespace
}  // namespace foothold
