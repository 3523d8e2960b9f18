// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "ops/data/reference.h"

namespace foothold {
namespace {

struct Case {
  std::string coordinates, mode;
  Dims in, out;
  std::string nearest = "round_prefer_floor";
  double a = -0.75;
  bool exclude = false;
  DataType type = DataType::kFloat;
};

double Coordinate(const Case& c, std::size_t axis, std::int64_t i) {
  const auto x = static_cast<double>(i), in = static_cast<double>(c.in[axis]);
  const auto out = static_cast<double>(c.out[axis]);
  if (c.coordinates == "half_pixel") return (x + 0.5) * in / out - 0.5;
  if (c.coordinates == "pytorch_half_pixel") return out > 1 ? (x + 0.5) * in / out - 0.5 : 0;
  if (c.coordinates == "align_corners") return out > 1 ? x * (in - 1) / (out - 1) : 0;
  if (c.coordinates == "tf_half_pixel_for_nn") return (x + 0.5) * in / out;
  return x * in / out;
}

// The share of an element in a result, by their distance.
double Weight(const Case& c, double distance) {
  const double x = std::abs(distance);
  if (c.mode == "linear") return std::max(0.0, 1 - x);
  if (x < 1) return (c.a + 2) * x * x * x - (c.a + 3) * x * x + 1;
  return x < 2 ? c.a * (x * x * x - 5 * x * x + 8 * x - 4) : 0;
}

std::vector<double> Shares(const Case& c, std::size_t axis, std::int64_t i) {
  std::vector<double> shares(static_cast<std::size_t>(c.in[axis]), 0.0);
  const double at = Coordinate(c, axis, i), last = static_cast<double>(shares.size()) - 1;
  const auto inside = [&](double place) { return static_cast<std::size_t>(std::clamp(place, 0.0, last)); };
  if (c.mode == "nearest") {
    const double place = c.nearest == "floor"                ? std::floor(at)
                         : c.nearest == "ceil"               ? std::ceil(at)
                         : c.nearest == "round_prefer_floor" ? std::ceil(at - 0.5)
                                                             : std::floor(at + 0.5);
    shares[inside(place)] = 1;
    return shares;
  }
  double sum = 0;
  for (double place = std::floor(at) - 1; place <= std::floor(at) + 2; ++place) {
    if (c.exclude && (place < 0 || place > last)) continue;
    shares[inside(place)] += Weight(c, at - place);
    sum += Weight(c, at - place);
  }
  for (double& share : shares)
    share /= sum;
  return shares;
}

std::vector<double> Resized(const Case& c, const std::vector<double>& x) {
  std::vector<double> result;
  ForIndices(c.out, [&](const Index& to) {
    std::vector<std::vector<double>> shares;
    for (std::size_t i = 0; i < to.size(); ++i)
      shares.push_back(Shares(c, i, to[i]));
    double sum = 0;
    ForIndices(c.in, [&](const Index& from) {
      double share = 1;
      for (std::size_t i = 0; i < from.size(); ++i)
        share *= shares[i][static_cast<std::size_t>(from[i])];
      sum += share * x[Offset(c.in, from)];
    });
    result.push_back(sum);
  });
  return result;
}

class ResizeModes : public testing::TestWithParam<Case> {};

TEST_P(ResizeModes, EqualTheirDefinition) {
  const Case& c = GetParam();
  const TensorValue x = Random(c.type, c.in, 7);
  OpRun run("Resize");
  run.Late("x", x).NoInput("roi").NoInput("scales").In("sizes", List(c.out));
  run.Attr("coordinate_transformation_mode", c.coordinates)
      .Attr("mode", c.mode)
      .Attr("nearest_mode", c.nearest);
  run.Attr("cubic_coeff_a", static_cast<float>(c.a)).Attr("exclude_outside", std::int64_t{c.exclude});
  const TensorValue y = run.Out("y").Run();
  EXPECT_EQ(y.dims(), c.out);
  ExpectNear(y, Resized(c, Numbers(x)),
             c.type == DataType::kFloat16    ? 2e-3
             : c.type == DataType::kBfloat16 ? 1e-2
                                             : 1e-5);
}

std::vector<Case> Cases() {
  std::vector<Case> cases;
  for (const char* coordinates : {"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric"})
    for (const char* mode : {"linear", "cubic"})
      for (const Dims& out : {Dims{2, 3, 8, 5}, Dims{2, 3, 2, 1}, Dims{1, 4, 4, 4}})
        cases.push_back({coordinates, mode, {2, 3, 4, 5}, out});
  for (const char* nearest : {"floor", "ceil", "round_prefer_floor", "round_prefer_ceil"})
    for (const char* coordinates : {"half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn"})
      cases.push_back({coordinates, "nearest", {3, 4}, {6, 10}, nearest});
  cases.push_back({"half_pixel", "cubic", {1, 1, 4, 4}, {1, 1, 8, 3}, "floor", -0.5, true});
  cases.push_back({"asymmetric", "linear", {5}, {3}});
  cases.push_back({"half_pixel", "linear", {2, 1, 2, 3, 2}, {2, 1, 3, 5, 4}});
  for (const DataType type : {DataType::kFloat16, DataType::kBfloat16, DataType::kDouble})
    cases.push_back({"half_pixel", "linear", {1, 2, 3, 4}, {1, 2, 6, 6}, "floor", -0.75, false, type});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(All, ResizeModes, testing::ValuesIn(Cases()));

// Lengths asked for with scales need not be whole; corners are aligned to them all the same.
TEST(Resize, TakesScalesAsTheyAre) {
  const auto resize = [](const std::string& coordinates, std::vector<double> scales) {
    OpRun run("Resize");
    run.Late("x", Floats({1, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8}))
        .NoInput("roi")
        .In("scales", Floats({4}, scales));
    run.NoInput("sizes").Attr("mode", std::string("linear"));
    return run.Attr("coordinate_transformation_mode", coordinates).Out("y").Run();
  };
  const TensorValue y = resize("half_pixel", {1, 1, 0.6, 0.6});
  EXPECT_EQ(y.dims(), (Dims{1, 1, 1, 2}));
  ExpectNear(y, {2.6666665, 4.3333331}, 1e-5);
  ExpectNear(resize("align_corners", {1, 1, 0.6, 0.6}), {1, 3.142857}, 1e-5);
  EXPECT_THROW(resize("half_pixel", {1, 1, 0, 1}), Error);
  EXPECT_THROW(resize("half_pixel", {1, 1, -1, 1}), Error);
  EXPECT_THROW(resize("half_pixel", {1, 1, 1e12, 1}), Error);
  EXPECT_THROW(resize("somewhere", {1, 1, 2, 1}), Error);
}

TEST(Resize, CropsAndFillsWhatIsOutside) {
  for (const char* mode : {"linear", "nearest"}) {
    OpRun run("Resize");
    run.Late("x", Floats({1, 4}, {10, 20, 30, 40})).In("roi", Floats({4}, {0, 1.0 / 3, 1, 5.0 / 3}));
    run.NoInput("scales").In("sizes", List({1, 3})).Attr("mode", std::string(mode));
    run.Attr("coordinate_transformation_mode", std::string("tf_crop_and_resize"))
        .Attr("extrapolation_value", 7.0f);
    ExpectNear(run.Out("y").Run(), {20, 40, 7}, 1e-5);
  }
}

TEST(Resize, NamesAxesAsNewerOpsetsDo) {
  OpRun run("Resize");
  run.Late("x", Floats({2, 2}, {1, 2, 3, 4})).NoInput("roi").NoInput("scales").In("sizes", List({4}));
  run.Attr("axes", Ints{-1}).Attr("coordinate_transformation_mode", std::string("asymmetric"));
  const TensorValue y = run.Attr("nearest_mode", std::string("floor")).Out("y").Run();
  EXPECT_EQ(y.dims(), (Dims{2, 4}));
  ExpectNear(y, {1, 1, 2, 2, 3, 3, 4, 4});
}

TEST(Resize, RoundsIntegersAndKeepsThemInRange) {
  const auto resize = [](DataType type, const char* mode) {
    OpRun run("Resize");
    run.Late("x", Tensor(type, {4}, {0, 100, 100, 1}))
        .NoInput("roi")
        .NoInput("scales")
        .In("sizes", List({8}));
    return run.Attr("mode", std::string(mode)).Out("y").Run();
  };
  for (const DataType type : {DataType::kInt8, DataType::kUint8, DataType::kInt32, DataType::kInt64}) {
    ExpectNear(resize(type, "linear"), {0, 25, 75, 100, 100, 75, 26, 1});
    ExpectNear(resize(type, "nearest"), {0, 0, 100, 100, 100, 100, 1, 1});
  }
  EXPECT_EQ(Numbers(resize(DataType::kUint8, "cubic"))[0], 0);  // a cubic goes below what it passes through
}

TEST(Resize, RefusesWhatCannotBe) {
  const auto resize = [](const Dims& x, const Ints& sizes, const Attributes& others) {
    OpRun run("Resize");
    run.Late("x", Random(DataType::kFloat, x, 1)).NoInput("roi").NoInput("scales").In("sizes", List(sizes));
    for (const auto& [name, value] : others)
      run.Attr(name, value);
    return run.Out("y").Run();
  };
  EXPECT_EQ(resize({2, 0}, {3, 0}, {}).dims(), (Dims{3, 0}));
  EXPECT_THROW(resize({2, 2}, {3, 3, 3}, {}), Error);
  EXPECT_THROW(resize({2, 2}, {-1, 3}, {}), Error);
  EXPECT_THROW(resize({2, 0}, {3, 1}, {}), Error);
  EXPECT_THROW(resize({2, 2}, {4, 4}, {{"mode", std::string("quintic")}}), Error);
  EXPECT_THROW(resize({2, 2}, {4, 4}, {{"nearest_mode", std::string("far")}}), Error);
  EXPECT_THROW(resize({2, 2}, {4, 4}, {{"antialias", std::int64_t{1}}}), Error);
  EXPECT_THROW(
      resize({2, 2}, {4, 4}, {{"coordinate_transformation_mode", std::string("tf_crop_and_resize")}}), Error);
  EXPECT_THROW(OpRun("Resize").Late("x", Floats({2}, {1, 2})).Out("y").Run(), Error);
}

TEST(ResizeD, HasItsSizesAsAttributesOfTheSpaceOrOfAllDimensions) {
  for (const Ints& sizes : {Ints{1, 4}, Ints{1, 1, 1, 4}}) {
    OpRun run("ResizeD");
    run.Late("x", Floats({1, 1, 1, 2}, {1, 2}, Format::kNchw))
        .Attr("sizes", sizes)
        .Attr("mode", std::string("linear"));
    ExpectNear(run.Out("y").Run(), {1, 1.25, 1.75, 2});
  }
}

TensorValue ResizeImages(const char* type, const TensorValue& x, const Ints& size, bool corners, bool half) {
  return OpRun(type)
      .Late("images", x)
      .In("size", List(size))
      .Attr("align_corners", corners)
      .Attr("half_pixel_centers", half)
      .Out("y")
      .Run();
}

TEST(ResizeBicubic, IsSteepWithoutHalfPixelsAndLeavesOutTheOutsideWithThem) {
  const TensorValue x = Floats({1, 1, 4, 1}, {1, 2, 4, 8});
  // Between two elements a cubic of -0.75 has the shares -0.09375, 0.59375, 0.59375, -0.09375.
  const std::vector<double> steep = Numbers(ResizeImages("ResizeBicubic", x, {1, 8}, false, false));
  EXPECT_NEAR(steep[3], -0.09375 * 1 + 0.59375 * 2 + 0.59375 * 4 - 0.09375 * 8, 1e-5);
  EXPECT_NEAR(steep[1], -0.09375 * 1 + 0.59375 * 1 + 0.59375 * 2 - 0.09375 * 4, 1e-5);
  ExpectNear(ResizeImages("ResizeBicubic", x, {1, 4}, true, false), {1, 2, 4, 8});
  const std::vector<double> keys = Numbers(ResizeImages("ResizeBicubic", x, {1, 8}, false, true));
  const auto share = [](double d) {
    return d < 1 ? 1.5 * d * d * d - 2.5 * d * d + 1 : -0.5 * d * d * d + 2.5 * d * d - 4 * d + 2;
  };
  EXPECT_NEAR(keys[0], (share(0.25) * 1 + share(1.25) * 2) / (share(0.25) + share(1.25)), 1e-5);
  EXPECT_THROW(ResizeImages("ResizeBicubic", x, {1, 8}, true, true), Error);
}

TEST(ResizeArea, TakesMeansOfWhatAResultCovers) {
  const TensorValue x = Tensor(DataType::kUint8, {1, 1, 5, 1}, {0, 10, 20, 30, 40});
  ExpectNear(ResizeImages("ResizeArea", x, {1, 2}, false, false), {8, 32}, 1e-5);
  ExpectNear(ResizeImages("ResizeArea", x, {1, 10}, false, false), {0, 0, 10, 10, 20, 20, 30, 30, 40, 40},
             1e-5);
  EXPECT_EQ(ResizeImages("ResizeArea", x, {1, 2}, false, false).type().type, DataType::kFloat);
}

TEST(Upsample, RepeatsPixelsTimesAFactor) {
  const TensorValue x = Floats({1, 1, 1, 2}, {1, 2}, Format::kNchw);
  const auto run = [&](const TensorValue& value, float scale) {
    return OpRun("Upsample")
        .Late("x", value)
        .Attr("scale", scale)
        .Attr("stride_h", std::int64_t{2})
        .Attr("stride_w", std::int64_t{3})
        .Out("y")
        .Run();
  };
  const TensorValue y = run(x, 1.0f);
  EXPECT_EQ(y.dims(), (Dims{1, 1, 2, 6}));
  ExpectNear(y, {1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2});
  ExpectNear(run(x, 0.5f), {0.5, 0.5, 0.5, 1, 1, 1, 0.5, 0.5, 0.5, 1, 1, 1});
  ExpectNear(run(Floats({1, 1, 1, 2}, {1, 2}, Format::kNhwc), 1.0f), {1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2});
  EXPECT_THROW(OpRun("Upsample").Late("x", x).Attr("stride_h", std::int64_t{0}).Out("y").Run(), Error);
}

}  // namespace
}  // namespace foothold
