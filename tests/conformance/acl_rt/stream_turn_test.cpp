// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which of the streams that are ready is run next.
#include <gmock/gmock.h>

#include <atomic>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

#include "conformance/device_fixture.h"
#include "conformance/in_fork.h"

namespace {

struct Order {
  std::mutex mutex;
  std::vector<uint32_t> priorities;
};
struct Entry {
  Order* order;
  uint32_t priority;
  static void Note(void* data) {
    const auto* entry = static_cast<Entry*>(data);
    std::lock_guard<std::mutex> lock(entry->order->mutex);
    entry->order->priorities.push_back(entry->priority);
  }
};

// One worker is busy while streams of all priorities get ready, the least urgent first.
TEST(Streams, AreRunInTheOrderOfTheirPriorities) {
  SKIP_WHERE_FORKS_HAVE_NO_THREADS();
  EXPECT_EQ(InFork({{"FOOTHOLD_THREADS", "1"}},
                   [] {
                     const Session session;
                     constexpr size_t kBytes = size_t{256} << 20;
                     void* memory = nullptr;
                     ASSERT_OK(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
                     const aclrtStream busy = session.Stream();
                     ASSERT_OK(aclrtMemsetAsync(memory, kBytes, 1, kBytes, busy));
                     Order order;
                     std::deque<Entry> entries;
                     for (uint32_t priority = 8; priority-- > 0;) {
                       aclrtStream stream = nullptr;
                       ASSERT_OK(aclrtCreateStreamWithConfig(&stream, priority, ACL_STREAM_FAST_LAUNCH));
                       Entry& entry = entries.emplace_back(Entry{&order, priority});
                       ASSERT_OK(aclrtLaunchHostFunc(stream, Entry::Note, &entry));
                     }
                     for (;;) {  // synchronising would run streams here
                       std::this_thread::sleep_for(std::chrono::milliseconds(1));
                       std::lock_guard<std::mutex> lock(order.mutex);
                       if (order.priorities.size() == 8) break;
                     }
                     EXPECT_THAT(order.priorities, testing::ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
                   }),
            0);
}

// As many streams as there are workers are fed faster than they run; another one is not kept waiting for
// that.
TEST(Streams, GetTheirTurnBesideBusyOnes) {
  const Session session;
  constexpr std::size_t kBytes = 8 << 20;
  const unsigned busy = std::max(2u, std::thread::hardware_concurrency());
  void* memory = nullptr;
  ASSERT_OK(aclrtMalloc(&memory, kBytes * busy, ACL_MEM_MALLOC_HUGE_FIRST));
  std::atomic<bool> over{false};
  std::vector<std::thread> feeders;
  for (unsigned i = 0; i < busy; ++i) {
    feeders.emplace_back([&, i, stream = session.Stream()] {
      EXPECT_OK(aclrtSetCurrentContext(session.context()));
      const aclrtEvent events[2] = {session.Event(), session.Event()};
      for (unsigned round = 0; !over; ++round) {
        for (int task = 0; task < 16; ++task)
          EXPECT_OK(aclrtMemsetAsync(static_cast<char*>(memory) + i * kBytes, kBytes, 1, kBytes, stream));
        EXPECT_OK(aclrtRecordEvent(events[round % 2], stream));
        if (round == 0) continue;
        aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
        while (!over && status != ACL_EVENT_RECORDED_STATUS_COMPLETE) {  // waiting would run the stream here
          std::this_thread::sleep_for(std::chrono::microseconds(200));
          EXPECT_OK(aclrtQueryEventStatus(events[(round + 1) % 2], &status));
        }
      }
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const aclrtStream other = session.Stream();
  const aclrtEvent done = session.Event();
  std::uint64_t* cell = session.Cell(0);
  ASSERT_OK(aclrtValueWrite(cell, 7, 0, other));
  ASSERT_OK(aclrtRecordEvent(done, other));
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
  for (int i = 0; i < 20000 && status != ACL_EVENT_RECORDED_STATUS_COMPLETE; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_OK(aclrtQueryEventStatus(done, &status));
  }
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
  over = true;
  for (std::thread& feeder : feeders)
    feeder.join();
  EXPECT_OK(aclrtSynchronizeDevice());
  EXPECT_EQ(session.Read(cell), 7u);
}

}  // namespace
