// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

constexpr DataType kAll[] = {DataType::kFloat,  DataType::kFloat16, DataType::kBfloat16,
                             DataType::kDouble, DataType::kInt8,    DataType::kUint16,
                             DataType::kInt32,  DataType::kInt64,   DataType::kBool};

TensorValue Truths(const Dims& dims, const std::vector<double>& values) {
  return Tensor(DataType::kBool, dims, values);
}

TEST(SelectV2, RepeatsAllThreeInputs) {
  for (const DataType type : kAll) {
    const TensorValue y = OpRun("SelectV2")
                              .In("condition", Truths({2, 1}, {1, 0}))
                              .In("then", Tensor(type, {3}, {1, 0, 1}))
                              .In("else", Tensor(type, {}, {0}))
                              .Out("result")
                              .Run();
    EXPECT_EQ(y.dims(), (Dims{2, 3}));
    EXPECT_EQ(y.type().type, type);
    ExpectNear(y, {1, 0, 1, 0, 0, 0});
  }
}

TEST(Select, TakesAConditionOverTheFirstAxis) {
  for (const DataType type : {DataType::kFloat, DataType::kInt64}) {
    OpRun run("Select");
    run.In("condition", Truths({2}, {0, 1})).In("x1", Tensor(type, {2, 2}, {1, 2, 3, 4}));
    ExpectNear(run.In("x2", Tensor(type, {2, 2}, {5, 6, 7, 8})).Out("y").Run(), {5, 6, 3, 4});
  }
}

TEST(Select, RefusesShapesItWouldHaveToRepeat) {
  OpRun other("Select");
  other.In("condition", Truths({2}, {0, 1}))
      .In("x1", Floats({2}, {1, 2}))
      .In("x2", Floats({1}, {5}))
      .Out("y");
  EXPECT_THROW(other.Run(), Error);
  OpRun wrong("Select");
  wrong.In("condition", Truths({3}, {0, 1, 1})).In("x1", Floats({2, 2}, {1, 2, 3, 4}));
  EXPECT_THROW(wrong.In("x2", Floats({2, 2}, {1, 2, 3, 4})).Out("y").Run(), Error);
  OpRun mixed("SelectV2");
  mixed.In("condition", Truths({1}, {0}))
      .In("then", Floats({1}, {1}))
      .In("else", Int32s({1}, {1}))
      .Out("result");
  EXPECT_THROW(mixed.Run(), Error);
}

TEST(MaskedFill, PutsTheValueWhereTheMaskIsTrue) {
  const TensorValue y = OpRun("MaskedFill")
                            .In("x", Floats({2, 2}, {1, 2, 3, 4}))
                            .In("mask", Truths({2}, {0, 1}))
                            .In("value", Floats({}, {-9}))
                            .Out("y")
                            .Run();
  ExpectNear(y, {1, -9, 3, -9});
}

TEST(ClipByValue, TakesBoundsAsTensors) {
  for (const char* type : {"ClipByValue", "ClipByValueV2"})
    for (const DataType data : {DataType::kFloat, DataType::kFloat16, DataType::kInt32, DataType::kDouble}) {
      OpRun run(type);
      run.In("x", Tensor(data, {5}, {-3, -1, 0, 2, 9})).Late("clip_value_min", Tensor(data, {1}, {-1}));
      run.Late("clip_value_max", Tensor(data, {}, {4})).Out("y");
      ExpectNear(run.Run(), {-1, -1, 0, 2, 4});
    }
}

TEST(ClipByValue, GivesTheUpperBoundWhenBoundsCross) {
  OpRun run("ClipByValue");
  run.In("x", Floats({3}, {0, 5, NAN}))
      .In("clip_value_min", Floats({1}, {3}))
      .In("clip_value_max", Floats({1}, {1}));
  ExpectNear(run.Out("y").Run(), {1, 1, NAN});
}

TEST(ClipByValue, KeepsAScalarAScalar) {
  OpRun run("ClipByValue");
  run.In("x", Floats({}, {7}))
      .In("clip_value_min", Floats({1}, {0}))
      .In("clip_value_max", Floats({1}, {6}))
      .Out("y");
  const TensorValue y = run.Run();
  EXPECT_EQ(y.dims(), Dims{});
  ExpectNear(y, {6});
}

TEST(AddN, SumsAnyNumberOfTensors) {
  for (const char* type : {"AddN", "AccumulateNV2"})
    for (const DataType data : kAll) {
      if (data == DataType::kBool) continue;
      for (const int count : {1, 2, 3, 60}) {
        OpRun run(type);
        for (int i = 0; i < count; ++i)
          run.In("x" + std::to_string(i), Tensor(data, {3}, {1, 2, 0}));
        ExpectNear(run.Attr("N", std::int64_t{count}).Out("y").Run(), {1.0 * count, 2.0 * count, 0});
      }
    }
}

TEST(AddN, RefusesOtherShapesAndCounts) {
  OpRun shapes("AddN");
  EXPECT_THROW(shapes.In("x0", Floats({2}, {1, 2})).In("x1", Floats({1}, {1})).Out("y").Run(), Error);
  OpRun counts("AddN");
  counts.In("x0", Floats({1}, {1})).In("x1", Floats({1}, {1})).Attr("N", std::int64_t{3}).Out("y");
  EXPECT_THROW(counts.Run(), Error);
  EXPECT_THROW(OpRun("AddN").Out("y").Run(), Error);
}

TEST(Like, FillsTheShapeOfItsInput) {
  for (const DataType type : kAll) {
    const TensorValue x = Tensor(type, {2, 3}, {1, 0, 1, 0, 1, 1});
    ExpectNear(OpRun("ZerosLike").In("x", x).Out("y").Run(), {0, 0, 0, 0, 0, 0});
    ExpectNear(OpRun("OnesLike").In("x", x).Out("y").Run(), {1, 1, 1, 1, 1, 1});
  }
}

}  // namespace
}  // namespace foothold
