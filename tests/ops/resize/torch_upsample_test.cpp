// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "ops/data/reference.h"

namespace foothold {
namespace {

struct Case {
  std::string op, gradient;
  Dims in;
  Ints sizes;
  std::vector<float> scales = {};
  bool linear = false, align = false;
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.op << " " << ToString(c.in);
}

// The share of element k in result i along an axis.
double Share(const Case& c, std::size_t axis, std::int64_t i, std::int64_t k) {
  const auto in = static_cast<double>(c.in[axis + 2]), out = static_cast<double>(c.sizes[axis]);
  const double scale =
      c.scales.empty() || c.scales[axis] <= 0 ? in / out : 1 / static_cast<double>(c.scales[axis]);
  const auto at = static_cast<double>(i), element = static_cast<double>(k);
  if (!c.linear) return element == std::min(std::floor(at * scale), in - 1) ? 1 : 0;
  double place =
      c.align ? (out > 1 ? at * (in - 1) / (out - 1) : 0) : std::max((at + 0.5) * scale - 0.5, 0.0);
  place = std::min(place, in - 1);
  return std::max(0.0, 1 - std::abs(place - element));
}

Dims Enlarged(const Case& c) {
  Dims dims{c.in[0], c.in[1]};
  dims.insert(dims.end(), c.sizes.begin(), c.sizes.end());
  return dims;
}

// Every result from every element, or the other way round.
std::vector<double> Reference(const Case& c, const std::vector<double>& from, bool back) {
  const Dims large = Enlarged(c);
  std::vector<double> to(static_cast<std::size_t>(ElementCount(back ? c.in : large)), 0);
  ForIndices(large, [&](const Index& i) {
    ForIndices(c.in, [&](const Index& k) {
      if (i[0] != k[0] || i[1] != k[1]) return;
      double share = 1;
      for (std::size_t axis = 0; axis < c.sizes.size(); ++axis)
        share *= Share(c, axis, i[axis + 2], k[axis + 2]);
      const std::size_t result = Offset(large, i), element = Offset(c.in, k);
      to[back ? element : result] += share * from[back ? result : element];
    });
  });
  return to;
}

OpRun& Describe(OpRun& run, const Case& c) {
  run.Attr("output_size", c.sizes).Attr("scales", c.scales).Attr("align_corners", c.align);
  return run.Attr("mode", std::string(c.linear ? "linear" : "nearest")).Out("y");
}

class TorchUpsample : public testing::TestWithParam<Case> {};

TEST_P(TorchUpsample, TakesWhatPlainLoopsTake) {
  const Case& c = GetParam();
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble}) {
    const TensorValue x = Random(type, c.in, 1);
    OpRun run(c.op);
    const TensorValue y = Describe(run.Late("x", x), c).Run();
    EXPECT_EQ(y.dims(), Enlarged(c));
    ExpectNear(y, Reference(c, Numbers(x), false), type == DataType::kFloat ? 1e-6 : 1e-2);
  }
}

TEST_P(TorchUpsample, GivesGradientsBackInTheSameShares) {
  const Case& c = GetParam();
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kDouble}) {
    const TensorValue grad = Random(type, Enlarged(c), 2);
    OpRun run(c.gradient);
    const TensorValue y = Describe(run.Late("grad_output", grad).Attr("input_size", c.in), c).Run();
    EXPECT_EQ(y.dims(), c.in);
    ExpectNear(y, Reference(c, Numbers(grad), true), type == DataType::kFloat ? 1e-5 : 1e-2);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, TorchUpsample,
    testing::Values(
        Case{"UpsampleNearest1d", "UpsampleNearest1dGrad", {2, 3, 5}, {12}},
        Case{"UpsampleNearest3d", "UpsampleNearest3dGrad", {1, 2, 2, 3, 4}, {4, 3, 9}},
        Case{"UpsampleTrilinear3d", "UpsampleTrilinear3dGrad", {1, 2, 2, 3, 4}, {4, 3, 9}, {}, true},
        Case{"UpsampleTrilinear3d", "UpsampleTrilinear3dGrad", {1, 1, 2, 3, 4}, {3, 1, 5}, {}, true, true},
        Case{"AclnnUpsample", "AclnnUpsampleGrad", {1, 2, 4, 5}, {8, 3}},
        Case{"AclnnUpsample", "AclnnUpsampleGrad", {1, 2, 4, 5}, {8, 9}, {2, 2}},
        Case{"AclnnUpsample", "AclnnUpsampleGrad", {2, 2, 7}, {16}, {}, true},
        Case{"AclnnUpsample", "AclnnUpsampleGrad", {2, 2, 7}, {16}, {2.5f}, true},
        Case{"AclnnUpsample", "AclnnUpsampleGrad", {1, 2, 4, 5}, {9, 3}, {0, 0}, true, true}));

TEST(TorchUpsample, FindsSizesFromScales) {
  OpRun run("UpsampleNearest1d");
  run.Late("x", Floats({1, 1, 3}, {1, 2, 3})).Attr("scales", std::vector<float>{1.5f}).Out("y");
  ExpectNear(run.Run(), {1, 1, 2, 3});
}

TEST(TorchUpsample, RefusesWhatDoesNotFit) {
  const auto run = [](const Dims& x, const Ints& sizes, const std::vector<float>& scales) {
    OpRun op("AclnnUpsample");
    op.Late("x", Random(DataType::kFloat, x, 1)).Attr("output_size", sizes).Attr("scales", scales);
    return op.Out("y").Run();
  };
  EXPECT_THROW(run({1, 1}, {}, {}), Error);
  EXPECT_THROW(run({1, 1, 2}, {2, 2}, {}), Error);
  EXPECT_THROW(run({1, 1, 2}, {0}, {}), Error);
  EXPECT_THROW(run({1, 1, 2}, {}, {}), Error);
  EXPECT_THROW(run({1, 1, 2}, {2}, {1, 1}), Error);
  OpRun mode("AclnnUpsample");
  mode.Late("x", Floats({1, 1, 1}, {1}))
      .Attr("output_size", Ints{2})
      .Attr("mode", std::string("quintic"))
      .Out("y");
  EXPECT_THROW(mode.Run(), Error);
  OpRun gradient("AclnnUpsampleGrad");
  gradient.Late("grad_output", Floats({1, 1, 3}, {1, 2, 3})).Attr("input_size", Ints{1, 1, 2});
  EXPECT_THROW(gradient.Attr("output_size", Ints{4}).Out("y").Run(), Error);
}

// The gradient is the transposed resizing: <grad, resize(x)> = <gradient(grad), x>.
TEST(ResizeBilinearV2Grad, IsTheResizingTransposed) {
  for (const bool align : {false, true})
    for (const bool half : {false, true}) {
      if (align && half) continue;
      const TensorValue x = Random(DataType::kFloat, {2, 3, 4, 5}, 1, Format::kNchw);
      const TensorValue grad = Random(DataType::kFloat, {2, 3, 7, 3}, 2, Format::kNchw);
      OpRun forward("ResizeBilinearV2");
      forward.Late("x", x).In("size", Int32s({2}, {7, 3})).Attr("align_corners", align);
      const auto y = Numbers(forward.Attr("half_pixel_centers", half).Out("y").Run());
      OpRun back("ResizeBilinearV2Grad");
      back.Late("grads", grad).Late("original_image", x).Attr("align_corners", align);
      const TensorValue found = back.Attr("half_pixel_centers", half).Out("y").Run();
      EXPECT_EQ(found.dims(), x.dims());
      double there = 0, again = 0;
      for (std::size_t i = 0; i < y.size(); ++i)
        there += y[i] * Numbers(grad)[i];
      for (std::size_t i = 0; i < Numbers(x).size(); ++i)
        again += Numbers(found)[i] * Numbers(x)[i];
      EXPECT_NEAR(there, again, 1e-5);
    }
}

TEST(ResizeBilinearV2Grad, SharesEveryGradientOut) {
  OpRun run("ResizeBilinearV2Grad");
  run.Late("grads", Floats({1, 1, 1, 4}, {1, 2, 3, 4}, Format::kNchw));
  run.Late("original_image", Floats({1, 1, 1, 2}, {0, 0}, Format::kNchw)).Out("y");
  ExpectNear(run.Run(), {2, 8});
  OpRun other("ResizeBilinearV2Grad");
  other.Late("grads", Floats({1, 2, 1, 1}, {1, 2}, Format::kNchw));
  other.Late("original_image", Floats({1, 1, 1, 2}, {0, 0}, Format::kNchw)).Out("y");
  EXPECT_THROW(other.Run(), Error);
}

}  // namespace
}  // namespace foothold
