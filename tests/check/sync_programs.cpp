// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "check/held_up.h"
#include "check/program.h"

using namespace checked;

namespace {

constexpr std::size_t kBytes = 4096;
constexpr std::size_t kMuch = 64u << 20;

void Nothing(void*) {}

aclrtNotify NewNotify() {
  aclrtNotify notify = nullptr;
  MUST(aclrtCreateNotify(&notify, 0));
  return notify;
}

// Two streams that are given back at the end.
struct Setting {
  Session session;
  aclrtContext context = nullptr;
  aclrtStream first = NewStream(), second = NewStream();

  Setting() { MUST(aclrtGetCurrentContext(&context)); }
  ~Setting() {
    aclrtDestroyStreamForce(first);
    aclrtDestroyStreamForce(second);
  }
};

// A thread that executes callbacks until it is told to stop.
class Reports {
 public:
  explicit Reports(aclrtContext context, int begin_after_ms = 0)
      : thread_([this, context, begin_after_ms] {
          MUST(aclrtSetCurrentContext(context));
          std::this_thread::sleep_for(std::chrono::milliseconds(begin_after_ms));
          while (!stop_)
            aclrtProcessReport(10);
        }) {}
  ~Reports() {
    stop_ = true;
    thread_.join();
  }
  uint64_t id() { return static_cast<uint64_t>(thread_.native_handle()); }

 private:
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

void Sleep(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

}  // namespace

PROGRAM(waits_before_it_records, "ACL-SYNC-001") {
  Setting here;
  const aclrtEvent event = NewEvent();
  if (broken) MUST(aclrtStreamWaitEvent(here.second, event));
  MUST(aclrtRecordEvent(event, here.first));
  MUST(aclrtStreamWaitEvent(here.second, event));
  MUST(aclrtSynchronizeStream(here.second));
  MUST(aclrtDestroyEvent(event));
}

PROGRAM(records_for_nobody, "ACL-SYNC-002") {
  Setting here;
  const aclrtEvent event = NewEvent();
  MUST(aclrtRecordEvent(event, here.first));
  if (!broken) MUST(aclrtStreamWaitEvent(here.second, event));
  MUST(aclrtSynchronizeStream(here.first));
  MUST(aclrtSynchronizeStream(here.second));
  MUST(aclrtDestroyEvent(event));
}

// An event of a pool is recycled while a stream still waits for it.
PROGRAM(recycles_an_event_too_early, "ACL-SYNC-003 ACL-SYNC-004") {
  Setting here;
  const aclrtEvent event = NewEvent();
  HeldUp held(here.second);
  MUST(aclrtRecordEvent(event, here.first));
  MUST(aclrtStreamWaitEvent(here.second, event));
  if (!broken) {
    held.Release();
    aclrtEventWaitStatus status = ACL_EVENT_WAIT_STATUS_NOT_READY;
    while (status != ACL_EVENT_WAIT_STATUS_COMPLETE) {
      MUST(aclrtQueryEventWaitStatus(event, &status));
      std::this_thread::yield();
    }
  }
  MUST(aclrtResetEvent(event, here.first));
  MUST(aclrtRecordEvent(event, here.first));
  MUST(aclrtSynchronizeStream(here.first));
  held.Release();
  MUST(aclrtSynchronizeDevice());
  MUST(aclrtDestroyEvent(event));
}

PROGRAM(resets_an_event_in_a_third_stream, "ACL-SYNC-003") {
  Setting here;
  const aclrtStream third = NewStream();
  const aclrtEvent event = NewEvent();
  MUST(aclrtRecordEvent(event, here.first));
  MUST(aclrtStreamWaitEvent(here.second, event));
  MUST(aclrtResetEvent(event, broken ? third : here.second));
  MUST(aclrtSynchronizeDevice());
  MUST(aclrtDestroyEvent(event));
  MUST(aclrtDestroyStream(third));
}

PROGRAM(records_again_under_a_wait, "ACL-SYNC-004") {
  Setting here;
  aclrtEvent event = nullptr;
  MUST(broken ? aclrtCreateEvent(&event) : aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  for (int turn = 0; turn < 2; ++turn) {
    MUST(aclrtRecordEvent(event, here.first));
    MUST(aclrtStreamWaitEvent(here.second, event));
  }
  MUST(aclrtSynchronizeDevice());
  MUST(aclrtDestroyEvent(event));
}

PROGRAM(times_two_streams, "ACL-SYNC-005") {
  Setting here;
  const aclrtEvent start = NewEvent(), end = NewEvent();
  float ms = 0;
  MUST(aclrtRecordEvent(start, here.first));
  MUST(aclrtSynchronizeEvent(start));
  MUST(aclrtRecordEvent(end, broken ? here.second : here.first));
  MUST(aclrtSynchronizeEvent(end));
  MUST(aclrtEventElapsedTime(&ms, start, end));
  MUST(aclrtDestroyEvent(start));
  MUST(aclrtDestroyEvent(end));
}

// Records do not add up: the second wait may wait for ever.
PROGRAM(records_a_notify_twice, "ACL-SYNC-006") {
  Setting here;
  const aclrtNotify notify = NewNotify(), back = NewNotify();
  MUST(aclrtRecordNotify(notify, here.first));
  MUST(aclrtWaitAndResetNotify(notify, here.second, 0));
  if (!broken) {
    MUST(aclrtRecordNotify(back, here.second));
    MUST(aclrtWaitAndResetNotify(back, here.first, 0));
  } else {
    Sleep(20);  // lucky, so that the program ends
  }
  MUST(aclrtRecordNotify(notify, here.first));
  MUST(aclrtWaitAndResetNotify(notify, here.second, broken ? 1 : 0));
  aclrtSynchronizeStream(here.first);
  aclrtSynchronizeStream(here.second);
  MUST(aclrtDestroyNotify(notify));
  MUST(aclrtDestroyNotify(back));
}

// The first waits for an event of the second, which is behind a wait for the first.
PROGRAM(waits_in_a_circle, "ACL-SYNC-007", "FOOTHOLD_CHECK_ON=error") {
  Setting here;
  const aclrtNotify notify = NewNotify();
  const aclrtEvent event = NewEvent();
  if (!broken) MUST(aclrtRecordNotify(notify, here.first));
  MUST(aclrtWaitAndResetNotify(notify, here.second, 0));
  MUST(aclrtRecordEvent(event, here.second));
  MUST(aclrtStreamWaitEvent(here.first, event));
  if (broken) MUST(aclrtRecordNotify(notify, here.first));
  const int code = aclrtSynchronizeStream(here.first);
  if (!broken) MUST(code);
  if (broken) MUST(aclrtStreamAbort(here.second));
  aclrtSynchronizeStream(here.first);
  MUST(aclrtDestroyNotify(notify));
  MUST(aclrtDestroyEvent(event));
}

PROGRAM(waits_for_a_callback_of_its_own, "ACL-SYNC-007") {
  Setting here;
  const auto self = static_cast<uint64_t>(pthread_self());
  MUST(aclrtSubscribeReport(self, here.first));
  MUST(aclrtLaunchCallback(&Nothing, nullptr, ACL_CALLBACK_BLOCK, here.first));
  if (broken) aclrtSynchronizeStream(here.first);
  while (aclrtProcessReport(1000) != 0) {
  }
  MUST(aclrtSynchronizeStream(here.first));
  MUST(aclrtUnSubscribeReport(self, here.first));
}

// The only thread waits for what it would record itself, later.
PROGRAM(waits_for_what_it_would_record_later, "ACL-SYNC-008", "FOOTHOLD_CHECK_ON=error") {
  Setting here;
  const aclrtNotify notify = NewNotify();
  MUST(aclrtWaitAndResetNotify(notify, here.first, 0));
  if (!broken) MUST(aclrtRecordNotify(notify, here.second));
  const int code = aclrtSynchronizeStream(here.first);
  if (!broken) MUST(code);
  if (broken) MUST(aclrtRecordNotify(notify, here.second));
  MUST(aclrtSynchronizeStream(here.first));
  MUST(aclrtDestroyNotify(notify));
}

// A thread of the program may still come and record it.
PROGRAM(waits_for_a_thread_that_is_late, "ACL-SYNC-009", "FOOTHOLD_CHECK_HANG=1") {
  Setting here;
  const aclrtNotify notify = NewNotify();
  MUST(aclrtWaitAndResetNotify(notify, here.first, 0));
  std::thread recorder([&] {
    MUST(aclrtSetCurrentContext(here.context));
    Sleep(broken ? 4000 : 100);  // a second counts only as far as something could have happened
    MUST(aclrtRecordNotify(notify, here.second));
  });
  MUST(aclrtSynchronizeStream(here.first));
  recorder.join();
  MUST(aclrtDestroyNotify(notify));
}

// A wait that ran out of time is no wait.
PROGRAM(takes_a_time_out_for_an_end, "ACL-SYNC-010") {
  Setting here;
  void* const much = DeviceMemory(kMuch);
  void* const memory = DeviceMemory(kBytes);
  for (int i = 0; i < 20; ++i)
    MUST(aclrtMemsetAsync(much, kMuch, i, kMuch, here.first));
  MUST(aclrtMemsetAsync(memory, kBytes, 1, kBytes, here.first));
  while (aclrtSynchronizeStreamWithTimeout(here.first, broken ? 1 : 60000) == 0 && broken)
    MUST(aclrtMemsetAsync(memory, kBytes, 1, kBytes, here.first));  // never, on any machine known
  MUST(aclrtMemset(memory, kBytes, 2, kBytes));
  MUST(aclrtSynchronizeStream(here.first));
  MUST(aclrtFree(much));
  MUST(aclrtFree(memory));
}

// As in synchronizes_the_wrong_stream; advice names the wait that had nothing to wait for.
PROGRAM(synchronizes_an_empty_stream, "ACL-RACE-003 ACL-SYNC-011") {
  Setting here;
  void* const memory = DeviceMemory(kBytes);
  char host[kBytes];
  MUST(aclrtMemsetAsync(memory, kBytes, 1, kBytes, here.first));
  MUST(aclrtSynchronizeStream(broken ? here.second : here.first));
  MUST(aclrtMemcpy(host, kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  MUST(aclrtSynchronizeStream(here.first));
  MUST(aclrtFree(memory));
}

// The thread is there, and does something else for more than a second.
PROGRAM(leaves_a_callback_waiting, "ACL-CB-002") {
  Setting here;
  Reports reports(here.context, broken ? 4000 : 300);
  MUST(aclrtSubscribeReport(reports.id(), here.first));
  MUST(aclrtLaunchCallback(&Nothing, nullptr, ACL_CALLBACK_BLOCK, here.first));
  MUST(aclrtSynchronizeStream(here.first));
  MUST(aclrtUnSubscribeReport(reports.id(), here.first));
}

PROGRAM(subscribes_a_thread_that_has_ended, "ACL-CB-002") {
  Setting here;
  uint64_t ended = 0;
  std::thread gone([&] {
    MUST(aclrtSetCurrentContext(here.context));
    ended = static_cast<uint64_t>(pthread_self());
    MUST(aclrtSubscribeReport(ended, here.first));
  });
  gone.join();
  if (broken) aclrtLaunchCallback(&Nothing, nullptr, ACL_CALLBACK_BLOCK, here.first);
  MUST(aclrtUnSubscribeReport(ended, here.first));
}

PROGRAM(holds_up_a_stream_for_long, "ACL-CB-004") {
  Setting here;
  int time = broken ? 1100 : 10;
  MUST(aclrtLaunchHostFunc(
      here.first, [](void* time) { Sleep(*static_cast<int*>(time)); }, &time));
  MUST(aclrtSynchronizeStream(here.first));
}

PROGRAM(allocates_in_a_host_function, "ACL-CB-005") {
  Setting here;
  struct Both {
    aclrtContext context;
    void* memory;
  } both{here.context, broken ? nullptr : PinnedMemory(kBytes)};
  MUST(aclrtLaunchHostFunc(
      here.first,
      [](void* data) {
        auto& both = *static_cast<Both*>(data);
        MUST(aclrtSetCurrentContext(both.context));
        if (both.memory == nullptr) both.memory = PinnedMemory(kBytes);
      },
      &both));
  MUST(aclrtSynchronizeStream(here.first));
  MUST(aclrtFreeHost(both.memory));
}

PROGRAM(mixes_callbacks_and_host_functions, "ACL-CB-006") {
  Setting here;
  Reports reports(here.context);
  MUST(aclrtSubscribeReport(reports.id(), here.first));
  MUST(aclrtLaunchCallback(&Nothing, nullptr, ACL_CALLBACK_BLOCK, here.first));
  MUST(aclrtLaunchHostFunc(broken ? here.first : here.second, &Nothing, nullptr));
  MUST(aclrtSynchronizeDevice());
  MUST(aclrtUnSubscribeReport(reports.id(), here.first));
}

PROGRAM(subscribes_a_number_of_the_kernel, "ACL-CB-007") {
  Setting here;
  const auto self =
      broken ? static_cast<uint64_t>(syscall(SYS_gettid)) : static_cast<uint64_t>(pthread_self());
  MUST(aclrtSubscribeReport(self, here.first));
  MUST(aclrtUnSubscribeReport(self, here.first));
}

PROGRAM(unsubscribes_before_the_callback, "ACL-CB-008") {
  Setting here;
  Reports reports(here.context);
  MUST(aclrtSubscribeReport(reports.id(), here.first));
  HeldUp held(here.first);
  MUST(aclrtLaunchCallback(&Nothing, nullptr, ACL_CALLBACK_BLOCK, here.first));
  if (!broken) held.Release();
  if (!broken) MUST(aclrtSynchronizeStream(here.first));
  MUST(aclrtUnSubscribeReport(reports.id(), here.first));
  held.Release();
  aclrtSynchronizeStream(here.first);
}
