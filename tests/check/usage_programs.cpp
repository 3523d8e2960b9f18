// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <acl/acl_dump.h>
#include <acl/acl_mdl.h>
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <thread>

#include "check/program.h"

using namespace checked;

namespace {

void Nothing(void*) {}

// Holds a stream, as base classes do, and is destroyed after the class above it.
struct StreamHolder {
  aclrtStream stream = nullptr;
  ~StreamHolder() {
    if (stream != nullptr) aclrtDestroyStream(stream);
  }
};

}  // namespace

PROGRAM(destroys_with_the_wrong_device_current, "ACL-STREAM-002") {
  const Session session;
  const aclrtStream first = NewStream();
  MUST(aclrtSetDevice(1));
  const aclrtStream second = NewStream();
  if (!broken) MUST(aclrtSetDevice(0));
  aclrtDestroyStream(first);
  MUST(aclrtSetDevice(1));
  MUST(aclrtDestroyStream(second));
  if (broken) {
    MUST(aclrtSetDevice(0));
    MUST(aclrtDestroyStream(first));
  }
  MUST(aclrtResetDeviceForce(1));
}

PROGRAM(launches_without_a_subscription, "ACL-CB-001") {
  const Session session;
  const aclrtStream stream = NewStream();
  if (broken) {
    aclrtLaunchCallback(&Nothing, nullptr, ACL_CALLBACK_BLOCK, stream);
  } else {
    MUST(aclrtLaunchHostFunc(stream, &Nothing, nullptr));
  }
  MUST(aclrtSynchronizeStream(stream));
  MUST(aclrtDestroyStream(stream));
}

PROGRAM(waits_for_its_own_stream, "ACL-CB-003") {
  const Session session;
  struct Both {
    aclrtStream awaited;
    aclrtContext context;
  } both{};
  const aclrtStream stream = NewStream(), other = NewStream();
  both.awaited = broken ? stream : other;
  MUST(aclrtGetCurrentContext(&both.context));
  const auto wait = [](void* data) {
    const auto& both = *static_cast<Both*>(data);
    aclrtSetCurrentContext(both.context);
    aclrtSynchronizeStream(both.awaited);
  };
  MUST(aclrtLaunchHostFunc(stream, wait, &both));
  MUST(aclrtSynchronizeStream(stream));
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtDestroyStream(other));
}

PROGRAM(uses_a_device_without_a_context, "ACL-CTX-001") {
  const Session session;
  aclrtContext context = nullptr;
  MUST(aclrtGetCurrentContext(&context));
  const aclrtStream stream = NewStream();
  void* const device = DeviceMemory(64);
  void* const pinned = PinnedMemory(64);
  std::thread([&] {
    if (!broken) MUST(aclrtSetCurrentContext(context));
    aclrtMemcpyAsync(device, 64, pinned, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream);
  }).join();
  MUST(aclrtSynchronizeStream(stream));
  MUST(aclrtFree(device));
  MUST(aclrtFreeHost(pinned));
  MUST(aclrtDestroyStream(stream));
}

PROGRAM(records_an_event_of_another_device, "ACL-CTX-002") {
  const Session session;
  aclrtEvent event = nullptr;
  MUST(aclrtCreateEvent(&event));
  if (!broken) MUST(aclrtRecordEvent(event, nullptr));
  MUST(aclrtSetDevice(1));
  const aclrtStream stream = NewStream();
  if (broken)
    aclrtRecordEvent(event, stream);
  else
    MUST(aclrtStreamWaitEvent(stream, event));
  MUST(aclrtSynchronizeStream(stream));
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtResetDeviceForce(1));
  MUST(aclrtSetDevice(0));
  MUST(aclrtDestroyEvent(event));
}

PROGRAM(goes_on_in_a_forked_child, "ACL-CTX-005") {
  const Session session;
  void* memory = DeviceMemory(64);
  const pid_t child = fork();
  if (child == 0) {
    MUST(aclInit(nullptr));
    MUST(aclrtSetDevice(0));
    if (!broken) memory = DeviceMemory(64);
    aclrtMemset(memory, 64, 0, 64);
    if (!broken) MUST(aclrtFree(memory));
    std::exit(0);
  }
  waitpid(child, nullptr, 0);
  MUST(aclrtFree(memory));
}

PROGRAM(dumps_before_init, "ACL-LIFE-001") {
  if (!broken) MUST(aclInit(nullptr));
  aclmdlInitDump();
  if (!broken) {
    MUST(aclmdlFinalizeDump());
    MUST(aclFinalize());
  }
}

PROGRAM(allocates_before_init, "ACL-LIFE-001") {
  if (!broken) {
    MUST(aclInit(nullptr));
    MUST(aclrtSetDevice(0));
  }
  void* memory = nullptr;
  if (aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST) == 0) aclrtFree(memory);
  if (!broken) MUST(aclFinalize());
}

// What is destroyed too late was not forgotten: it is no leak.
PROGRAM(destroys_after_finalize, "ACL-LIFE-002") {
  struct Finalizer {
    bool finalizes;
    ~Finalizer() {
      if (finalizes) MUST(aclFinalize());
    }
  };
  struct Model : Finalizer, StreamHolder {
    bool finalizes_first;
    ~Model() {
      if (finalizes_first) MUST(aclFinalize());
    }
  };
  MUST(aclInit(nullptr));
  MUST(aclrtSetDevice(0));
  Model model{{!broken}, {NewStream()}, broken};
}

PROGRAM(frees_after_finalize, "ACL-LIFE-002") {
  MUST(aclInit(nullptr));
  MUST(aclrtSetDevice(0));
  void* const memory = DeviceMemory(64);
  if (broken) MUST(aclFinalize());
  aclrtFree(memory);
  if (!broken) MUST(aclFinalize());
}

PROGRAM(leaves_an_event_to_the_end_of_the_library, "ACL-LEAK-003") {
  MUST(aclInit(nullptr));
  MUST(aclrtSetDevice(0));
  aclrtEvent event = nullptr;
  MUST(aclrtCreateEvent(&event));
  if (!broken) MUST(aclrtDestroyEvent(event));
  MUST(aclFinalize());
}

PROGRAM(uses_a_device_after_finalize, "ACL-LIFE-002") {
  { const Session session; }
  if (!broken) MUST(aclInit(nullptr));
  aclrtSetDevice(0);
  if (!broken) MUST(aclFinalize());
}

PROGRAM(finalizes_what_another_library_initialized, "ACL-LIFE-003") {
  MUST(aclInit(nullptr));
  void* const guest = dlopen(GUEST_LIBRARY, RTLD_NOW);
  if (guest == nullptr) std::exit(2);
  reinterpret_cast<void (*)(bool)>(dlsym(guest, "UseTheLibrary"))(broken);
  if (!broken) MUST(aclFinalize());
}

PROGRAM(uses_a_destroyed_stream, "ACL-LIFE-005") {
  const Session session;
  aclrtStream stream = NewStream();
  MUST(aclrtDestroyStream(stream));
  if (!broken) stream = NewStream();
  aclrtSynchronizeStream(stream);
  if (!broken) MUST(aclrtDestroyStream(stream));
}

PROGRAM(takes_an_event_for_a_stream, "ACL-LIFE-005") {
  const Session session;
  aclrtEvent event = nullptr;
  MUST(aclrtCreateEvent(&event));
  const aclrtStream stream = NewStream();
  aclrtSynchronizeStream(broken ? event : stream);
  MUST(aclrtDestroyStream(stream));
  MUST(aclrtDestroyEvent(event));
}

PROGRAM(destroys_twice, "ACL-LIFE-007") {
  const Session session;
  aclrtEvent event = nullptr;
  MUST(aclrtCreateEvent(&event));
  MUST(aclrtDestroyEvent(event));
  if (!broken) MUST(aclrtCreateEvent(&event));
  aclrtDestroyEvent(event);
}

PROGRAM(destroys_a_data_buffer_twice, "ACL-LIFE-007") {
  const Session session;
  char data[16];
  aclDataBuffer* buffer = aclCreateDataBuffer(data, sizeof data);
  MUST(aclDestroyDataBuffer(buffer));
  if (!broken) buffer = aclCreateDataBuffer(data, sizeof data);
  aclDestroyDataBuffer(buffer);
}

PROGRAM(takes_the_time_of_an_event_not_recorded, "ACL-SYNC-005") {
  const Session session;
  const aclrtStream stream = NewStream();
  aclrtEvent start = nullptr, end = nullptr;
  MUST(aclrtCreateEvent(&start));
  MUST(aclrtCreateEvent(&end));
  MUST(aclrtRecordEvent(start, stream));
  if (!broken) MUST(aclrtRecordEvent(end, stream));
  MUST(aclrtSynchronizeStream(stream));
  float milliseconds = 0;
  aclrtEventElapsedTime(&milliseconds, start, end);
  MUST(aclrtDestroyEvent(start));
  MUST(aclrtDestroyEvent(end));
  MUST(aclrtDestroyStream(stream));
}
