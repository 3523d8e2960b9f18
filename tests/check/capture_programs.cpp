// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <acl/acl_mdl.h>

#include <atomic>
#include <fstream>
#include <thread>
#include <vector>

#include "check/held_up.h"
#include "check/program.h"

using namespace checked;

namespace {

constexpr std::size_t kBytes = 4096;

struct Setting {
  Session session;
  aclrtStream first = NewStream(), second = NewStream();
  void* const a = DeviceMemory(kBytes);
  void* const b = DeviceMemory(kBytes);

  ~Setting() {
    aclrtSynchronizeDevice();
    MUST(aclrtDestroyStream(first));
    MUST(aclrtDestroyStream(second));
    aclrtFree(a);
    aclrtFree(b);
  }
};

void Fill(void* memory, aclrtStream stream) {
  MUST(aclrtMemsetAsync(memory, kBytes, 1, kBytes, stream));
}

void Begin(aclrtStream stream) {
  MUST(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
}

aclmdlRI End(aclrtStream stream) {
  aclmdlRI instance = nullptr;
  MUST(aclmdlRICaptureEnd(stream, &instance));
  return instance;
}

aclmdlRI CaptureFill(void* memory, aclrtStream stream) {
  Begin(stream);
  Fill(memory, stream);
  return End(stream);
}

long ResidentMegabytes() {
  std::ifstream status("/proc/self/status");
  long kilobytes = 0;
  for (std::string line; std::getline(status, line);)
    if (std::sscanf(line.c_str(), "VmRSS: %ld", &kilobytes) == 1) break;
  return kilobytes / 1024;
}

// What is queued on the second stream next comes after what is on the first.
void Follow(aclrtStream first, aclrtStream second, aclrtEvent event) {
  MUST(aclrtRecordEvent(event, first));
  MUST(aclrtStreamWaitEvent(second, event));
}

}  // namespace

// What ended is forgotten: runs of a capture with two streams do not need more and more memory.
PROGRAM(runs_a_fork_again_and_again, "") {
  Setting here;
  std::vector<void*> blocks(200);
  for (void*& block : blocks)
    block = DeviceMemory(kBytes);
  const aclrtEvent fork = NewEvent(), join = NewEvent();
  Begin(here.first);
  for (std::size_t i = 0; i < blocks.size(); i += 2)
    Fill(blocks[i], here.first);
  Follow(here.first, here.second, fork);
  for (std::size_t i = 1; i < blocks.size(); i += 2)
    Fill(blocks[i], here.second);
  Follow(here.second, here.first, join);
  aclmdlRI instance = End(here.first);
  long early = 0;
  for (int run = 0; run < (broken ? 3 : 1200); ++run) {
    MUST(aclmdlRIExecuteAsync(instance, here.first));
    if (run % 3 == 0) MUST(aclrtSynchronizeStream(here.first));
    if (run == 400) early = ResidentMegabytes();
  }
  MUST(aclrtSynchronizeStream(here.first));
  if (early != 0 && ResidentMegabytes() > early + 8) std::exit(3);
  MUST(aclmdlRIDestroy(instance));
  MUST(aclrtDestroyEvent(fork));
  MUST(aclrtDestroyEvent(join));
  for (void* const block : blocks)
    MUST(aclrtFree(block));
}

// A run is ended while one of its streams calls a function: what comes behind that is not run, and is no
// access.
PROGRAM(goes_on_after_a_run_that_was_ended, "") {
  static std::atomic<bool> inside{false}, may_go{false};
  Setting here;
  const aclrtEvent fork = NewEvent(), join = NewEvent();
  Begin(here.first);
  Follow(here.first, here.second, fork);
  const auto wait = [](void*) {
    inside.store(true);
    while (!may_go.load())
      std::this_thread::yield();
  };
  MUST(aclrtLaunchHostFunc(here.second, wait, nullptr));
  Fill(here.a, here.second);
  Follow(here.second, here.first, join);
  const aclmdlRI instance = End(here.first);
  MUST(aclmdlRIExecuteAsync(instance, here.first));
  while (!inside.load())
    std::this_thread::yield();
  MUST(aclmdlRIAbort(instance));
  if (aclrtSynchronizeStream(here.first) == 0) std::exit(3);
  may_go.store(true);
  for (int run = 0; run < 2; ++run)
    MUST(aclmdlRIExecuteAsync(instance, here.first));
  MUST(aclrtSynchronizeStream(here.first));
  MUST(aclrtMemset(here.a, kBytes, 2, kBytes));
  MUST(aclmdlRIDestroy(instance));
  MUST(aclrtDestroyEvent(fork));
  MUST(aclrtDestroyEvent(join));
}

PROGRAM(runs_with_memory_that_was_freed, "ACL-MEM-050") {
  Setting here;
  void* const memory = DeviceMemory(kBytes);
  const aclmdlRI instance = CaptureFill(memory, here.first);
  MUST(aclmdlRIExecuteAsync(instance, here.first));
  MUST(aclrtSynchronizeStream(here.first));
  if (broken) MUST(aclrtFree(memory));
  MUST(aclmdlRIExecuteAsync(instance, here.first));
  aclrtSynchronizeStream(here.first);
  MUST(aclmdlRIDestroy(instance));
  if (!broken) MUST(aclrtFree(memory));
}

PROGRAM(frees_under_a_queued_run, "ACL-MEM-003") {
  Setting here;
  void* const memory = DeviceMemory(kBytes);
  const aclmdlRI instance = CaptureFill(memory, here.first);
  HeldUp held(here.first);
  MUST(aclmdlRIExecuteAsync(instance, here.first));
  if (broken) MUST(aclrtFree(memory));
  held.Release();
  aclrtSynchronizeStream(here.first);
  MUST(aclmdlRIDestroy(instance));
  if (!broken) MUST(aclrtFree(memory));
}

PROGRAM(runs_one_instance_on_two_streams, "ACL-RACE-050") {
  Setting here;
  const aclrtEvent event = NewEvent();
  const aclmdlRI instance = CaptureFill(here.a, here.first);
  MUST(aclmdlRIExecuteAsync(instance, here.first));
  if (!broken) Follow(here.first, here.second, event);
  MUST(aclmdlRIExecuteAsync(instance, here.second));
  MUST(aclrtSynchronizeDevice());
  MUST(aclmdlRIDestroy(instance));
  MUST(aclrtDestroyEvent(event));
}

PROGRAM(runs_two_instances_over_one_buffer, "ACL-RACE-051") {
  Setting here;
  const aclrtEvent event = NewEvent();
  const aclmdlRI one = CaptureFill(here.a, here.first), other = CaptureFill(here.a, here.second);
  MUST(aclmdlRIExecuteAsync(one, here.first));
  if (!broken) Follow(here.first, here.second, event);
  MUST(aclmdlRIExecuteAsync(other, here.second));
  MUST(aclrtSynchronizeDevice());
  MUST(aclmdlRIDestroy(one));
  MUST(aclmdlRIDestroy(other));
  MUST(aclrtDestroyEvent(event));
}

// The other stream forks off and comes back; between, both write.
PROGRAM(captures_two_streams_without_order, "ACL-RACE-052") {
  Setting here;
  const aclrtEvent fork = NewEvent(), join = NewEvent();
  Begin(here.first);
  Follow(here.first, here.second, fork);
  Fill(here.a, here.second);
  if (!broken) Follow(here.second, here.first, join);
  Fill(here.a, here.first);
  if (broken) Follow(here.second, here.first, join);
  const aclmdlRI instance = End(here.first);
  MUST(aclmdlRIExecuteAsync(instance, here.first));
  MUST(aclrtSynchronizeDevice());
  MUST(aclmdlRIDestroy(instance));
  MUST(aclrtDestroyEvent(fork));
  MUST(aclrtDestroyEvent(join));
}

// A captured task and a task that is not.
PROGRAM(forgets_the_event_behind_a_run, "ACL-RACE-001") {
  Setting here;
  const aclrtEvent event = NewEvent();
  const aclmdlRI instance = CaptureFill(here.a, here.first);
  MUST(aclmdlRIExecuteAsync(instance, here.first));
  if (!broken) Follow(here.first, here.second, event);
  MUST(aclrtMemcpyAsync(here.b, kBytes, here.a, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE, here.second));
  MUST(aclrtSynchronizeDevice());
  MUST(aclmdlRIDestroy(instance));
  MUST(aclrtDestroyEvent(event));
}

PROGRAM(copies_the_result_of_a_run_too_early, "ACL-RACE-003") {
  Setting here;
  char host[kBytes];
  const aclmdlRI instance = CaptureFill(here.a, here.first);
  MUST(aclmdlRIExecuteAsync(instance, here.first));
  if (!broken) MUST(aclrtSynchronizeStream(here.first));
  MUST(aclrtMemcpy(host, kBytes, here.a, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
  MUST(aclrtSynchronizeStream(here.first));
  MUST(aclmdlRIDestroy(instance));
}

PROGRAM(ends_a_capture_with_a_fork_left, "ACL-SYNC-050") {
  Setting here;
  const aclrtEvent fork = NewEvent(), join = NewEvent();
  Begin(here.first);
  Follow(here.first, here.second, fork);
  Fill(here.a, here.second);
  if (!broken) Follow(here.second, here.first, join);
  aclmdlRI instance = nullptr;
  const int code = aclmdlRICaptureEnd(here.first, &instance);
  if (!broken) MUST(code);
  if (!broken) MUST(aclmdlRIDestroy(instance));
  MUST(aclrtDestroyEvent(fork));
  MUST(aclrtDestroyEvent(join));
}

PROGRAM(waits_for_an_event_of_outside, "ACL-SYNC-051") {
  Setting here;
  const aclrtEvent event = NewEvent();
  HeldUp held(here.second);
  MUST(aclrtRecordEvent(event, here.second));
  if (!broken) MUST(aclrtStreamWaitEvent(here.first, event));
  Begin(here.first);
  if (broken) aclrtStreamWaitEvent(here.first, event);
  held.Release();
  if (!broken) Fill(here.a, here.first);
  aclmdlRI instance = nullptr;
  const int code = aclmdlRICaptureEnd(here.first, &instance);
  if (!broken) MUST(code);
  if (!broken) MUST(aclmdlRIDestroy(instance));
  MUST(aclrtSynchronizeDevice());
  MUST(aclrtDestroyEvent(event));
}

PROGRAM(updates_a_group_with_another_call, "ACL-MDL-050") {
  Setting here;
  aclrtTaskGrp group = nullptr;
  Begin(here.first);
  MUST(aclmdlRICaptureTaskGrpBegin(here.first));
  Fill(here.a, here.first);
  MUST(aclmdlRICaptureTaskGrpEnd(here.first, &group));
  const aclmdlRI instance = End(here.first);
  MUST(aclmdlRICaptureTaskUpdateBegin(here.second, group));
  Fill(here.b, here.second);
  if (broken) Fill(here.a, here.second);
  const int code = aclmdlRICaptureTaskUpdateEnd(here.second);
  if (!broken) MUST(code);
  MUST(aclrtSynchronizeStream(here.second));
  MUST(aclmdlRIExecuteAsync(instance, here.first));
  MUST(aclrtSynchronizeStream(here.first));
  MUST(aclmdlRIDestroy(instance));
}
