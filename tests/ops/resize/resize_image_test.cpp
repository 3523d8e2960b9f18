// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/error.h"
#include "ops/data/reference.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using Int = std::int64_t;

struct Way {
  bool align_corners;
  bool half_pixels;
};

double Scale(Way way, Int from, Int to) {
  if (way.align_corners && to > 1) return static_cast<double>(from - 1) / static_cast<double>(to - 1);
  return static_cast<double>(from) / static_cast<double>(to);
}

TensorValue Resize(const char* type, const TensorValue& x, Int height, Int width, Way way) {
  OpRun run(type);
  run.Late("x", x);
  if (std::string(type).back() == 'D')
    run.Attr("size", Ints{height, width});
  else
    run.In("size", List({height, width}));
  return run.Attr("align_corners", way.align_corners)
      .Attr("half_pixel_centers", way.half_pixels)
      .Out("y")
      .Run();
}

Int Nearest(Way way, Int i, Int from, Int to) {
  const double scale = Scale(way, from, to);
  const double at = static_cast<double>(i);
  const double place = way.half_pixels     ? std::floor((at + 0.5) * scale)
                       : way.align_corners ? std::round(at * scale)
                                           : std::floor(at * scale);
  return std::min(static_cast<Int>(place), from - 1);
}

struct SizeCase {
  Int h, w, to_h, to_w;
};
// Ratios that single and double precision agree on.
const SizeCase kSizes[] = {{4, 4, 8, 8}, {3, 5, 6, 20}, {8, 6, 4, 3}, {5, 7, 5, 7},
                           {4, 4, 1, 1}, {1, 1, 3, 2},  {2, 2, 5, 9}, {5, 3, 2, 2}};
const Way kWays[] = {{false, false}, {true, false}, {false, true}};

TEST(ResizeNearest, PicksPixels) {
  for (const SizeCase& size : kSizes) {
    for (const Way way : kWays) {
      for (const bool last : {false, true}) {
        const Format format = last ? Format::kNhwc : Format::kNchw;
        const TensorValue x =
            Counted(last ? Dims{2, size.h, size.w, 3} : Dims{2, 3, size.h, size.w}, DataType::kFloat, format);
        const TensorValue y = Resize("ResizeNearestNeighborV2", x, size.to_h, size.to_w, way);
        const Dims dims = last ? Dims{2, size.to_h, size.to_w, 3} : Dims{2, 3, size.to_h, size.to_w};
        ASSERT_EQ(y.dims(), dims);
        const std::size_t at = last ? 1 : 2;
        ExpectNear(y, Picked(x, dims, [&](Index index) {
                     index[at] = Nearest(way, index[at], size.h, size.to_h);
                     index[at + 1] = Nearest(way, index[at + 1], size.w, size.to_w);
                     return index;
                   }));
        ExpectNear(Resize("ResizeNearestNeighborV2D", x, size.to_h, size.to_w, way), Numbers(y));
      }
    }
  }
}

TEST(ResizeNearest, MovesEveryElementSize) {
  for (const DataType type : kOneTypePerSize)
    ExpectNear(Resize("ResizeNearestNeighborV2", Counted({1, 1, 1, 2}, type, Format::kNchw), 1, 4, {}),
               {0, 0, 1, 1});
}

double Bilinear(const TensorValue& x, Way way, bool last, Index index, SizeCase size) {
  const std::vector<double> numbers = Numbers(x);
  const std::size_t at = last ? 1 : 2;
  const auto place = [&](Int i, Int from, Int to) {
    const double scale = Scale(way, from, to);
    return way.half_pixels ? std::max((static_cast<double>(i) + 0.5) * scale - 0.5, 0.0)
                           : static_cast<double>(i) * scale;
  };
  const double v = place(index[at], size.h, size.to_h), u = place(index[at + 1], size.w, size.to_w);
  double sum = 0;
  for (const Int dy : {0, 1}) {
    for (const Int dx : {0, 1}) {
      index[at] = std::min(static_cast<Int>(v) + dy, size.h - 1);
      index[at + 1] = std::min(static_cast<Int>(u) + dx, size.w - 1);
      const double fy = v - std::floor(v), fx = u - std::floor(u);
      sum += numbers[Offset(x.dims(), index)] * (dy == 1 ? fy : 1 - fy) * (dx == 1 ? fx : 1 - fx);
    }
  }
  return sum;
}

TEST(ResizeBilinear, InterpolatesPixels) {
  for (const SizeCase& size : kSizes) {
    for (const Way way : kWays) {
      for (const bool last : {false, true}) {
        const Format format = last ? Format::kNhwc : Format::kNchw;
        const TensorValue x = Random(
            DataType::kFloat, last ? Dims{2, size.h, size.w, 9} : Dims{2, 9, size.h, size.w}, 3, format);
        const TensorValue y = Resize("ResizeBilinearV2D", x, size.to_h, size.to_w, way);
        std::vector<double> expected;
        ForIndices(y.dims(),
                   [&](const Index& index) { expected.push_back(Bilinear(x, way, last, index, size)); });
        ExpectNear(y, expected, 1e-5);
        ExpectNear(Resize("ResizeBilinearV2", x, size.to_h, size.to_w, way), expected, 1e-5);
      }
    }
  }
}

TEST(ResizeBilinear, GivesFloatsUnlessAsked) {
  const TensorValue bytes = Tensor(DataType::kUint8, {1, 1, 1, 2}, {0, 10}, Format::kNchw);
  const TensorValue y = Resize("ResizeBilinearV2", bytes, 1, 4, {});
  EXPECT_EQ(y.type().type, DataType::kFloat);
  ExpectNear(y, {0, 5, 10, 10});
  const TensorValue half = OpRun("ResizeBilinearV2")
                               .In("x", Tensor(DataType::kFloat16, {1, 1, 1, 2}, {0, 10}, Format::kNchw))
                               .In("size", List({1, 4}))
                               .Attr("dtype", DataType::kFloat16)
                               .Out("y")
                               .Run();
  EXPECT_EQ(half.type().type, DataType::kFloat16);
  ExpectNear(half, {0, 5, 10, 10});
}

TEST(Resize, RefusesWhatCannotBe) {
  const TensorValue x = Counted({1, 2, 2, 1}, DataType::kFloat, Format::kNhwc);
  for (const char* type : {"ResizeNearestNeighborV2", "ResizeBilinearV2", "ResizeBilinearV2D"}) {
    EXPECT_THROW(Resize(type, x, 2, 2, {true, true}), Error);
    EXPECT_THROW(Resize(type, x, -1, 2, {}), Error);
    EXPECT_THROW(Resize(type, Counted({2, 2}), 2, 2, {}), Error);
    EXPECT_THROW(Resize(type, Counted({1, 0, 2, 1}), 2, 2, {}), Error);
    EXPECT_EQ(Resize(type, x, 0, 2, {}).dims(), (Dims{1, 0, 2, 1}));
  }
}

}  // namespace
}  // namespace foothold
