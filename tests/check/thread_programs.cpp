// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Contexts, devices and objects that several threads use.
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <sstream>
#include <thread>

#include "check/held_up.h"
#include "check/program.h"

using namespace checked;

namespace {

// A thread that sleeps, as the system sees it.
bool Sleeps(pid_t thread) {
  std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::stringstream text;
  text << file.rdbuf();
  const std::string all = text.str();
  const auto end = all.rfind(')');
  return end != std::string::npos && all.compare(end, 3, ") S") == 0;
}

}  // namespace

PROGRAM(destroys_a_context_with_a_stream, "ACL-CTX-003") {
  const Session session;
  aclrtContext before = nullptr, context = nullptr;
  MUST(aclrtGetCurrentContext(&before));
  MUST(aclrtCreateContext(&context, 0));
  const aclrtStream stream = NewStream();
  if (!broken) MUST(aclrtDestroyStream(stream));
  MUST(aclrtDestroyContext(context));
  MUST(aclrtSetCurrentContext(before));
}

PROGRAM(destroys_a_context_of_another_thread, "ACL-CTX-003") {
  const Session session;
  aclrtContext before = nullptr, context = nullptr;
  MUST(aclrtGetCurrentContext(&before));
  MUST(aclrtCreateContext(&context, 0));
  std::atomic<int> step{0};
  std::thread worker([&] {
    MUST(aclrtSetCurrentContext(context));
    if (!broken) MUST(aclrtSetCurrentContext(before));
    step.store(1), step.notify_all();
    step.wait(1);
  });
  step.wait(0);
  MUST(aclrtDestroyContext(context));
  MUST(aclrtSetCurrentContext(before));
  step.store(2), step.notify_all();
  worker.join();
}

PROGRAM(uses_a_device_another_thread_has_reset, "ACL-CTX-004") {
  MUST(aclInit(nullptr));
  std::atomic<int> step{0};
  std::thread worker([&] {
    MUST(aclrtSetDevice(0));
    step.store(1), step.notify_all();
    step.wait(1);
    void* memory = nullptr;
    if (aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) == 0) MUST(aclrtFree(memory));
    if (!broken) MUST(aclrtResetDevice(0));
  });
  MUST(aclrtSetDevice(0));
  step.wait(0);
  MUST(broken ? aclrtResetDeviceForce(0) : aclrtResetDevice(0));
  step.store(2), step.notify_all();
  worker.join();
  MUST(aclFinalize());
}

PROGRAM(resets_more_often_than_it_sets, "ACL-CTX-004") {
  MUST(aclInit(nullptr));
  MUST(aclrtSetDevice(0));
  MUST(aclrtResetDevice(0));
  if (broken) aclrtResetDevice(0);
  MUST(aclFinalize());
}

PROGRAM(finalizes_in_a_static_destructor, "ACL-LIFE-004") {
  struct Library {
    Library() { MUST(aclInit(nullptr)); }
    ~Library() {
      if (finalizes) aclFinalize();
    }
    bool finalizes = true;
  };
  static Library library;
  library.finalizes = broken;
  if (!broken) MUST(aclFinalize());
}

PROGRAM(destroys_an_event_another_thread_waits_for, "ACL-LIFE-006") {
  const Session session;
  aclrtContext context = nullptr;
  MUST(aclrtGetCurrentContext(&context));
  const aclrtStream stream = NewStream();
  HeldUp held(stream);
  aclrtEvent event = nullptr;
  MUST(aclrtCreateEvent(&event));
  MUST(aclrtRecordEvent(event, stream));
  std::atomic<pid_t> waiting{0};
  std::thread worker([&] {
    MUST(aclrtSetCurrentContext(context));
    waiting.store(static_cast<pid_t>(syscall(SYS_gettid)));
    aclrtSynchronizeEvent(event);
  });
  while (waiting.load() == 0 || !Sleeps(waiting.load()))
    std::this_thread::yield();
  if (broken) MUST(aclrtDestroyEvent(event));
  held.Release();
  worker.join();
  if (!broken) MUST(aclrtDestroyEvent(event));
  MUST(aclrtSynchronizeStream(stream));
  MUST(aclrtDestroyStream(stream));
}

PROGRAM(keeps_a_subscription, "ACL-LEAK-003") {
  const Session session;
  const aclrtStream stream = NewStream();
  const auto self = static_cast<uint64_t>(pthread_self());
  MUST(aclrtSubscribeReport(self, stream));
  if (!broken) MUST(aclrtUnSubscribeReport(self, stream));
  MUST(aclrtDestroyStream(stream));
}
