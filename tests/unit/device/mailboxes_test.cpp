// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/mailboxes.h"

#include <gtest/gtest.h>

#include <thread>

#include "device/callbacks.h"
#include "unit/device/runtime_session.h"

namespace foothold {
namespace {

constexpr auto kReport = Mailbox::Kind::kReport;

std::uint64_t IdOfAnEndedThread() {
  std::uint64_t id = 0;
  std::thread([&] {
    id = SelfThread();
    Runtime::Get().mailboxes.NoteThread();
  }).join();
  return id;
}

TEST(Mailboxes, NoticesThatAThreadEnds) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream();
  std::uint64_t id = 0;
  std::thread thread([&] {
    id = SelfThread();
    Runtime::Get().mailboxes.NoteThread();
    Subscribe(id, stream, kReport);
    EXPECT_TRUE(Runtime::Get().mailboxes.Get(id, kReport).alive());
  });
  thread.join();
  EXPECT_FALSE(Runtime::Get().mailboxes.Get(id, kReport).alive());
  EXPECT_THROW(LaunchCallback(
                   stream, "test", [](void*) {}, nullptr, true),
               Error);
}

// Its id may already belong to a thread that is about to call in.
TEST(Mailboxes, GivesASubscribedThreadTimeToShowUp) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream();
  const std::uint64_t id = IdOfAnEndedThread();
  Subscribe(id, stream, kReport);
  EXPECT_TRUE(Runtime::Get().mailboxes.Get(id, kReport).alive());
  LaunchCallback(
      stream, "test", [](void*) { ADD_FAILURE(); }, nullptr, true);
  LaunchCallback(
      stream, "test", [](void*) { ADD_FAILURE(); }, nullptr, false);
  const Nanoseconds begin = Now();
  try {
    stream->Synchronize(kForever);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kRtThreadSubscribe);
  }
  EXPECT_GT(Now() - begin, Mailboxes::kGrace / 2);
}

TEST(Mailboxes, CountsSubscriptions) {
  const RuntimeSession session;
  const StreamRef first = session.NewStream(), second = session.NewStream();
  Mailbox& mailbox = Runtime::Get().mailboxes.Get(77, kReport);
  Subscribe(77, first, kReport);
  Subscribe(77, second, kReport);
  EXPECT_EQ(mailbox.subscriptions(), 2);
  EXPECT_THROW(Subscribe(77, second, kReport), Error);
  EXPECT_EQ(mailbox.subscriptions(), 2);
  Unsubscribe(77, first, kReport);
  Runtime::Get().DestroyStream(second, false);
  EXPECT_EQ(mailbox.subscriptions(), 0);
}

}  // namespace
}  // namespace foothold
