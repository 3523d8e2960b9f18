// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <atomic>
#include <thread>

#include "check/held_up.h"
#include "check/program.h"

using namespace checked;

namespace {

constexpr std::size_t kBytes = 4096;

// Two streams and two blocks of device memory, all given back at the end.
struct Setting {
  Session session;
  aclrtStream first = NewStream(), second = NewStream();
  char* const a = static_cast<char*>(DeviceMemory(kBytes));
  char* const b = static_cast<char*>(DeviceMemory(kBytes));

  ~Setting() {
    MUST(aclrtSynchronizeDevice());
    MUST(aclrtDestroyStream(first));
    MUST(aclrtDestroyStream(second));
    aclrtFree(a);
    aclrtFree(b);
  }
  void Fill(aclrtStream stream, void* to) { MUST(aclrtMemsetAsync(to, kBytes, 1, kBytes, stream)); }
  void Copy(aclrtStream stream, void* to, const void* from) {
    MUST(aclrtMemcpyAsync(to, kBytes, from, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  }
};

}  // namespace

PROGRAM(forgets_the_event_between_two_streams, "ACL-RACE-001") {
  Setting here;
  const aclrtEvent event = NewEvent();
  here.Fill(here.first, here.a);
  MUST(aclrtRecordEvent(event, here.first));
  if (!broken) MUST(aclrtStreamWaitEvent(here.second, event));
  here.Copy(here.second, here.b, here.a);
  MUST(aclrtSynchronizeStream(here.second));
  MUST(aclrtSynchronizeStream(here.first));
  MUST(aclrtDestroyEvent(event));
}

// Streams that come and go are over when they are gone, however many there were.
PROGRAM(frees_what_many_streams_have_used, "") {
  const Session session;
  auto* const memory = static_cast<char*>(DeviceMemory(2 * kBytes));
  for (int i = 0; i < 200; ++i) {
    const aclrtStream stream = NewStream();
    MUST(aclrtMemsetAsync(memory, kBytes, i, kBytes, stream));
    MUST(aclrtMemcpyAsync(memory + kBytes, kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
    MUST(aclrtSynchronizeStream(stream));
    MUST(aclrtDestroyStream(stream));
  }
  MUST(aclrtFree(memory));
}

// The wait is there, and its record was reached before: the wait is not even queued.
PROGRAM(waits_for_an_event_reached_before, "ACL-RACE-001") {
  Setting here;
  const aclrtEvent event = NewEvent();
  here.Fill(here.first, here.a);
  MUST(aclrtRecordEvent(event, here.first));
  // Another thread may look without this one knowing: by the rule all threads are one, so time has to do.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (!broken) MUST(aclrtStreamWaitEvent(here.second, event));
  here.Copy(here.second, here.b, here.a);
  MUST(aclrtSynchronizeStream(here.second));
  MUST(aclrtDestroyEvent(event));
}

PROGRAM(writes_two_parts_that_meet, "ACL-RACE-001") {
  Setting here;
  MUST(aclrtMemsetAsync(here.a, kBytes, 1, kBytes / 2, here.first));
  char* const other = here.a + (broken ? kBytes / 2 - 64 : kBytes / 2);
  MUST(aclrtMemsetAsync(other, kBytes / 2, 2, kBytes / 2, here.second));
}

PROGRAM(orders_two_streams_by_a_notify, "ACL-RACE-001") {
  Setting here;
  aclrtNotify notify = nullptr;
  MUST(aclrtCreateNotify(&notify, 0));
  here.Fill(here.first, here.a);
  MUST(aclrtRecordNotify(notify, here.first));
  if (!broken) MUST(aclrtWaitAndResetNotify(notify, here.second, 0));
  here.Copy(here.second, here.b, here.a);
  MUST(aclrtSynchronizeStream(here.second));
  MUST(aclrtSynchronizeStream(here.first));
  MUST(aclrtDestroyNotify(notify));
}

PROGRAM(orders_two_streams_by_a_value, "ACL-RACE-001") {
  Setting here;
  void* const value = DeviceMemory(64);
  MUST(aclrtMemset(value, 64, 0, 64));
  here.Fill(here.first, here.a);
  MUST(aclrtValueWrite(value, 1, 0, here.first));
  if (!broken) MUST(aclrtValueWait(value, 1, 1, here.second));
  here.Copy(here.second, here.b, here.a);
  MUST(aclrtSynchronizeStream(here.second));
  MUST(aclrtSynchronizeStream(here.first));
  MUST(aclrtFree(value));
}

// A block of a pool is taken for the next step while the last user of the step before is queued.
PROGRAM(hands_a_block_on_too_early, "ACL-RACE-001") {
  Setting here;
  const aclrtEvent written = NewEvent(), used = NewEvent();
  for (int step = 0; step < 2; ++step) {
    if (step > 0 && !broken) MUST(aclrtStreamWaitEvent(here.first, used));
    here.Fill(here.first, here.a);
    MUST(aclrtRecordEvent(written, here.first));
    MUST(aclrtStreamWaitEvent(here.second, written));
    here.Copy(here.second, here.b, here.a);
    MUST(aclrtRecordEvent(used, here.second));
  }
  MUST(aclrtSynchronizeDevice());
  MUST(aclrtDestroyEvent(written));
  MUST(aclrtDestroyEvent(used));
}

PROGRAM(copies_a_result_without_a_wait, "ACL-RACE-003") {
  Setting here;
  char host[kBytes];
  here.Fill(here.first, here.a);
  if (!broken) MUST(aclrtSynchronizeStream(here.first));
  MUST(aclrtMemcpy(host, kBytes, here.a, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  MUST(aclrtSynchronizeStream(here.first));
}

// The other thread synchronises its own stream, which has nothing to do.
PROGRAM(synchronizes_the_wrong_stream, "ACL-RACE-003") {
  Setting here;
  const aclrtEvent event = NewEvent();
  aclrtContext context = nullptr;
  MUST(aclrtGetCurrentContext(&context));
  here.Fill(here.first, here.a);
  MUST(aclrtRecordEvent(event, here.first));
  std::thread([&] {
    char host[kBytes];
    MUST(aclrtSetCurrentContext(context));
    MUST(aclrtSynchronizeStream(here.second));
    if (!broken) MUST(aclrtSynchronizeEvent(event));
    MUST(aclrtMemcpy(host, kBytes, here.a, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  }).join();
  MUST(aclrtSynchronizeStream(here.first));
  MUST(aclrtDestroyEvent(event));
}

PROGRAM(frees_a_staging_buffer_too_early, "ACL-RACE-005") {
  Setting here;
  void* const pinned = PinnedMemory(kBytes);
  MUST(aclrtMemcpyAsync(here.a, kBytes, pinned, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, here.first));
  MUST(broken ? aclrtFreeHost(pinned) : aclrtFreeHostWithDevSync(pinned));
  aclrtSynchronizeStream(here.first);
}

PROGRAM(trusts_the_default_stream, "ACL-RACE-007") {
  Setting here;
  const aclrtEvent event = NewEvent();
  here.Fill(nullptr, here.a);
  MUST(aclrtRecordEvent(event, nullptr));
  if (!broken) MUST(aclrtStreamWaitEvent(here.first, event));
  here.Copy(here.first, here.b, here.a);
  MUST(aclrtSynchronizeStream(here.first));
  MUST(aclrtSynchronizeStream(nullptr));
  MUST(aclrtDestroyEvent(event));
}

PROGRAM(overwrites_what_a_callback_reads, "ACL-RACE-008") {
  Setting here;
  struct Shared {
    void* device;
    std::atomic<bool> called{false};
    aclrtContext context = nullptr;
  } shared{here.a};
  MUST(aclrtGetCurrentContext(&shared.context));
  MUST(aclrtMemset(here.b, kBytes, 0, kBytes));
  std::atomic<bool> stop{false};
  std::thread reports([&] {
    MUST(aclrtSetCurrentContext(shared.context));
    while (!stop)
      aclrtProcessReport(10);
  });
  MUST(aclrtSubscribeReport(static_cast<uint64_t>(reports.native_handle()), here.first));
  HeldUp held(here.first);
  here.Fill(here.first, here.a);
  const auto read = [](void* data) {
    char host[kBytes];
    auto& shared = *static_cast<Shared*>(data);
    MUST(aclrtMemcpy(host, kBytes, shared.device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
    shared.called = true;
  };
  MUST(aclrtLaunchCallback(read, &shared, broken ? ACL_CALLBACK_NO_BLOCK : ACL_CALLBACK_BLOCK, here.first));
  here.Copy(here.first, here.a, here.b);
  held.Release();
  MUST(aclrtSynchronizeStream(here.first));
  MUST(aclrtUnSubscribeReport(static_cast<uint64_t>(reports.native_handle()), here.first));
  stop = true;
  reports.join();
}

PROGRAM(frees_under_a_running_task, "ACL-MEM-003") {
  Setting here;
  const aclrtEvent event = NewEvent();
  void* const scratch = DeviceMemory(kBytes);
  auto* const copied = static_cast<volatile char*>(PinnedMemory(1));
  *copied = 0;
  here.Fill(here.first, scratch);
  MUST(aclrtMemcpyAsync(const_cast<char*>(copied), 1, scratch, 1, ACL_MEMCPY_DEVICE_TO_HOST, here.first));
  MUST(aclrtRecordEvent(event, here.first));
  while (*copied != 1)  // it runs, and that makes no order
    std::this_thread::yield();
  if (!broken) MUST(aclrtSynchronizeEvent(event));
  MUST(aclrtFree(scratch));
  aclrtSynchronizeStream(here.first);
  MUST(aclrtFreeHost(const_cast<char*>(copied)));
  MUST(aclrtDestroyEvent(event));
}

// A helper that frees its scratch memory when it returns, behind a slow function.
PROGRAM(frees_scratch_memory_of_a_queued_task, "ACL-MEM-002 ACL-MEM-003") {
  Setting here;
  void* const scratch = DeviceMemory(kBytes);
  HeldUp held(here.first);
  here.Fill(here.first, scratch);
  if (broken) {
    MUST(aclrtFree(scratch));
  } else {
    MUST(aclrtLaunchHostFunc(
        here.first, [](void* memory) { MUST(aclrtFree(memory)); }, scratch));
  }
  held.Release();
  aclrtSynchronizeStream(here.first);
}

PROGRAM(destroys_a_stream_with_work_left, "ACL-STREAM-001") {
  Setting here;
  const aclrtStream stream = NewStream();
  aclrtNotify notify = nullptr;
  MUST(aclrtCreateNotify(&notify, 0));
  MUST(aclrtWaitAndResetNotify(notify, stream, 0));
  if (!broken) {
    MUST(aclrtRecordNotify(notify, here.second));
    MUST(aclrtSynchronizeStream(stream));
  }
  MUST(aclrtDestroyStreamForce(stream));
  MUST(aclrtDestroyNotify(notify));
}

PROGRAM(destroys_a_stream_whose_task_failed, "ACL-STREAM-003") {
  Setting here;
  const aclrtStream stream = NewStream();
  MUST(aclrtLaunchHostFunc(
      stream, [](void*) { throw 1; }, nullptr));
  if (!broken) aclrtSynchronizeStream(stream);
  MUST(aclrtDestroyStream(stream));
}
