// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/timers.h"

#include <gtest/gtest.h>

#include <future>
#include <vector>

#include "device/wait_deadline.h"
#include "unit/device/runtime_session.h"

namespace foothold {
namespace {

TEST(Timers, CallsInTheOrderOfTime) {
  Timers timers;
  std::vector<int> order;
  std::promise<void> last;
  const Nanoseconds now = Now();
  timers.CallAt(now + 30 * kMillisecond, [&] {
    order.push_back(3);
    last.set_value();
  });
  timers.CallAt(now + 10 * kMillisecond, [&] { order.push_back(1); });
  timers.CallAt(now + 20 * kMillisecond, [&] { order.push_back(2); });
  last.get_future().wait();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
  EXPECT_GE(Now(), now + 30 * kMillisecond);
}

TEST(Timers, KeepsTheEarliestTimeOfAStream) {
  const RuntimeSession session;
  const StreamRef stream = session.NewStream();
  std::atomic<int> looks{0};
  stream.Push("test", FunctionTask([&](Stream& self) {
                if (++looks == 2) return Outcome::kDone;
                self.WakeAt(Now() + kMillisecond);
                self.WakeAt(Now() + 3600 * kSecond);
                return Outcome::kSuspended;
              }));
  EXPECT_TRUE(stream->Wait(Now() + 60 * kSecond));
}

TEST(Timers, StopsAndStartsAgain) {
  Timers timers;
  bool forgotten = true;
  for (int round = 0; round < 50; ++round) {
    timers.CallAt(Now() + 3600 * kSecond, [&] { forgotten = false; });
    timers.Stop();
  }
  std::promise<void> called;
  timers.CallAt(Now(), [&] { called.set_value(); });
  called.get_future().wait();
  EXPECT_TRUE(forgotten);
}

TEST(WaitDeadline, HasNoLimitFor0AndForTimesItCannotCount) {
  for (std::uint32_t seconds : {0u, 2'000'001u, 4'294'968u, UINT32_MAX}) {
    WaitDeadline deadline(seconds);
    EXPECT_FALSE(deadline.Expired()) << seconds;
    EXPECT_FALSE(deadline.Expired()) << seconds;
  }
  WaitDeadline longest(2'000'000);
  EXPECT_FALSE(longest.Expired());
}

}  // namespace
}  // namespace foothold
