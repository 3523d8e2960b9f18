// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Many streams under mixed load: events across streams, notifies, memory values, host functions, callbacks on
// several report threads, streams and events destroyed and made anew meanwhile. Everything queued in a stream
// that is treated gently must have been called once and in order; in streams that are torn down roughly, at
// most once and in order.
//
//   FOOTHOLD_STRESS_TASKS    tasks per stream (default 3000)
//   FOOTHOLD_STRESS_STREAMS  streams at a time (default 64)
//   FOOTHOLD_STRESS_SEED     default 1
#include <gtest/gtest.h>
#include <pthread.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "stress/ledger.h"

namespace {

int Setting(const char* name, int standard) {
  const char* text = std::getenv(name);
  return text == nullptr ? standard : std::atoi(text);
}

std::string Text() {
  const char* text = aclGetRecentErrMsg();
  return text == nullptr ? "" : text;
}

#define EXPECT_OK(call) EXPECT_EQ(call, ACL_SUCCESS) << Text()

// Streams that others tear down pass their fate on through events.
bool IsAllowed(aclError code) {
  return code == ACL_SUCCESS || code == ACL_ERROR_RT_STREAM_ABORT || code == ACL_ERROR_RT_STREAM_NO_CB_REG;
}

class ReportThread {
 public:
  ReportThread(aclrtContext context, aclError (*process)(int32_t))
      : thread_([this, context, process] {
          EXPECT_OK(aclrtSetCurrentContext(context));
          while (!stop_) {
            const aclError result = process(20);
            EXPECT_TRUE(result == ACL_SUCCESS || result == ACL_ERROR_RT_REPORT_TIMEOUT ||
                        result == ACL_ERROR_RT_THREAD_SUBSCRIBE)
                << result;
          }
        }) {}
  ~ReportThread() {
    stop_ = true;
    thread_.join();
  }
  uint64_t id() { return static_cast<uint64_t>(thread_.native_handle()); }

 private:
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

// Events that all threads record, wait for, destroy and replace, with no regard for each other.
class SharedEvents {
 public:
  SharedEvents() {
    for (auto& event : events_)
      event = Make();
  }
  aclrtEvent Any(std::mt19937& random) { return events_[random() % events_.size()].load(); }
  void Replace(std::mt19937& random) {
    const aclrtEvent old = events_[random() % events_.size()].exchange(Make());
    EXPECT_OK(aclrtDestroyEvent(old));
  }

 private:
  static aclrtEvent Make() {
    aclrtEvent event = nullptr;
    EXPECT_OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
    return event;
  }
  std::array<std::atomic<aclrtEvent>, 48> events_;
};

struct World {
  aclrtContext context;
  SharedEvents events;
  std::vector<std::unique_ptr<ReportThread>> report_threads;
  std::unique_ptr<ReportThread> host_function_thread;
  std::atomic<std::uint64_t> launched{0}, called{0};
};

// One stream at a time. Rough ones are destroyed by force, aborted and unsubscribed with work left.
struct Slot {
  aclrtStream stream = nullptr;
  bool rough = false;
  uint64_t report_thread = 0;
  std::unique_ptr<Ledger> ledger;
  std::uint64_t *cell = nullptr, *copy = nullptr;
  std::uint64_t cell_value = 0;
  int unfinished = 0;
  std::vector<std::unique_ptr<Ledger>>
      past;  // of streams destroyed by force: their last function may still run
};

class Producer {
 public:
  Producer(World& world, int streams, int tasks, unsigned seed)
      : world_(world), random_(seed), slots_(streams), left_(std::int64_t{streams} * tasks) {}

  void Run() {
    EXPECT_OK(aclrtSetCurrentContext(world_.context));
    EXPECT_OK(aclrtCreateNotify(&to_, 0));
    EXPECT_OK(aclrtCreateEvent(&back_));
    for (size_t i = 0; i < slots_.size(); ++i) {
      Slot& slot = slots_[i];
      slot.rough = i % 4 == 3;
      void* cell = nullptr;
      EXPECT_OK(aclrtMalloc(&cell, 16, ACL_MEM_MALLOC_HUGE_FIRST));
      EXPECT_OK(aclrtMemset(cell, 16, 0, 16));
      slot.cell = static_cast<std::uint64_t*>(cell);
      slot.copy = slot.cell + 1;
      Open(slot);
    }
    while (left_ > 0 && !testing::Test::HasFailure())
      Step(slots_[random_() % slots_.size()]);
    for (Slot& slot : slots_)
      Close(slot);
    EXPECT_OK(aclrtDestroyNotify(to_));
  }

 private:
  unsigned Roll(unsigned sides) { return random_() % sides; }

  void Open(Slot& slot) {
    EXPECT_OK(aclrtCreateStream(&slot.stream));
    slot.ledger = std::make_unique<Ledger>();
    slot.unfinished = 0;
    Subscribe(slot);
    if (Roll(4) == 0) {
      EXPECT_OK(aclrtSubscribeHostFunc(world_.host_function_thread->id(), slot.stream));
    }
  }

  void Subscribe(Slot& slot) {
    slot.report_thread = world_.report_threads[Roll(world_.report_threads.size())]->id();
    EXPECT_OK(aclrtSubscribeReport(slot.report_thread, slot.stream));
  }

  void Close(Slot& slot) {
    const bool force = slot.rough && Roll(2) == 0;
    if (!force) Synchronize(slot);
    EXPECT_OK(force ? aclrtDestroyStreamForce(slot.stream) : aclrtDestroyStream(slot.stream));
    Count(slot, force);
  }

  void Count(Slot& slot, bool force) {
    world_.launched += slot.ledger->launched;
    world_.called += slot.ledger->called;
    if (!slot.rough) {
      EXPECT_EQ(slot.ledger->called, slot.ledger->launched);
    }
    if (force) slot.past.push_back(std::move(slot.ledger));
  }

  void Synchronize(Slot& slot) {
    const aclError result = Roll(8) == 0 ? aclrtSynchronizeStreamWithTimeout(slot.stream, 120000)
                                         : aclrtSynchronizeStream(slot.stream);
    EXPECT_TRUE(IsAllowed(result)) << result << " " << Text();
    if (!slot.rough) {
      EXPECT_EQ(slot.ledger->called, slot.ledger->launched);
    }
    slot.unfinished = 0;
  }

  void Step(Slot& slot) {
    --left_;
    if (++slot.unfinished > 500) Synchronize(slot);
    const unsigned roll = Roll(1000);
    if (roll < 250) return Call(slot, roll % 3);
    if (roll < 400) return Record(slot);
    if (roll < 550) return WaitForEvent(slot);
    if (roll < 650) return Values(slot);
    if (roll < 700) return Notifies(slot);
    if (roll < 970) return Copy(slot);
    if (roll < 980) return Look(slot);
    if (roll < 985) return world_.events.Replace(random_);
    if (roll < 990) return Resubscribe(slot);
    if (roll < 995) return Synchronize(slot);
    if (roll < 998 && slot.rough) return Abort(slot);
    Close(slot);
    Open(slot);
  }

  void Call(Slot& slot, unsigned kind) {
    const bool callback = kind != 2, holding = kind != 1;
    Ledger::Item* item = slot.ledger->Make(holding, callback);
    const auto block = holding ? ACL_CALLBACK_BLOCK : ACL_CALLBACK_NO_BLOCK;
    EXPECT_OK(callback ? aclrtLaunchCallback(Ledger::Call, item, block, slot.stream)
                       : aclrtLaunchHostFunc(slot.stream, Ledger::Call, item));
  }

  // The event may be destroyed by another thread at any moment.
  static void ExpectOkOrGone(aclError result) {
    EXPECT_TRUE(result == ACL_SUCCESS || result == ACL_ERROR_RT_INVALID_HANDLE) << result << " " << Text();
  }
  void Record(Slot& slot) { ExpectOkOrGone(aclrtRecordEvent(world_.events.Any(random_), slot.stream)); }
  void WaitForEvent(Slot& slot) {
    ExpectOkOrGone(aclrtStreamWaitEvent(slot.stream, world_.events.Any(random_)));
  }

  Slot& Gentle() {
    for (;;) {
      Slot& slot = slots_[Roll(slots_.size())];
      if (!slot.rough) return slot;
    }
  }

  void Values(Slot& slot) {
    Slot& source = Gentle();
    EXPECT_OK(aclrtValueWrite(source.cell, ++source.cell_value, 0, source.stream));
    EXPECT_OK(aclrtValueWait(source.cell, source.cell_value, ACL_STREAM_WAIT_VALUE_GEQ, slot.stream));
  }

  void Notifies(Slot& slot) {
    if (slot.rough) return;
    Slot& source = Gentle();
    if (&source == &slot) return;
    // The notify is used again, so the next pair waits until this one is through.
    EXPECT_OK(aclrtStreamWaitEvent(source.stream, back_));
    EXPECT_OK(aclrtStreamWaitEvent(slot.stream, back_));
    EXPECT_OK(aclrtRecordNotify(to_, source.stream));
    EXPECT_OK(aclrtWaitAndResetNotify(to_, slot.stream, 0));
    EXPECT_OK(aclrtRecordEvent(back_, slot.stream));
  }

  void Copy(Slot& slot) {
    EXPECT_OK(aclrtMemcpyAsync(slot.copy, 8, slot.cell, 8, ACL_MEMCPY_DEVICE_TO_DEVICE, slot.stream));
  }

  void Look(Slot& slot) {
    aclrtStreamStatus status;
    EXPECT_OK(aclrtStreamQuery(slot.stream, &status));
    aclrtEventRecordedStatus recorded;
    ExpectOkOrGone(aclrtQueryEventStatus(world_.events.Any(random_), &recorded));
    const aclError result = aclrtSynchronizeEventWithTimeout(world_.events.Any(random_), Roll(3));
    EXPECT_TRUE(IsAllowed(result) || result == ACL_ERROR_RT_EVENT_SYNC_TIMEOUT ||
                result == ACL_ERROR_RT_INVALID_HANDLE)
        << result << " " << Text();
  }

  void Resubscribe(Slot& slot) {
    if (!slot.rough) Synchronize(slot);
    EXPECT_OK(aclrtUnSubscribeReport(slot.report_thread, slot.stream));
    Subscribe(slot);
  }

  void Abort(Slot& slot) {
    EXPECT_OK(aclrtStreamAbort(slot.stream));
    Synchronize(slot);
  }

  World& world_;
  std::mt19937 random_;
  std::vector<Slot> slots_;
  std::int64_t left_;
  aclrtNotify to_ = nullptr;
  aclrtEvent back_ = nullptr;
};

TEST(Stress, ManyStreamsUnderMixedLoad) {
  const int tasks = Setting("FOOTHOLD_STRESS_TASKS", 3000);
  const int streams = Setting("FOOTHOLD_STRESS_STREAMS", 64);
  const int seed = Setting("FOOTHOLD_STRESS_SEED", 1);
  constexpr int kProducers = 4;
  ASSERT_EQ(aclInit(nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  std::vector<std::unique_ptr<Producer>> producers;  // outlive the runtime: functions may use their ledgers
  {
    World world;
    ASSERT_EQ(aclrtGetCurrentContext(&world.context), ACL_SUCCESS);
    for (int i = 0; i < 4; ++i)
      world.report_threads.push_back(std::make_unique<ReportThread>(world.context, aclrtProcessReport));
    world.host_function_thread = std::make_unique<ReportThread>(world.context, aclrtProcessHostFunc);
    std::vector<std::thread> threads;
    for (int i = 0; i < kProducers; ++i) {
      producers.push_back(std::make_unique<Producer>(world, streams / kProducers, tasks, seed * 100 + i));
      threads.emplace_back([&producer = *producers.back()] { producer.Run(); });
    }
    for (auto& thread : threads)
      thread.join();
    world.report_threads.clear();
    world.host_function_thread.reset();
    EXPECT_EQ(disorder, 0u);
    EXPECT_GT(world.called, 0u);
    RecordProperty("launched", static_cast<int>(world.launched.load()));
    RecordProperty("called", static_cast<int>(world.called.load()));
    EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  }
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
}

}  // namespace
