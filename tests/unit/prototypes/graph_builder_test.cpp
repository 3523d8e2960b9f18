// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "prototypes/graph_builder.h"

#include <gtest/gtest.h>

namespace foothold {
namespace {

TEST(GraphBuilder, NamesThatAreTakenGetNumbers) {
  GraphBuilder builder("graph");
  EXPECT_EQ(builder.UniqueName("a"), "a");
  EXPECT_EQ(builder.UniqueName("a"), "a_1");
  EXPECT_EQ(builder.UniqueName("a_2"), "a_2");
  EXPECT_EQ(builder.UniqueName("a"), "a_3");
}

TEST(GraphBuilder, ANodeThatIsRenamedAtOnceTakesOneName) {
  GraphBuilder builder("graph");
  const std::string name = builder.UniqueName("given");
  const OpBuilder made = builder.OpToRename("Relu");
  EXPECT_EQ(made.node().name(), "Relu");
  builder.Rename(made, name);
  builder.SettleName();
  EXPECT_EQ(made.node().name(), "given");
  EXPECT_EQ(builder.UniqueName("Relu"), "Relu");
}

TEST(GraphBuilder, ANodeThatKeepsItsNameHasItAlone) {
  GraphBuilder builder("graph");
  EXPECT_EQ(builder.UniqueName("Relu"), "Relu");
  const OpBuilder first = builder.OpToRename("Relu"), second = builder.OpToRename("Relu");
  builder.SettleName();
  EXPECT_EQ(first.node().name(), "Relu_1");
  EXPECT_EQ(second.node().name(), "Relu_2");
  EXPECT_EQ(builder.UniqueName("Relu"), "Relu_3");
}

}  // namespace
}  // namespace foothold
