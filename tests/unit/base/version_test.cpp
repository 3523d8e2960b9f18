// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/version.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/error.h"

namespace foothold {
namespace {

TEST(Version, GrowsInEveryPart) {
  EXPECT_EQ((Version{9, 1, 0}.Number()), 90100000);
  EXPECT_LT((Version{8, 5, 0}.Number()), (Version{8, 5, 1}.Number()));
  EXPECT_LT((Version{8, 5, 99}.Number()), (Version{8, 6, 0}.Number()));
  EXPECT_LT((Version{8, 99, 0}.Number()), (Version{9, 0, 0}.Number()));
}

TEST(Version, RefusesPackagesThatAreNotHere) {
  EXPECT_EQ(PackageVersion("runtime").Text(), kInterfaceVersion.Text());
  EXPECT_THROW(PackageVersion("no such package"), Error);
}

TEST(Version, IsTheOneOfTheInstalledTree) {
  std::ostringstream text;
  text << std::ifstream(FOOTHOLD_SOURCE_DIR "/cmake/toolkit.cmake").rdbuf();
  EXPECT_NE(text.str().find("set(FOOTHOLD_INTERFACE_VERSION " + kInterfaceVersion.Text() + ")"),
            std::string::npos);
}

}  // namespace
}  // namespace foothold
