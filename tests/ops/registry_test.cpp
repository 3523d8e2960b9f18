// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/op.h"
#include "prototypes/prototype.h"

namespace foothold {
namespace {

TEST(Registry, HasEveryOperatorOnce) {
  EXPECT_THAT(OpsRegisteredTwice(), testing::IsEmpty());
}

TEST(Registry, KnowsOnlyOperatorsOfTheTable) {
  for (const OpDef* op : AllOps())
    EXPECT_NE(FindPrototype(op->type()), nullptr) << op->type();
}

TEST(Registry, HasAWayToRunEveryOperator) {
  for (const OpDef* op : AllOps()) {
    const bool computes = op->infer() && (op->lower() || !op->views().empty() || op->type() == "NoOp");
    EXPECT_TRUE(computes || op->evaluate()) << op->type();
  }
}

}  // namespace
}  // namespace foothold
