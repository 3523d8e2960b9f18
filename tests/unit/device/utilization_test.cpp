// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/utilization.h"

#include <gtest/gtest.h>

#include <ctime>

namespace foothold {
namespace {

void Burn() {
  const std::clock_t start = std::clock();
  while (std::clock() - start < CLOCKS_PER_SEC / 50) {
  }
}

TEST(Utilization, SeesABusyProcess) {
  Utilization utilization;
  Burn();
  const int one_core = utilization.Percent(1);
  EXPECT_GT(one_core, 0);
  EXPECT_LE(one_core, 100);
}

TEST(Utilization, SharesTheWorkAmongTheCores) {
  Utilization utilization;
  Burn();
  EXPECT_LE(utilization.Percent(1000), 1);
}

}  // namespace
}  // namespace foothold
