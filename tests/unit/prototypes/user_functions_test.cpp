// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "prototypes/user_functions.h"

#include <gtest/gtest.h>

#include "ir/node.h"
#include "ir/node_pool.h"

namespace foothold {
namespace {

TEST(UserFunctions, AreEmptyForTypesWithoutAny) {
  EXPECT_FALSE(FindUserFunction("UserFunctionsTestNone", UserFunctionKind::kInferShape));
}

TEST(UserFunctions, AreFoundByTypeAndKind) {
  RegisterUserFunction("UserFunctionsTestKind", UserFunctionKind::kVerify, [](Node&) {});
  EXPECT_TRUE(FindUserFunction("UserFunctionsTestKind", UserFunctionKind::kVerify));
  EXPECT_FALSE(FindUserFunction("UserFunctionsTestKind", UserFunctionKind::kInferShape));
}

TEST(UserFunctions, StayAsTheyWereFirst) {
  for (const char* name : {"first", "second"}) {
    RegisterUserFunction("UserFunctionsTestFirst", UserFunctionKind::kInferShape,
                         [name](Node& node) { node.set_name(name); });
  }
  const NodeRef node = NodeRef::Make("UserFunctionsTestFirst", "unnamed");
  FindUserFunction("UserFunctionsTestFirst", UserFunctionKind::kInferShape)(*node);
  EXPECT_EQ(node->name(), "first");
}

}  // namespace
}  // namespace foothold
