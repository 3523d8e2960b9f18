// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Pinned memory and the copies that use it.
#include <pthread.h>

#include <cstdint>
#include <cstring>
#include <thread>

#include "check/program.h"
#include "foothold/check.h"

using namespace checked;

namespace {

constexpr std::size_t kNumbers = 1024, kBytes = kNumbers * sizeof(std::int32_t);

// Keeps what is queued in a stream from running, until it ends.
class Gate {
 public:
  explicit Gate(aclrtStream stream) {
    MUST(aclrtCreateNotify(&notify_, 0));
    MUST(aclrtWaitAndResetNotify(notify_, stream, 0));
  }
  ~Gate() {
    MUST(aclrtRecordNotify(notify_, other_));
    MUST(aclrtSynchronizeDevice());
    MUST(aclrtDestroyNotify(notify_));
    MUST(aclrtDestroyStream(other_));
  }

 private:
  const aclrtStream other_ = NewStream();
  aclrtNotify notify_ = nullptr;
};

void Fill(void* memory, std::int32_t number) {
  for (std::size_t i = 0; i < kNumbers; ++i)
    static_cast<std::int32_t*>(memory)[i] = number;
}

std::int64_t Sum(const void* memory) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < kNumbers; ++i)
    sum += static_cast<const volatile std::int32_t*>(memory)[i];
  return sum;
}

struct Pinned {
  Session session;
  aclrtStream stream = NewStream();
  void* const device = DeviceMemory(kBytes);
  void* const result = DeviceMemory(kBytes);
  void* const a = PinnedMemory(kBytes);
  void* const b = PinnedMemory(kBytes);

  Pinned() {
    Fill(a, 0);
    Fill(b, 0);
    MUST(aclrtMemset(device, kBytes, 1, kBytes));
    MUST(aclrtMemset(result, kBytes, 1, kBytes));
  }
  ~Pinned() {
    MUST(aclrtSynchronizeDevice());
    MUST(aclrtDestroyStream(stream));
    MUST(aclrtFree(device));
    MUST(aclrtFree(result));
    MUST(aclrtFreeHost(a));
    MUST(aclrtFreeHost(b));
  }
};

}  // namespace

// Each step fills the one buffer while the copy of the step before is queued.
PROGRAM(refills_a_buffer_under_a_queued_copy, "ACL-RACE-004") {
  Pinned here;
  aclrtEvent events[2] = {};
  for (aclrtEvent& event : events)
    MUST(aclrtCreateEvent(&event));
  {
    void* const buffers[2] = {here.a, broken ? here.a : here.b};
    const Gate* const gate = broken ? new Gate(here.stream) : nullptr;
    for (int step = 0; step < 4; ++step) {
      if (!broken && step > 1) MUST(aclrtSynchronizeEvent(events[step % 2]));
      Fill(buffers[step % 2], step);
      MUST(aclrtMemcpyAsync(here.device, kBytes, buffers[step % 2], kBytes, ACL_MEMCPY_HOST_TO_DEVICE,
                            here.stream));
      MUST(aclrtMemcpyAsync(here.result, kBytes, here.device, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE,
                            here.stream));
      MUST(aclrtRecordEvent(events[step % 2], here.stream));
    }
    delete gate;
  }
  MUST(aclrtSynchronizeStream(here.stream));
  for (aclrtEvent event : events)
    MUST(aclrtDestroyEvent(event));
}

// The bytes are taken at the call, or are the same again: nothing to wait for.
PROGRAM(refills_a_buffer_that_was_taken, "") {
  Pinned here;
  {
    const Gate gate(here.stream);
    MUST(
        aclrtMemcpyAsync(here.device, kBytes, here.a, kBytes, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, here.stream));
    Fill(here.a, 1);
    MUST(aclrtMemcpyAsync(here.result, kBytes, here.b, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, here.stream));
    Fill(here.b, 0);
  }
  MUST(aclrtSynchronizeStream(here.stream));
}

// The result goes on to the device before anybody has waited for it.
PROGRAM(passes_a_result_on_before_it_is_there, "ACL-RACE-002") {
  Pinned here;
  MUST(aclrtMemcpyAsync(here.a, kBytes, here.device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, here.stream));
  if (!broken) MUST(aclrtSynchronizeStream(here.stream));
  MUST(aclrtMemcpy(here.result, kBytes, here.a, kBytes, ACL_MEMCPY_HOST_TO_DEVICE));
  MUST(aclrtSynchronizeStream(here.stream));
}

// Only closed pages find this one; another thread is told of the wait by a lock.
PROGRAM(sums_a_result_before_it_is_there, "pages:ACL-RACE-002") {
  Pinned here;
  aclrtEvent event = nullptr;
  MUST(aclrtCreateEvent(&event));
  MUST(aclrtMemcpyAsync(here.a, kBytes, here.device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, here.stream));
  MUST(aclrtRecordEvent(event, here.stream));
  std::int64_t sum = 0;
  if (broken) sum = Sum(here.a);
  MUST(aclrtSynchronizeEvent(event));
  std::thread([&] { sum = Sum(here.a); }).join();
  if (sum != std::int64_t{kNumbers} * 0x01010101) std::exit(3);
  MUST(aclrtDestroyEvent(event));
}

PROGRAM(writes_the_source_of_a_queued_copy, "pages:ACL-RACE-004") {
  Pinned here;
  MUST(aclrtMemcpyAsync(here.device, kBytes, here.a, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, here.stream));
  if (Sum(here.a) != 0) std::exit(3);  // reading is fine
  if (!broken) MUST(aclrtSynchronizeStream(here.stream));
  Fill(here.a, 0);
  MUST(aclrtSynchronizeStream(here.stream));
}

// A source that is too large to be read as a whole.
PROGRAM(refills_a_large_buffer_under_a_queued_copy, "ACL-RACE-004") {
  constexpr std::size_t kLarge = 1 << 20;
  const Session session;
  void* const from = PinnedMemory(kLarge);
  void* const to = DeviceMemory(kLarge);
  const aclrtStream stream = NewStream();
  std::memset(from, 1, kLarge);
  {
    const Gate gate(stream);
    MUST(aclrtMemcpyAsync(to, kLarge, from, kLarge, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    if (broken) std::memset(static_cast<char*>(from) + 12345, 2, 2000);
  }
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtFree(to));
  MUST(aclrtFreeHost(from));
}

// So little that it is in no quarter but one, and every fourth task is a copy.
PROGRAM(changes_a_little_of_a_large_buffer_in_each_step, "ACL-RACE-004") {
  constexpr std::size_t kLarge = 1 << 20;
  const Session session;
  auto* const from = static_cast<char*>(PinnedMemory(kLarge));
  void* const to = DeviceMemory(kLarge);
  const aclrtStream stream = NewStream();
  std::memset(from, 0, kLarge);
  {
    const Gate gate(stream);
    for (int step = 1; step < 32; ++step) {
      MUST(aclrtMemcpyAsync(to, kLarge, from, kLarge, ACL_MEMCPY_HOST_TO_DEVICE, stream));
      if (broken) std::memset(from, step, 16);
      for (int task = 0; task < 3; ++task)
        MUST(aclrtMemsetAsync(to, kBytes, 1, kBytes, stream));
    }
  }
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtFree(to));
  MUST(aclrtFreeHost(from));
}

// A copy the program does not want to be looked at.
PROGRAM(changes_the_source_of_a_copy_it_ignores, "ACL-RACE-004") {
  Pinned here;
  {
    const Gate gate(here.stream);
    if (!broken) FootholdIgnoreBegin();
    MUST(aclrtMemcpyAsync(here.device, kBytes, here.a, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, here.stream));
    if (!broken) FootholdIgnoreEnd();
    Fill(here.a, 1);
  }
}

// The stream goes on behind a function that has ended its thread, and is looked at as before.
PROGRAM(refills_a_buffer_behind_a_function_that_ended_its_thread, "ACL-RACE-004") {
  Pinned here;
  MUST(aclrtLaunchHostFunc(
      here.stream, [](void*) { pthread_exit(nullptr); }, nullptr));
  if (aclrtSynchronizeStream(here.stream) == ACL_SUCCESS) std::exit(3);
  {
    const Gate gate(here.stream);
    MUST(aclrtMemcpyAsync(here.device, kBytes, here.a, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, here.stream));
    if (broken) Fill(here.a, 1);
  }
}

// One number too many.
PROGRAM(writes_behind_pinned_memory, "ACL-MEM-007") {
  const Session session;
  auto* const numbers = static_cast<volatile std::int32_t*>(PinnedMemory(kBytes));
  for (std::size_t i = 0; i < kNumbers + broken; ++i)
    numbers[i] = 1;
  MUST(aclrtFreeHost(const_cast<std::int32_t*>(numbers)));
}

// Behind its last page, where nothing can be written if guards are pages.
PROGRAM(writes_far_behind_pinned_memory, "ACL-MEM-007",
        "FOOTHOLD_CHECK_GUARD=4096 FOOTHOLD_CHECK_ON=report,continue") {
  const Session session;
  auto* const bytes = static_cast<volatile char*>(PinnedMemory(kBytes));
  for (std::size_t i = 0; i < kBytes; ++i)
    bytes[i] = 1;
  if (broken) bytes[2 * kBytes + 8] = 1;
  MUST(aclrtFreeHost(const_cast<char*>(bytes)));
}

// Programs that need pages get them, with guards and without.
PROGRAM(takes_pinned_memory_that_begins_at_a_page, "") {
  const Session session;
  void* const memory = PinnedMemory(1 << 20);
  if (reinterpret_cast<std::uintptr_t>(memory) % 4096 != 0) std::exit(3);
  MUST(aclrtFreeHost(memory));
}
