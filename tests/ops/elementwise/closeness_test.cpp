// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

using List = std::vector<double>;

TEST(IsPosInf, KnowsTheSign) {
  for (const DataType type : {DataType::kFloat, DataType::kFloat16, DataType::kDouble, DataType::kBfloat16}) {
    const TensorValue x = Tensor(type, {5}, {INFINITY, -INFINITY, 1, NAN, 60000});
    EXPECT_EQ(Numbers(OpRun("IsPosInf").In("x", x).Out("y").Run()), (List{1, 0, 0, 0, 0}));
    EXPECT_EQ(Numbers(OpRun("IsNegInf").In("x", x).Out("y").Run()), (List{0, 1, 0, 0, 0}));
  }
}

TEST(IsClose, AllowsForBothTolerances) {
  const List a{1, 1, INFINITY, INFINITY, NAN, 100}, b{1.05, 1.2, INFINITY, -INFINITY, NAN, 109};
  for (const DataType type : {DataType::kFloat, DataType::kDouble})
    for (const bool nan : {false, true}) {
      const TensorValue y = OpRun("IsClose")
                                .In("x1", Tensor(type, {6}, a))
                                .In("x2", Tensor(type, {6}, b))
                                .Attr("rtol", 0.08f)
                                .Attr("atol", 0.01f)
                                .Attr("equal_nan", nan)
                                .Out("y")
                                .Run();
      EXPECT_EQ(Numbers(y), (List{1, 0, 1, 0, nan ? 1.0 : 0.0, 0}));
    }
  EXPECT_EQ(Numbers(OpRun("IsClose").In("x1", Int32s({2}, {1, 2})).In("x2", Int32s({1}, {2})).Out("y").Run()),
            (List{0, 1}));
}

TEST(ApproximateEqual, IsStrict) {
  for (const DataType type : {DataType::kFloat, DataType::kDouble, DataType::kInt32}) {
    const TensorValue y = OpRun("ApproximateEqual")
                              .In("x1", Tensor(type, {3}, {1, 4, 2}))
                              .In("x2", Tensor(type, {3}, {3, 5, 2}))
                              .Attr("tolerance", 2.0f)
                              .Out("y")
                              .Run();
    EXPECT_EQ(Numbers(y), (List{0, 1, 1}));
  }
}

TEST(Shift, MovesBits) {
  for (const DataType type : {DataType::kUint8, DataType::kUint64, DataType::kInt32}) {
    OpRun left("LeftShift"), right("RightShift");
    for (OpRun* op : {&left, &right})
      op->In("x", Tensor(type, {3}, {16, 4, 1})).In("y", Tensor(type, {3}, {1, 2, 3})).Out("z");
    EXPECT_EQ(Numbers(left.Run()), (List{32, 16, 8}));
    EXPECT_EQ(Numbers(right.Run()), (List{8, 1, 0}));
  }
  OpRun far("LeftShift");
  far.In("x", Tensor(DataType::kInt8, {2}, {3, -1}))
      .In("y", Tensor(DataType::kInt8, {2}, {100, -1}))
      .Out("z");
  EXPECT_EQ(Numbers(far.Run()), (List{0, 0}));
  OpRun sign("RightShift");
  sign.In("x", Tensor(DataType::kInt8, {2}, {-3, 3}))
      .In("y", Tensor(DataType::kInt8, {2}, {100, 100}))
      .Out("z");
  EXPECT_EQ(Numbers(sign.Run()), (List{-1, 0}));
  EXPECT_THROW(OpRun("LeftShift").In("x", Floats({1}, {1})).In("y", Floats({1}, {1})).Out("z").Run(), Error);
}

TEST(ThresholdV2, ReplacesWhatIsNotAbove) {
  for (const DataType type : {DataType::kFloat, DataType::kInt32, DataType::kFloat16, DataType::kDouble}) {
    OpRun with("ThresholdV2"), without("ThresholdV2");
    for (OpRun* op : {&with, &without})
      op->In("x", Tensor(type, {4}, {1, 2, 3, -4})).In("threshold", Tensor(type, {1}, {2}));
    with.In("value", Tensor(type, {}, {9})).Out("y");
    without.NoInput("value").Out("y");
    EXPECT_EQ(Numbers(with.Run()), (List{9, 9, 3, 9}));
    EXPECT_EQ(Numbers(without.Run()), (List{0, 0, 3, 0}));
  }
  ExpectNear(OpRun("ThresholdV2").In("x", Floats({1}, {NAN})).In("threshold", Floats({}, {0})).Out("y").Run(),
             {NAN});
}

TEST(CastLike, TakesTheTypeOfAnother) {
  const TensorValue y = OpRun("CastLike")
                            .In("x", Floats({2}, {1.75, -3}))
                            .Late("target", Int32s({5}, {0, 0, 0, 0, 0}))
                            .Out("y")
                            .Run();
  EXPECT_EQ(y.type().type, DataType::kInt32);
  EXPECT_EQ(Numbers(y), (List{1, -3}));
}

}  // namespace
}  // namespace foothold
