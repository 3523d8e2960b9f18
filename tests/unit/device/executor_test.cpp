// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "device/callbacks.h"
#include "unit/device/runtime_session.h"

namespace foothold {
namespace {

// Streams that nobody waits for run all the same, whatever the workers are doing when they are handed in.
TEST(Executor, ForgetsNoStream) {
  const RuntimeSession session;
  std::vector<StreamRef> streams;
  for (int i = 0; i < 8; ++i)
    streams.push_back(session.NewStream());
  std::atomic<int> ran{0};
  for (int round = 0; round < 3000; ++round) {
    const auto kind = round % 2 == 0 ? Place::kWorker : Place::kAnywhere;
    streams[round % 8].Push("test", FunctionTask(
                                        [&](Stream&) {
                                          ++ran;
                                          return Outcome::kDone;
                                        },
                                        kind));
    if (round % 7 != 0) continue;
    const Nanoseconds deadline = Now() + 60 * kSecond;
    while (ran <= round && Now() < deadline)
      std::this_thread::yield();
    ASSERT_EQ(ran, round + 1);
  }
}

// A function of the program waits for a stream that is handed in by another thread at any moment.
TEST(Executor, FindsAThreadWhileItsWorkersAreInsideFunctionsOfTheProgram) {
  const RuntimeSession session;
  std::vector<StreamRef> holding;
  const StreamRef other = session.NewStream();
  for (int i = 0; i < 4; ++i)
    holding.push_back(session.NewStream());
  for (int round = 0; round < 200; ++round) {
    std::atomic<bool> released{false};
    for (const StreamRef& stream : holding) {
      LaunchHostFunction(
          stream, "test",
          [](void* data) {
            const Nanoseconds deadline = Now() + 60 * kSecond;
            while (!static_cast<std::atomic<bool>*>(data)->load() && Now() < deadline)
              std::this_thread::yield();
          },
          &released);
    }
    LaunchHostFunction(
        other, "test", [](void* data) { static_cast<std::atomic<bool>*>(data)->store(true); }, &released);
    for (const StreamRef& stream : holding)
      ASSERT_TRUE(stream->Wait(Now() + 60 * kSecond));
    ASSERT_TRUE(released);
  }
}

TEST(Executor, StopsAndStartsAgain) {
  for (int round = 0; round < 20; ++round) {
    const RuntimeSession session;
    const StreamRef stream = session.NewStream();
    std::atomic<int> ran{0};
    LaunchHostFunction(
        stream, "test", [](void* data) { ++*static_cast<std::atomic<int>*>(data); }, &ran);
    ASSERT_TRUE(stream->Wait(Now() + 60 * kSecond));
    EXPECT_EQ(ran, 1);
  }
}

}  // namespace
}  // namespace foothold
