// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/mailbox.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "device/callbacks.h"
#include "unit/device/runtime_session.h"

namespace foothold {
namespace {

constexpr auto kReport = Mailbox::Kind::kReport;

// A thread that waits for ever, and a subscription that ends at any moment of that.
TEST(Mailbox, IsLeftWhenTheLastSubscriptionEnds) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream();
  for (int round = 0; round < 300; ++round) {
    std::atomic<bool> ready{false};
    std::thread thread([&] {
      Subscribe(SelfThread(), stream, kReport);
      ready = true;
      EXPECT_EQ(ProcessCallbacks(kReport, kForever), kRtThreadSubscribe);
    });
    while (!ready)
      std::this_thread::yield();
    Unsubscribe(static_cast<std::uint64_t>(thread.native_handle()), stream, kReport);
    thread.join();
  }
}

// Callbacks launched while the subscription comes and goes: each is called, or its stream is told.
TEST(Mailbox, LosesNoCallbackWhenTheSubscriptionChanges) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream();
  std::atomic<bool> stop{false};
  std::atomic<int> called{0};
  std::vector<std::thread> reporters;
  std::vector<std::uint64_t> ids;
  for (int i = 0; i < 2; ++i) {
    reporters.emplace_back([&] {
      while (!stop)
        ProcessCallbacks(kReport, Now() + 5 * kMillisecond);
    });
    ids.push_back(static_cast<std::uint64_t>(reporters.back().native_handle()));
  }
  for (int round = 0; round < 1000; ++round) {
    const std::uint64_t id = ids[round % 2];
    Subscribe(id, stream, kReport);
    const int before = called;
    constexpr int kCallbacks = 6;
    for (int i = 0; i < kCallbacks; ++i) {
      LaunchCallback(
          stream, "test", [](void* count) { ++*static_cast<std::atomic<int>*>(count); }, &called,
          (round + i) % 2 == 0);
    }
    if (round % 3 == 0) {
      ASSERT_TRUE(stream->Synchronize(kForever));
      EXPECT_EQ(called, before + kCallbacks);
    }
    Unsubscribe(id, stream, kReport);
    bool told = false;
    try {
      ASSERT_TRUE(stream->Synchronize(Now() + 60 * kSecond));
    } catch (const Error& error) {
      told = true;
      EXPECT_EQ(error.code(), kRtStreamNoCallbackThread);
    }
    EXPECT_EQ(called < before + kCallbacks, told);
  }
  stop = true;
  for (auto& thread : reporters)
    thread.join();
}

}  // namespace
}  // namespace foothold
