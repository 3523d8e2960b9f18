// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/stillness.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace foothold::check {
namespace {

constexpr Nanoseconds kLook = 100 * kMillisecond;  // from one to the next

TEST(Stillness, IsTheTimeInWhichNobodyWantsAnything) {
  Glance glance;
  Stillness still;
  still.Restart(glance);
  for (int i = 0; i < 20; ++i) {
    glance.now += kLook;
    still.Continue(glance);
  }
  EXPECT_EQ(still.time(), 20 * kLook);
  still.Restart(glance);
  EXPECT_EQ(still.time(), 0);
}

TEST(Stillness, HasNoTimeInWhichTheProcessWasStopped) {
  Glance glance;
  Stillness still;
  still.Restart(glance);
  glance.now += 3600 * kSecond;
  still.Continue(glance);
  EXPECT_LT(still.time(), kSecond);
}

TEST(Stillness, HasNoTimeInWhichThreadsWaitForAProcessor) {
  Glance glance;
  Stillness still;
  still.Restart(glance);
  glance.wants = true;
  for (int i = 0; i < 1000; ++i) {
    glance.now += kLook;
    still.Continue(glance);
  }
  EXPECT_EQ(still.time(), 0);
}

TEST(Stillness, CountsTheWorkOfThreadsThatOnlyTurn) {
  Glance glance;
  Stillness still;
  still.Restart(glance);
  glance.wants = true;
  for (int i = 0; i < 20; ++i) {
    glance.now += kLook;
    glance.worked += kLook / 4;
    still.Continue(glance);
  }
  EXPECT_EQ(still.time(), 5 * kLook);
}

TEST(Stillness, HasNoTimeInWhichAReportIsWritten) {
  Glance glance;
  Stillness still;
  still.Restart(glance);
  glance.reports = true;
  for (int i = 0; i < 1000; ++i) {
    glance.now += kLook;
    still.Continue(glance);
  }
  EXPECT_EQ(still.time(), 0);
}

TEST(Stillness, SeesThreadsThatRunAndReports) {
  std::atomic<bool> over{false};
  std::thread turns([&] {
    while (!over.load()) {
    }
  });
  EXPECT_TRUE(GlanceAtProcess().wants);
  over.store(true);
  turns.join();
  EXPECT_FALSE(GlanceAtProcess().reports);
  const Nanoseconds before = ReportTime::OfThread();
  {
    const ReportTime writing;
    EXPECT_TRUE(GlanceAtProcess().reports);
  }
  EXPECT_FALSE(GlanceAtProcess().reports);
  EXPECT_GT(ReportTime::OfThread(), before);
}

}  // namespace
}  // namespace foothold::check
