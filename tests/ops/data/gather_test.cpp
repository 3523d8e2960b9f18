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

TensorValue Gather(const TensorValue& x, const TensorValue& indices, Int axis, Int batch_dims = 0) {
  return OpRun("GatherV2")
      .Late("x", x)
      .Late("indices", indices)
      .In("axis", List({axis}))
      .Attr("batch_dims", batch_dims)
      .Out("y")
      .Run();
}

TEST(Gather, TakesSlicesInTheOrderOfTheIndices) {
  const Ints wanted = {2, 0, -1, 1};
  for (const DataType type : kOneTypePerSize) {
    for (const std::size_t axis : {0, 1, 2}) {
      const TensorValue x = Counted({3, 4, 5}, type);
      const TensorValue y = Gather(x, List(wanted), static_cast<Int>(axis));
      Dims dims = x.dims();
      dims[axis] = 4;
      ASSERT_EQ(y.dims(), dims);
      const auto from = [&](Index index) {
        const Int pick = wanted[static_cast<std::size_t>(index[axis])];
        index[axis] = pick < 0 ? pick + x.dims()[axis] : pick;
        return index;
      };
      ExpectNear(y, Picked(x, dims, from));
      ExpectNear(OpRun("GatherV2D")
                     .Late("x", x)
                     .Late("indices", List(wanted))
                     .Attr("axis", static_cast<Int>(axis) - 3)
                     .Out("y")
                     .Run(),
                 Numbers(y));
    }
  }
}

TEST(Gather, TakesIndicesOfAnyShape) {
  const TensorValue x = Counted({4, 2});
  const TensorValue scalar = Gather(x, Tensor(DataType::kInt32, {}, {2}), 0);
  EXPECT_EQ(scalar.dims(), Dims{2});
  ExpectNear(scalar, {4, 5});
  const TensorValue matrix = Gather(x, Int32s({2, 2}, {3, 0, 1, 1}), 0);
  EXPECT_EQ(matrix.dims(), (Dims{2, 2, 2}));
  ExpectNear(matrix, {6, 7, 0, 1, 2, 3, 2, 3});
  EXPECT_EQ(Gather(x, List({}), 1).dims(), (Dims{4, 0}));
}

TEST(Gather, SharesBatchDimensions) {
  const TensorValue x = Floats({2, 3}, {0, 1, 2, 10, 11, 12});
  const TensorValue indices = Int32s({2, 2}, {2, 0, 1, 1});
  const std::vector<double> expected = {2, 0, 11, 11};
  ExpectNear(Gather(x, indices, 1, 1), expected);
  ExpectNear(Gather(x, indices, -1, -1), expected);
  ExpectNear(OpRun("Gather").Late("x", x).Late("indices", indices).Attr("batch_dims", Int{1}).Out("y").Run(),
             expected);
  const TensorValue outer = Floats({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
  ExpectNear(Gather(outer, Int32s({2, 1}, {1, 0}), 2, 1), {1, 3, 4, 6});
}

TEST(Gather, RefusesWhatCannotBe) {
  const TensorValue x = Counted({4, 2});
  EXPECT_THROW(Gather(x, List({4}), 0), Error);
  EXPECT_THROW(Gather(x, List({-5}), 0), Error);
  EXPECT_THROW(Gather(Counted({0, 2}), List({0}), 0), Error);
  EXPECT_THROW(Gather(x, List({0}), 2), Error);
  EXPECT_THROW(Gather(x, Floats({1}, {0}), 0), Error);
  EXPECT_THROW(Gather(x, Int32s({3, 1}, {0, 0, 0}), 1, 1), Error);
  EXPECT_THROW(Gather(x, Int32s({4, 1}, {0, 0, 0, 0}), 0, 1), Error);
}

TEST(GatherNd, NamesPlacesByRows) {
  const TensorValue x = Counted({2, 3, 4});
  const auto run = [&](const TensorValue& indices, Int batch = 0) {
    return OpRun("GatherNd").Late("x", x).Late("indices", indices).Attr("batch_dims", batch).Out("y").Run();
  };
  ExpectNear(run(Int32s({2, 3}, {1, 2, 3, 0, 0, -1})), {23, 3});
  const TensorValue rows = run(Int32s({1, 2, 2}, {1, 0, 0, 2}));
  EXPECT_EQ(rows.dims(), (Dims{1, 2, 4}));
  ExpectNear(rows, {12, 13, 14, 15, 8, 9, 10, 11});
  const TensorValue batched = run(Int32s({2, 1}, {2, 0}), 1);
  EXPECT_EQ(batched.dims(), (Dims{2, 4}));
  ExpectNear(batched, {8, 9, 10, 11, 12, 13, 14, 15});
  ExpectNear(run(Tensor(DataType::kInt32, {0}, {})), Numbers(x));
  EXPECT_THROW(run(Int32s({1, 3}, {0, 3, 0})), Error);
  EXPECT_THROW(run(Int32s({1, 4}, {0, 0, 0, 0})), Error);
  EXPECT_THROW(run(Int32s({}, {0})), Error);
  EXPECT_THROW(run(Int32s({3, 1}, {0, 0, 0}), 1), Error);
}

TEST(GatherElements, ReadsOnePlacePerIndex) {
  const auto run = [](Int dim, const TensorValue& index) {
    return OpRun("GatherElements")
        .Late("x", Counted({3, 3}))
        .Late("index", index)
        .Attr("dim", dim)
        .Out("y")
        .Run();
  };
  ExpectNear(run(0, Int32s({2, 3}, {1, 2, 0, 2, 0, -1})), {3, 7, 2, 6, 1, 8});
  ExpectNear(run(-1, Int32s({3, 2}, {0, 2, 1, 1, 2, 0})), {0, 2, 4, 4, 8, 6});
  EXPECT_THROW(run(0, Int32s({1, 3}, {0, 3, 0})), Error);
  EXPECT_THROW(run(0, Int32s({1, 4}, {0, 0, 0, 0})), Error);
  EXPECT_THROW(run(2, Int32s({1, 3}, {0, 0, 0})), Error);
}

TensorValue ScatterElements(const char* reduction, const TensorValue& indices, const TensorValue& updates) {
  return OpRun("ScatterElements")
      .Late("data", Floats({2, 3}, {1, 2, 3, 4, 5, 6}))
      .Late("indices", indices)
      .Late("updates", updates)
      .Attr("axis", Int{1})
      .Attr("reduction", std::string(reduction))
      .Out("y")
      .Run();
}

TEST(ScatterElements, WritesOnePlacePerIndex) {
  const TensorValue indices = Int32s({2, 2}, {0, 2, -1, 2});
  const TensorValue updates = Floats({2, 2}, {10, 20, 30, 40});
  ExpectNear(ScatterElements("none", indices, updates), {10, 2, 20, 4, 5, 40});
  ExpectNear(ScatterElements("add", indices, updates), {11, 2, 23, 4, 5, 76});
  ExpectNear(ScatterElements("mul", indices, updates), {10, 2, 60, 4, 5, 7200});
  ExpectNear(ScatterElements("max", indices, Floats({2, 2}, {0, 20, 7, 1})), {1, 2, 20, 4, 5, 7});
  ExpectNear(ScatterElements("min", indices, Floats({2, 2}, {0, 20, 7, 1})), {0, 2, 3, 4, 5, 1});
  EXPECT_THROW(ScatterElements("mean", indices, updates), Error);
  EXPECT_THROW(ScatterElements("none", Int32s({2, 2}, {0, 3, 0, 0}), updates), Error);
  EXPECT_THROW(ScatterElements("none", indices, Floats({4}, {1, 2, 3, 4})), Error);
  EXPECT_THROW(ScatterElements("none", indices, Int32s({2, 2}, {1, 2, 3, 4})), Error);
}

TEST(ScatterNd, AddsToZeros) {
  const auto run = [](const TensorValue& indices, const TensorValue& x, const Ints& shape) {
    return OpRun("ScatterNd").Late("indices", indices).Late("x", x).In("shape", List(shape)).Out("y").Run();
  };
  ExpectNear(run(Int32s({3, 1}, {1, 3, 1}), Floats({3}, {5, 6, 7}), {5}), {0, 12, 0, 6, 0});
  ExpectNear(run(Int32s({1, 1}, {1}), Floats({1, 2}, {5, 6}), {2, 2}), {0, 0, 5, 6});
  ExpectNear(OpRun("ScatterNdD")
                 .Late("indices", Int32s({1, 1}, {0}))
                 .Late("x", Int32s({1}, {4}))
                 .Attr("shape", Ints{2})
                 .Out("y")
                 .Run(),
             {4, 0});
  EXPECT_THROW(run(Int32s({1, 1}, {5}), Floats({1}, {5}), {5}), Error);
  EXPECT_THROW(run(Int32s({1, 2}, {0, 0}), Floats({1}, {5}), {5}), Error);
  EXPECT_THROW(run(Int32s({1, 1}, {0}), Floats({2}, {5, 5}), {5}), Error);
  EXPECT_THROW(run(Int32s({1, 1}, {0}), Floats({1}, {5}), {-5}), Error);
}

TEST(TensorScatter, CombinesIntoACopy) {
  const auto run = [](const char* type, const char* port) {
    return OpRun(type)
        .Late(port, Floats({2, 2}, {1, 2, 3, 4}))
        .Late("indices", Int32s({2, 1}, {1, 1}))
        .Late("updates", Floats({2, 2}, {10, 0, 20, 1}))
        .Out("y")
        .Run();
  };
  ExpectNear(run("TensorScatterUpdate", "x"), {1, 2, 20, 1});
  ExpectNear(run("TensorScatterAdd", "x"), {1, 2, 33, 5});
  ExpectNear(run("TensorScatterSub", "x"), {1, 2, -27, 3});
  ExpectNear(run("TensorScatterMax", "input"), {1, 2, 20, 4});
  ExpectNear(run("TensorScatterMin", "input"), {1, 2, 3, 0});
}

TEST(Scatter, WritesRowsOfAVariable) {
  const auto run = [](const char* type, DataType element) {
    return OpRun(type)
        .Late("var", Tensor(element, {3, 2}, {1, 2, 3, 4, 5, 6}))
        .Late("indices", Int32s({2}, {2, 0}))
        .Late("updates", Tensor(element, {2, 2}, {7, 8, 9, 10}))
        .Out("var")
        .Run();
  };
  for (const DataType type : {DataType::kFloat, DataType::kInt32, DataType::kFloat16, DataType::kBfloat16}) {
    ExpectNear(run("ScatterUpdate", type), {9, 10, 3, 4, 7, 8});
    ExpectNear(run("ScatterAdd", type), {10, 12, 3, 4, 12, 14});
    ExpectNear(run("ScatterSub", type), {-8, -8, 3, 4, -2, -2});
    ExpectNear(run("ScatterMul", type), {9, 20, 3, 4, 35, 48});
  }
  EXPECT_THROW(run("ScatterAdd", DataType::kBool), Error);
  EXPECT_TRUE(FindOp("ScatterUpdate")->stateful());
}

}  // namespace
}  // namespace foothold
