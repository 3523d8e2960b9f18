// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/data/reference.h"
#include "ops/op.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using Int = std::int64_t;

struct ViewCase {
  const char* type;
  Dims from;
  const char* port;  // null: none
  Ints values;
  Attributes attributes;
  Dims to;  // {-1}: refused
};

void PrintTo(const ViewCase& view, std::ostream* out) {
  *out << view.type << " of " << ToString(view.from);
}

class View : public testing::TestWithParam<ViewCase> {};

void Prepare(const ViewCase& view, OpRun& run) {
  run.Late("x", Counted(view.from));
  if (view.port != nullptr) {
    std::vector<double> numbers(view.values.begin(), view.values.end());
    run.In(view.port, Tensor(DataType::kInt64, {static_cast<Int>(numbers.size())}, numbers));
  }
  for (const auto& [name, value] : view.attributes)
    run.Attr(name, value);
  run.Out("y");
}

TEST_P(View, HasTheShapeItShould) {
  OpRun run(GetParam().type);
  Prepare(GetParam(), run);
  if (GetParam().to == Dims{-1}) {
    EXPECT_THROW(run.Run(), Error);
    return;
  }
  const TensorValue y = run.Run();
  EXPECT_EQ(y.dims(), GetParam().to);
  ExpectNear(y, Numbers(Counted(GetParam().from)));
}

Attributes Caffe(Int axis, Int num_axes) {
  return {{"axis", axis}, {"num_axes", num_axes}};
}

INSTANTIATE_TEST_SUITE_P(
    Reshape, View,
    testing::Values(
        ViewCase{"Reshape", {2, 3, 4}, "shape", {6, 4}, {}, {6, 4}},
        ViewCase{"Reshape", {2, 3, 4}, "shape", {-1, 8}, {}, {3, 8}},
        ViewCase{"Reshape", {1}, "shape", {}, {}, {}},
        ViewCase{"Reshape", {0, 3}, "shape", {5, 0}, {}, {5, 0}},
        ViewCase{"Reshape", {0, 3}, "shape", {0, -1}, {}, {-1}},
        ViewCase{"Reshape", {2, 3}, "shape", {0, -1}, Caffe(0, -1), {2, 3}},
        ViewCase{"Reshape", {2, 3, 4}, "shape", {0, 12}, {{"allowzero", Int{0}}}, {2, 12}},
        ViewCase{"Reshape", {2, 3, 4}, "shape", {0, 12}, {{"allowzero", Int{1}}}, {-1}},
        ViewCase{"Reshape", {2, 3, 4}, "shape", {2, 6}, Caffe(1, 2), {2, 2, 6}},
        ViewCase{"Reshape", {2, 8, 4}, "shape", {2, -1}, Caffe(1, 1), {2, 2, 4, 4}},
        ViewCase{"Reshape", {2, 3, 4}, "shape", {0, -1, 2}, Caffe(1, -1), {2, 3, 2, 2}},
        ViewCase{"Reshape", {2, 3}, "shape", {1, 1}, Caffe(-1, 0), {2, 3, 1, 1}},
        ViewCase{"Reshape", {2, 6}, "shape", {1}, {{"axis", Int{1}}, {"shape", Ints{2, 3}}}, {2, 2, 3}},
        ViewCase{"Reshape", {2, 3}, "shape", {7}, {}, {-1}},
        ViewCase{"Reshape", {2, 3}, "shape", {-1, -1}, {}, {-1}},
        ViewCase{"Reshape", {2, 3}, "shape", {-2, -3}, {}, {-1}},
        ViewCase{"Reshape", {2, 3}, "shape", {-1, 4}, {}, {-1}},
        ViewCase{"Reshape", {2, 3}, "shape", {Int{1} << 40, Int{1} << 40}, {}, {-1}},
        ViewCase{"Reshape", {2, 3}, "shape", {6}, Caffe(3, -1), {-1}},
        ViewCase{"Reshape", {2, 3}, "shape", {6}, Caffe(1, 2), {-1}}));

INSTANTIATE_TEST_SUITE_P(
    Squeeze, View,
    testing::Values(ViewCase{"Unsqueeze", {2, 3}, nullptr, {}, {{"axes", Ints{0, -1}}}, {1, 2, 3, 1}},
                    ViewCase{"Unsqueeze", {2}, nullptr, {}, {{"axes", Ints{0, 0}}}, {-1}},
                    ViewCase{"Unsqueeze", {2}, nullptr, {}, {{"axes", Ints{3}}}, {-1}},
                    ViewCase{"Unsqueeze", {2}, nullptr, {}, {}, {2}},
                    ViewCase{"UnsqueezeV2", {2, 3}, nullptr, {}, {{"axis", Ints{1}}}, {2, 1, 3}},
                    ViewCase{"UnsqueezeV3", {}, "axes", {0, 1}, {}, {1, 1}},
                    ViewCase{"ExpandDims", {2, 3}, "axis", {-1}, {}, {2, 3, 1}},
                    ViewCase{"ExpandDims", {2, 3}, "axis", {4}, {}, {-1}},
                    ViewCase{"ExpandDims", {2, 3}, "axis", {0, 1}, {}, {-1}},
                    ViewCase{"Squeeze", {1, 2, 1, 3}, nullptr, {}, {}, {2, 3}},
                    ViewCase{"Squeeze", {1, 2, 1, 3}, nullptr, {}, {{"axis", Ints{-2}}}, {1, 2, 3}},
                    ViewCase{"Squeeze", {1, 2}, nullptr, {}, {{"axis", Ints{1}}}, {-1}},
                    ViewCase{"SqueezeV2", {1, 2}, nullptr, {}, {{"axis", Ints{0}}}, {2}},
                    ViewCase{"SqueezeV3", {1, 2, 1}, "axes", {0}, {}, {2, 1}},
                    ViewCase{"SqueezeV3", {1, 1}, nullptr, {}, {}, {}}));

INSTANTIATE_TEST_SUITE_P(
    Flatten, View,
    testing::Values(
        ViewCase{"Flatten", {2, 3, 4}, nullptr, {}, {}, {2, 12}},
        ViewCase{"Flatten", {2, 3, 4}, nullptr, {}, {{"axis", Int{-1}}}, {6, 4}},
        ViewCase{"Flatten", {2, 3}, nullptr, {}, {{"axis", Int{2}}}, {6, 1}},
        ViewCase{"Flatten", {}, nullptr, {}, {{"axis", Int{0}}}, {1, 1}},
        ViewCase{"Flatten", {2, 3}, nullptr, {}, {{"axis", Int{3}}}, {-1}},
        ViewCase{"FlattenV2", {2, 3, 4}, nullptr, {}, {}, {2, 12}},
        ViewCase{
            "FlattenV2", {2, 3, 4, 5}, nullptr, {}, {{"axis", Int{1}}, {"end_axis", Int{-2}}}, {2, 12, 5}},
        ViewCase{"FlattenV2", {}, nullptr, {}, {}, {1}}, ViewCase{"FlattenV2", {5}, nullptr, {}, {}, {5}},
        ViewCase{"FlattenV2", {2, 3}, nullptr, {}, {{"axis", Int{1}}, {"end_axis", Int{0}}}, {-1}}));

TEST(Views, AreViews) {
  for (const char* type : {"Reshape", "Unsqueeze", "UnsqueezeV2", "UnsqueezeV3", "ExpandDims", "Squeeze",
                           "SqueezeV2", "SqueezeV3", "Flatten", "FlattenV2"})
    EXPECT_EQ(FindOp(type)->views().size(), 1u) << type;
}

TEST(Reshape, WaitsForAShapeThatIsNotKnown) {
  OpRun run("Reshape");
  run.In("x", Counted({6})).Late("shape", Int32s({1}, {6})).Out("y");
  EXPECT_THROW(run.Run(), ValueNotKnown);
}

TEST(Shape, ReportsDimensionsWithoutReadingData) {
  const auto y = OpRun("Shape").Late("x", Counted({2, 3})).Out("y").Run();
  EXPECT_EQ(y.type().type, DataType::kInt32);
  ExpectNear(y, {2, 3});
  const auto wide = OpRun("Shape").Late("x", Counted({2, 0})).Attr("dtype", Int{9}).Out("y").Run();
  EXPECT_EQ(wide.type().type, DataType::kInt64);
  ExpectNear(wide, {2, 0});
  EXPECT_EQ(OpRun("Shape").Late("x", Counted({})).Out("y").Run().dims(), Dims{0});
}

TEST(Shape, ReportsManyAtOnce) {
  const auto all =
      OpRun("ShapeN").Late("x0", Counted({2, 3})).Late("x1", Counted({4})).Out("y0").Out("y1").RunAll();
  ExpectNear(all[0], {2, 3});
  ExpectNear(all[1], {4});
}

TEST(Shape, RefusesATypeThatIsNoIndex) {
  EXPECT_THROW(OpRun("Shape").In("x", Counted({2})).Attr("dtype", Int{0}).Out("y").Run(), Error);
  EXPECT_THROW(OpRun("Shape").In("x", Counted({2})).Attr("dtype", Int{200}).Out("y").Run(), Error);
}

TEST(Size, CountsElements) {
  const auto y = OpRun("Size").Late("x", Counted({2, 3})).Out("y").Run();
  EXPECT_EQ(y.dims(), Dims{});
  ExpectNear(y, {6});
}

TEST(Rank, CountsDimensions) {
  ExpectNear(OpRun("Rank").Late("x", Counted({2, 3, 1})).Out("y").Run(), {3});
  ExpectNear(OpRun("Rank").Late("x", Counted({})).Out("y").Run(), {0});
}

TEST(GatherShapes, PicksDimensions) {
  using Pairs = std::vector<std::vector<Int>>;
  const auto run = [](Pairs pairs) {
    return OpRun("GatherShapes")
        .Late("x0", Counted({2, 3}))
        .Late("x1", Counted({5}))
        .Attr("axes", std::move(pairs))
        .Out("shape")
        .Run();
  };
  ExpectNear(run({{1, 0}, {0, -1}}), {5, 3});
  EXPECT_THROW(run({{2, 0}}), Error);
  EXPECT_THROW(run({{1, 1}}), Error);
}

}  // namespace
}  // namespace foothold
