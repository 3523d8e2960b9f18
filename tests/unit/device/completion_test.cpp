// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/completion.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "unit/device/runtime_session.h"

namespace foothold {
namespace {

TEST(Completion, KeepsTimeAndFailure) {
  Completion completion(nullptr);
  EXPECT_FALSE(completion.done());
  const auto failure = std::make_shared<const Error>(kRtSysDma, "failed");
  completion.Complete(failure, 42);
  EXPECT_TRUE(completion.done());
  EXPECT_EQ(completion.time(), 42);
  EXPECT_EQ(completion.failure(), failure);
}

TEST(Completion, GivesUpWaitingInTime) {
  Completion completion(nullptr);
  EXPECT_FALSE(completion.Wait(Now() + kMillisecond));
  EXPECT_FALSE(completion.Wait(0));
}

TEST(Completion, WakesAllWhoWait) {
  for (int round = 0; round < 200; ++round) {
    Completion completion(nullptr);
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i)
      threads.emplace_back([&] { EXPECT_TRUE(completion.Wait(Now() + 60 * kSecond)); });
    completion.Complete(nullptr, Now());
    for (auto& thread : threads)
      thread.join();
  }
}

TEST(Completion, WakesAStreamOnceAndRefusesLateOnes) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream();
  Completion completion(stream.stream);
  std::atomic<int> looks{0};
  stream.Push("test", FunctionTask([&](Stream& self) {
                ++looks;
                return completion.AddWaiter(self) ? Outcome::kSuspended : Outcome::kDone;
              }));
  EXPECT_FALSE(stream->Wait(Now() + 5 * kMillisecond));
  completion.Complete(nullptr, Now());
  EXPECT_TRUE(stream->Wait(kForever));
  EXPECT_EQ(looks, 2);
  EXPECT_FALSE(completion.AddWaiter(*stream.stream));
}

}  // namespace
}  // namespace foothold
