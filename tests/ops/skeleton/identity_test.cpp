// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gtest/gtest.h>

#include "base/error.h"
#include "ops/op.h"
#include "ops/op_run.h"

namespace foothold {
namespace {

TEST(Identity, GivesBackWhatArrives) {
  for (const char* type : {"Identity", "TensorMove", "StopGradient", "PreventGradient"}) {
    const TensorValue y = OpRun(type).In("x", Floats({2, 2}, {1, 2, 3, 4})).Out("y").Run();
    EXPECT_EQ(y.dims(), (Dims{2, 2})) << type;
    ExpectNear(y, {1, 2, 3, 4});
  }
}

TEST(Identity, IsAViewButTensorMoveIsNot) {
  EXPECT_FALSE(FindOp("Identity")->views().empty());
  EXPECT_TRUE(FindOp("TensorMove")->views().empty());
}

TEST(Identity, MovesAnyNumberOfTensors) {
  auto all = OpRun("IdentityN")
                 .Late("x0", Floats({}, {7}))
                 .Late("x1", Int32s({3}, {1, 2, 3}))
                 .Out("y0")
                 .Out("y1")
                 .RunAll();
  ExpectNear(all[0], {7});
  ExpectNear(all[1], {1, 2, 3});
  EXPECT_EQ(all[1].type().type, DataType::kInt32);
}

TEST(Identity, RefusesMoreOutputsThanInputs) {
  EXPECT_THROW(OpRun("IdentityN").In("x0", Floats({}, {7})).Out("y0").Out("y1").RunAll(), Error);
}

TEST(NoOp, RunsWithoutPorts) {
  EXPECT_TRUE(OpRun("NoOp").RunAll().empty());
}

}  // namespace
}  // namespace foothold
