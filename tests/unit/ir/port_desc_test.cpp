// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ir/port_desc.h"

#include <gtest/gtest.h>

namespace foothold {
namespace {

TEST(PortDetails, AreEmptyWhereNobodyHasSetAny) {
  const PortDesc desc;
  EXPECT_TRUE(desc.details().empty());
  EXPECT_EQ(&desc.details(), &PortDesc().details()) << "those that are not there are all the same";
}

TEST(PortDetails, BelongToOneDescriptionOnly) {
  PortDesc desc;
  desc.EditDetails().name = "first";
  PortDesc copy = desc;
  copy.EditDetails().name = "second";
  EXPECT_EQ(desc.details().name, "first");
  desc = copy;
  EXPECT_EQ(desc.details().name, "second");
  desc = PortDesc();
  EXPECT_TRUE(desc.details().empty());
  EXPECT_EQ(copy.details().name, "second");
}

TEST(PortDetails, GoWhenNothingIsSet) {
  PortDesc desc;
  desc.EditDetails().size = 3;
  EXPECT_FALSE(desc.details().empty());
  desc.SetDetails({});
  EXPECT_EQ(&desc.details(), &PortDesc().details());
}

TEST(PortDetails, OutliveTheAssignmentToThemselves) {
  PortDesc desc;
  desc.EditDetails().name = "same";
  const PortDesc& same = desc;
  desc = same;
  EXPECT_EQ(desc.details().name, "same");
}

}  // namespace
}  // namespace foothold
