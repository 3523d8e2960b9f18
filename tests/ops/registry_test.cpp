// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "ops/op.h"
#include "prototypes/prototype.h"

namespace foothold {
namespace {

TEST(Registry, HasEveryOperatorOnce) {
  EXPECT_THAT(OpsRegisteredTwice(), testing::IsEmpty());
}

// What a pass makes of several nodes, and what importers need beyond GE, are operators of our own.
bool IsInternal(const OpDef& op) {
  return op.type() == "ElementChain" || op.type() == "HeadAttention" || op.type() == "CommonRNN" ||
         op.type() == "UniqueAlongAxis" || op.type() == "DFT" || op.type() == "BlockChannels" ||
         op.type() == "UnblockChannels" || op.type() == "BlockIntegers" || op.type() == "UnblockIntegers" ||
         op.type() == "ScaledMatMulInteger" || op.type().starts_with("Integer") ||
         op.type().starts_with("Blocked") || op.type().starts_with("Onnx") || op.type().starts_with("Aclnn");
}

TEST(Registry, KnowsOnlyOperatorsOfTheTable) {
  for (const OpDef* op : AllOps())
    EXPECT_TRUE(IsInternal(*op) || FindPrototype(op->type()) != nullptr) << op->type();
}

TEST(Registry, HasAWayToRunEveryOperator) {
  for (const OpDef* op : AllOps()) {
    const bool computes = op->infer() && (op->lower() || !op->views().empty() || op->type() == "NoOp");
    EXPECT_TRUE(computes || op->evaluate()) << op->type();
  }
}

TEST(Registry, SaysTheTypesOfEveryOperatorWithInputs) {
  for (const OpDef* op : AllOps()) {
    const Prototype* prototype = FindPrototype(op->type());
    if (prototype == nullptr || prototype->inputs.empty()) continue;
    EXPECT_FALSE(op->types().empty()) << op->type();
  }
}

}  // namespace
}  // namespace foothold
