// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "calls/forgotten_forms.h"

#include <gtest/gtest.h>

namespace foothold {
namespace {

TEST(ForgottenForms, KnowTheLatestThatWent) {
  ForgottenForms forgotten;
  for (std::uint64_t hash = 0; hash < ForgottenForms::kMost + 10; ++hash)
    forgotten.Add(hash);
  EXPECT_FALSE(forgotten.Take(9));
  EXPECT_TRUE(forgotten.Take(10));
  EXPECT_FALSE(forgotten.Take(10));
  forgotten.Add(10);
  EXPECT_TRUE(forgotten.Take(10));
}

}  // namespace
}  // namespace foothold
