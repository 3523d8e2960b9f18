// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "ops/data/reference.h"

namespace foothold {
namespace {

const TensorValue kPlane = Floats({1, 1, 2, 2}, {1, 2, 3, 4});

OpRun& Align(OpRun& run, const TensorValue& features, const std::vector<double>& roi, std::int64_t mode) {
  run.Late("features", features).Late("rois", Tensor(features.type().type, {1, 5}, roi));
  run.Attr("spatial_scale", 1.0f)
      .Attr("pooled_height", std::int64_t{1})
      .Attr("pooled_width", std::int64_t{2});
  return run.Attr("sample_num", std::int64_t{1}).Attr("roi_end_mode", mode).Out("y");
}

TEST(RoiAlign, TakesPointsInTheMiddleOfCells) {
  const TensorValue x = Floats({1, 1, 1, 4}, {0, 10, 20, 30});
  for (const auto& [mode, expected] :
       {std::pair<std::int64_t, std::vector<double>>{0, {5, 15}}, {1, {7.5, 22.5}}, {2, {0, 10}}}) {
    OpRun run("ROIAlign");
    ExpectNear(Align(run, x, {0, 0, 0, 2, 1}, mode).Run(), expected, 1e-6);
  }
}

TEST(RoiAlign, AveragesOrTakesTheLargestSample) {
  const TensorValue x = Floats({1, 1, 1, 4}, {0, 10, 20, 30});
  for (const char* pool : {"avg", "max"}) {
    OpRun run("ROIAlign");
    Align(run, x, {0, 0, 0, 2, 0}, 0)
        .Attr("pool_mode", std::string(pool))
        .Attr("sample_num", std::int64_t{2});
    // Of a sample between two points the larger share counts.
    ExpectNear(run.Run(),
               std::string(pool) == "max" ? std::vector<double>{7.5, 15} : std::vector<double>{5, 15}, 1e-6);
  }
}

TEST(RoiAlign, ChoosesItsSamplesByTheSizeOfACellAndIsZeroFarOutside) {
  const TensorValue x = Floats({1, 1, 1, 4}, {0, 10, 20, 30});
  OpRun run("ROIAlign");
  ExpectNear(Align(run, x, {0, 0, 0, 4, 1}, 0).Attr("sample_num", std::int64_t{0}).Run(), {10, 27.5}, 1e-6);
  OpRun far("ROIAlign");
  ExpectNear(Align(far, x, {0, 100, 100, 102, 102}, 0).Run(), {0, 0});
  for (const DataType type : {DataType::kFloat16, DataType::kBfloat16, DataType::kDouble}) {
    OpRun other("ROIAlign");
    ExpectNear(Align(other, Tensor(type, {1, 1, 1, 4}, {0, 10, 20, 30}), {0, 0, 0, 2, 1}, 0).Run(), {5, 15});
  }
}

TEST(RoiAlign, RefusesImagesThatAreNotThereAndRegionsThatAreNone) {
  const double nan = std::nan("");
  for (const std::vector<double>& roi :
       {std::vector<double>{1, 0, 0, 1, 1}, {-1, 0, 0, 1, 1}, {nan, 0, 0, 1, 1}, {0, nan, 0, 1, 1}}) {
    OpRun run("ROIAlign");
    EXPECT_THROW(Align(run, kPlane, roi, 0).Run(), Error);
  }
  OpRun huge("ROIAlign");
  EXPECT_THROW(Align(huge, kPlane, {0, 0, 0, 1e9, 1}, 0).Attr("sample_num", std::int64_t{0}).Run(), Error);
  OpRun mode("ROIAlign");
  EXPECT_THROW(Align(mode, kPlane, {0, 0, 0, 1, 1}, 3).Run(), Error);
}

TEST(RoiPooling, TakesMaximaOfWholePixels) {
  const TensorValue x = Floats({2, 1, 2, 4}, {1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3, -4, -5, -6, -7, -8});
  OpRun run("ROIPooling");
  run.Late("x", x).Late("rois", Floats({3, 5}, {0, 0, 0, 3, 1, 1, 2, 0, 6, 2, 0, 20, 20, 30, 30}));
  run.Attr("pooled_h", std::int64_t{1}).Attr("pooled_w", std::int64_t{2});
  const TensorValue y = run.Attr("spatial_scale_h", 0.5f).Attr("spatial_scale_w", 1.0f).Out("y").Run();
  EXPECT_EQ(y.dims(), (Dims{3, 1, 1, 2}));
  ExpectNear(y, {6, 8, -3, 0, 0, 0});
}

OpRun& Sampled(OpRun& run, const TensorValue& x, const TensorValue& grid, const char* way,
               const char* padding, bool corners) {
  run.Late("x", x).Late("grid", grid).Attr("interpolation_mode", std::string(way));
  return run.Attr("padding_mode", std::string(padding)).Attr("align_corners", corners).Out("y");
}

TEST(GridSampler2D, ReadsBetweenPixels) {
  const TensorValue grid = Floats({1, 1, 4, 2}, {-1, -1, 1, 1, 0, 0, 1, -1});
  OpRun corners("GridSampler2D"), centres("GridSampler2D"), nearest("GridSampler2D");
  ExpectNear(Sampled(corners, kPlane, grid, "bilinear", "zeros", true).Run(), {1, 4, 2.5, 2});
  ExpectNear(Sampled(centres, kPlane, grid, "bilinear", "zeros", false).Run(), {0.25, 1, 2.5, 0.5});
  ExpectNear(Sampled(nearest, kPlane, grid, "nearest", "border", true).Run(), {1, 4, 1, 2});
}

TEST(GridSampler2D, GoesBeyondTheEdgeAsThePaddingSays) {
  const TensorValue x = Floats({1, 1, 1, 4}, {0, 10, 20, 30});
  const auto at = [&](double place, const char* way, const char* padding) {
    OpRun run("GridSampler2D");
    return Numbers(
        Sampled(run, x, Floats({1, 1, 1, 2}, {2 * place / 3 - 1, 0}), way, padding, true).Run())[0];
  };
  EXPECT_NEAR(at(4.5, "bilinear", "zeros"), 0, 1e-4);
  EXPECT_NEAR(at(4.5, "bilinear", "border"), 30, 1e-4);
  EXPECT_NEAR(at(4.5, "bilinear", "reflection"), 15, 1e-4);
  EXPECT_NEAR(at(-4.5, "bilinear", "reflection"), 15, 1e-4);
  EXPECT_NEAR(at(1.5, "bicubic", "zeros"), 15, 1e-4);
  EXPECT_NEAR(at(0.5, "bicubic", "border"), 0.59375 * 10 - 0.09375 * 20, 1e-4);
  EXPECT_NEAR(at(0.5, "bicubic", "reflection"), -0.09375 * 10 + 0.59375 * 10 - 0.09375 * 20, 1e-4);
  for (const double place : {std::nan(""), 1e30, -std::numeric_limits<double>::infinity()})
    for (const char* way : {"bilinear", "nearest", "bicubic"})
      EXPECT_EQ(at(place, way, "zeros"), 0) << place << way;
}

TEST(GridSampler2D, HasLayoutsAndTypes) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kBfloat16, DataType::kDouble}) {
    OpRun run("GridSampler2D");
    const TensorValue x = Tensor(type, {1, 1, 2, 2}, {1, 10, 2, 20}, Format::kNhwc);
    const TensorValue y =
        Sampled(run, x, Tensor(type, {1, 1, 1, 2}, {0, 0}), "bilinear", "zeros", true).Run();
    EXPECT_EQ(y.dims(), (Dims{1, 1, 1, 2}));
    ExpectNear(y, {1.5, 15});
  }
}

TEST(GridSampler3D, ReadsVolumes) {
  const TensorValue x = Floats({1, 1, 2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7}, Format::kNcdhw);
  const TensorValue grid = Floats({1, 1, 1, 3, 3}, {0, 0, 0, 1, -1, 1, -1, -1, 0.5});
  OpRun run("GridSampler3D"), nearest("GridSampler3D"), wrong("GridSampler3D");
  const TensorValue y = Sampled(run, x, grid, "bilinear", "zeros", true).Run();
  EXPECT_EQ(y.dims(), (Dims{1, 1, 1, 1, 3}));
  ExpectNear(y, {3.5, 5, 3});
  ExpectNear(Sampled(nearest, x, grid, "nearest", "zeros", true).Run(), {0, 5, 4});
  EXPECT_THROW(Sampled(wrong, x, grid, "bicubic", "zeros", true).Run(), Error);
  OpRun planes("GridSampler2D");
  EXPECT_THROW(Sampled(planes, x, grid, "bilinear", "zeros", true).Run(), Error);
}

TEST(AffineGrid, TransformsNormalisedPoints) {
  const auto grid = [](bool corners, const Ints& size, const TensorValue& theta) {
    return OpRun("AffineGrid")
        .Late("theta", theta)
        .In("output_size", List(size))
        .Attr("align_corners", corners)
        .Out("y")
        .Run();
  };
  const TensorValue theta = Floats({1, 2, 3}, {2, 0, 1, 0, 10, 0});
  const TensorValue y = grid(true, {1, 1, 2, 2}, theta);
  EXPECT_EQ(y.dims(), (Dims{1, 4, 2}));
  ExpectNear(y, {-1, -10, 3, -10, -1, 10, 3, 10});
  ExpectNear(grid(false, {1, 1, 2, 2}, theta), {0, -5, 2, -5, 0, 5, 2, 5});
  const TensorValue volume = Floats({1, 3, 4}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 7});
  ExpectNear(grid(true, {1, 1, 2, 1, 1}, volume), {0, 0, 6, 0, 0, 8});
  EXPECT_THROW(grid(true, {2, 1, 2, 2}, theta), Error);
  EXPECT_THROW(grid(true, {1, 1, 2}, theta), Error);
}

struct ColumnCase {
  Ints kernel, strides, dilations, pads;
};

class Columns : public testing::TestWithParam<ColumnCase> {};

TEST_P(Columns, HoldWindowsAndSumBack) {
  const ColumnCase& c = GetParam();
  const Dims in{2, 3, 5, 6};
  const std::int64_t h = (in[2] + 2 * c.pads[0] - c.dilations[0] * (c.kernel[0] - 1) - 1) / c.strides[0] + 1;
  const std::int64_t w = (in[3] + 2 * c.pads[1] - c.dilations[1] * (c.kernel[1] - 1) - 1) / c.strides[1] + 1;
  const TensorValue x = Counted(in);
  const std::vector<double> numbers = Numbers(x);
  std::vector<double> columns, sums(numbers.size());
  ForIndices({2, 3, c.kernel[0], c.kernel[1], h, w}, [&](const Index& i) {
    const std::int64_t y = i[4] * c.strides[0] - c.pads[0] + i[2] * c.dilations[0];
    const std::int64_t z = i[5] * c.strides[1] - c.pads[1] + i[3] * c.dilations[1];
    const bool inside = y >= 0 && y < in[2] && z >= 0 && z < in[3];
    columns.push_back(inside ? numbers[Offset(in, {i[0], i[1], y, z})] : 0);
    if (inside) sums[Offset(in, {i[0], i[1], y, z})] += columns.back();
  });
  OpRun run("Im2col");
  run.Late("x", x).Attr("ksizes", c.kernel).Attr("strides", c.strides).Attr("dilations", c.dilations);
  const TensorValue y = run.Attr("pads", c.pads).Out("y").Run();
  EXPECT_EQ(y.dims(), (Dims{2, 3 * c.kernel[0] * c.kernel[1], h * w}));
  ExpectNear(y, columns);
  OpRun back("Col2im");
  back.Late("x", y).In("output_size", List({5, 6})).Attr("kernel_size", c.kernel).Attr("stride", c.strides);
  const TensorValue image = back.Attr("dilation", c.dilations).Attr("padding", c.pads).Out("y").Run();
  EXPECT_EQ(image.dims(), in);
  ExpectNear(image, sums);
}

INSTANTIATE_TEST_SUITE_P(Shapes, Columns,
                         testing::Values(ColumnCase{{1, 1}, {1, 1}, {1, 1}, {0, 0}},
                                         ColumnCase{{3, 2}, {1, 2}, {1, 1}, {1, 0}},
                                         ColumnCase{{2, 3}, {2, 1}, {2, 2}, {1, 2}}));

TEST(Im2col, MovesEveryTypeAndRefusesWhatCannotBe) {
  const auto columns = [](const TensorValue& x, const Ints& kernel) {
    return OpRun("Im2col")
        .Late("x", x)
        .Attr("ksizes", kernel)
        .Attr("padding_mode", std::string("VALID"))
        .Out("y")
        .Run();
  };
  for (const DataType type : kOneTypePerSize)
    ExpectNear(columns(Tensor(type, {1, 1, 2, 2}, {1, 2, 3, 4}), {2}), {1, 2, 3, 4});
  EXPECT_THROW(columns(kPlane, {3}), Error);
  EXPECT_THROW(columns(kPlane, {0}), Error);
  EXPECT_THROW(columns(kPlane, {1, 1, 1}), Error);
  EXPECT_THROW(OpRun("Col2im")
                   .Late("x", Floats({1, 4, 2}, {1, 2, 3, 4, 5, 6, 7, 8}))
                   .In("output_size", List({2, 2}))
                   .Attr("kernel_size", Ints{2, 2})
                   .Attr("stride", Ints{1})
                   .Attr("dilation", Ints{1})
                   .Attr("padding", Ints{0})
                   .Out("y")
                   .Run(),
               Error);
}

}  // namespace
}  // namespace foothold
