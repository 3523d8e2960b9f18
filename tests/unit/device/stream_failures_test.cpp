// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/stream_failures.h"

#include <gtest/gtest.h>

namespace foothold {
namespace {

class StreamFailuresTest : public testing::Test {
 protected:
  StreamFailuresTest() { failures.Open(); }

  StreamFailures failures;
  const Failure first = std::make_shared<const Error>(kRtStreamAbort, "first");
  const Failure second = std::make_shared<const Error>(kRtAicpuException, "second");
};

TEST_F(StreamFailuresTest, TheFirstFailureIsTakenOnce) {
  failures.Keep(first);
  failures.Keep(second);
  EXPECT_EQ(failures.Peek(), first);
  EXPECT_EQ(failures.Take(), first);
  EXPECT_EQ(failures.Take(), nullptr);
}

TEST_F(StreamFailuresTest, DroppingInterruptsTasksBeforeTheMarkOnly) {
  failures.Drop(2, first);
  EXPECT_EQ(failures.Interruption(1), first);
  EXPECT_EQ(failures.Interruption(2), nullptr);
  EXPECT_TRUE(failures.IsDropped(1));
  EXPECT_FALSE(failures.IsDropped(2));
  EXPECT_TRUE(failures.IsAllDropped(2));
  EXPECT_EQ(failures.dropped_for(), first);
}

TEST_F(StreamFailuresTest, AStoppedTaskEndsAndTheNextOneRuns) {
  failures.StopTask(5, first);
  EXPECT_THROW(failures.CheckNotStopped(5), Error);
  EXPECT_NO_THROW(failures.CheckNotStopped(6));
  EXPECT_EQ(failures.Interruption(5), first);
  EXPECT_EQ(failures.Interruption(6), nullptr);
}

TEST_F(StreamFailuresTest, WhatIsStoppedForGoodStaysFailedUntilItIsOpenedAnew) {
  failures.Keep(second);
  EXPECT_TRUE(failures.StopForGood(first));
  EXPECT_FALSE(failures.StopForGood(second));
  EXPECT_EQ(failures.Take(), second);
  EXPECT_EQ(failures.Take(), first);
  EXPECT_EQ(failures.Take(), first);
  EXPECT_EQ(failures.Interruption(7), first);
  failures.Open();
  EXPECT_FALSE(failures.stopped());
  EXPECT_EQ(failures.Take(), nullptr);
}

TEST_F(StreamFailuresTest, WithoutMemoryOneFailureKeepsItsOwnWordsAndLaterOnesTheFirst) {
  failures.Keep(failures.Undescribed(*first));
  EXPECT_EQ(failures.Peek()->message(), "first");
  EXPECT_EQ(failures.Undescribed(*second), failures.Peek());
}

TEST_F(StreamFailuresTest, TheModeIsChosenOnce) {
  EXPECT_TRUE(failures.ChooseMode(StreamFailures::Mode::kStop));
  EXPECT_FALSE(failures.ChooseMode(StreamFailures::Mode::kContinue));
  EXPECT_EQ(failures.mode(), StreamFailures::Mode::kStop);
}

}  // namespace
}  // namespace foothold
