// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Programs that break no rule, for schedules and faults.
#include <acl/acl_mdl.h>

#include <cstring>

#include "check/held_up.h"
#include "check/program.h"

using namespace checked;

namespace {

constexpr std::size_t kBytes = 4096;

// Prints what did not answer 0.
bool Tell(const char* what, int code) {
  if (code != 0) std::printf("%s:%d\n", what, code);
  return code == 0;
}

// Says how many bytes are not as they were sent.
void CopyThereAndBack(aclrtStream stream, void* device, void* pinned) {
  std::memset(pinned, 5, kBytes);
  aclrtMemcpyAsync(device, kBytes, pinned, kBytes, ACL_MEMCPY_HOST_TO_DEVICE, stream);
  aclrtMemcpyAsync(pinned, kBytes, device, kBytes, ACL_MEMCPY_DEVICE_TO_HOST, stream);
  if (!Tell("sync", aclrtSynchronizeStream(stream))) return;
  int flipped = 0;
  for (std::size_t i = 0; i < kBytes; ++i)
    flipped += static_cast<char*>(pinned)[i] != 5;
  if (flipped != 0) std::printf("flipped:%d\n", flipped);
}

void UseStream(void* device, void* pinned) {
  aclrtStream stream = nullptr;
  if (!Tell("stream", aclrtCreateStream(&stream))) return;
  aclrtEvent event = nullptr;
  if (Tell("event", aclrtCreateEvent(&event))) {
    aclrtRecordEvent(event, stream);
    Tell("eventlimit", aclrtSynchronizeEventWithTimeout(event, 10000));
    aclrtDestroyEvent(event);
  }
  Tell("synclimit", aclrtSynchronizeStreamWithTimeout(stream, 10000));
  if (device != nullptr && pinned != nullptr) CopyThereAndBack(stream, device, pinned);
  void* more = nullptr;
  aclrtMemUceInfo info[4];
  std::size_t errors = 0;
  if (std::getenv("FOOTHOLD_FAULTS") != nullptr &&
      std::strstr(std::getenv("FOOTHOLD_FAULTS"), "device") != nullptr) {
    Tell("malloc2", aclrtMalloc(&more, kBytes, ACL_MEM_MALLOC_HUGE_FIRST));
    if (aclrtGetMemUceInfo(0, info, 4, &errors) == 0 && errors > 0) std::printf("uce:%zu\n", errors);
    if (more != nullptr) aclrtFree(more);
    std::printf("reset:%d\n", aclrtResetDeviceForce(0));
    MUST(aclrtSetDevice(0));
    return;
  }
  aclrtDestroyStream(stream);
}

}  // namespace

PROGRAM(meets_faults, "") {
  const Session session;
  std::uint32_t count = 0;
  Tell("count", aclrtGetDeviceCount(&count));
  void *device = nullptr, *pinned = nullptr;
  if (Tell("malloc", aclrtMalloc(&device, kBytes, ACL_MEM_MALLOC_HUGE_FIRST)))
    Tell("memset", aclrtMemset(device, kBytes, 0, kBytes));
  Tell("mallochost", aclrtMallocHost(&pinned, kBytes));
  aclrtNotify notify = nullptr;
  if (Tell("notify", aclrtCreateNotify(&notify, 0))) aclrtDestroyNotify(notify);
  UseStream(device, pinned);
  const char* const plan = std::getenv("FOOTHOLD_FAULTS");
  std::uint32_t model = 0;
  if (plan != nullptr && std::strstr(plan, "Report") != nullptr) Tell("report", aclrtProcessReport(1));
  if (plan != nullptr && std::strstr(plan, "Load") != nullptr)
    Tell("load", aclmdlLoadFromFile("nothing", &model));
  if (plan != nullptr && std::strstr(plan, "device") != nullptr) return;
  if (device != nullptr) aclrtFree(device);
  if (pinned != nullptr) aclrtFreeHost(pinned);
}

// Ten times the same, and once something else.
PROGRAM(takes_memory_in_a_loop, "") {
  const Session session;
  void* memory = nullptr;
  for (int turn = 0; turn < 10; ++turn)
    if (Tell("malloc", aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST))) MUST(aclrtFree(memory));
  if (Tell("pinned", aclrtMallocHost(&memory, kBytes))) MUST(aclrtFreeHost(memory));
}

PROGRAM(runs_many_tasks, "") {
  const Session session;
  aclrtStream streams[3];
  for (aclrtStream& stream : streams)
    stream = NewStream();
  const aclrtEvent event = NewEvent();
  auto* const memory = static_cast<char*>(DeviceMemory(3 * kBytes));
  for (int turn = 0; turn < 8; ++turn) {
    for (int i = 0; i < 3; ++i)
      MUST(aclrtMemsetAsync(memory + kBytes * static_cast<std::size_t>(i), kBytes, turn, kBytes, streams[i]));
    MUST(aclrtRecordEvent(event, streams[turn % 3]));
    MUST(aclrtStreamWaitEvent(streams[(turn + 1) % 3], event));
  }
  MUST(aclrtSynchronizeDevice());
  MUST(aclrtFree(memory));
  MUST(aclrtDestroyEvent(event));
  for (const aclrtStream stream : streams)
    MUST(aclrtDestroyStream(stream));
}
