// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The way torch_npu starts and stops: nothing is linked, the library is loaded by name and every function
// looked up. Needs no device chosen before aclrtGetDevice, takes 100002 from aclInit as success, finds the
// chip in a table, and keeps a thread that executes callbacks.
#include <dlfcn.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "acl/acl.h"
#include "clients/check.h"

namespace {

void* library = nullptr;

#define LOAD(name) reinterpret_cast<decltype(&name)>(Find(#name))

void* Find(const char* name) {
  void* function = dlsym(library, name);
  if (function == nullptr) std::fprintf(stderr, "%s is not exported\n", name);
  REQUIRE(function != nullptr);
  return function;
}

bool KnownChip(const char* name) {
  for (const char* known : {"Ascend910B1", "Ascend910B2", "Ascend910B3", "Ascend910B4", "Ascend310P3"}) {
    if (std::strcmp(name, known) == 0) return true;
  }
  return false;
}

void Start() {
  const auto init = LOAD(aclInit);
  REQUIRE(init(nullptr) == ACL_SUCCESS);
  REQUIRE(init(nullptr) == ACL_ERROR_REPEAT_INITIALIZE);
  uint32_t count = 0;
  REQUIRE(LOAD(aclrtGetDeviceCount)(&count) == ACL_SUCCESS && count >= 1);
  int32_t device = -1;
  REQUIRE(LOAD(aclrtGetDevice)(&device) == ACL_ERROR_RT_CONTEXT_NULL);
  int32_t active = -1;
  REQUIRE(LOAD(aclrtGetPrimaryCtxState)(0, nullptr, &active) == ACL_SUCCESS && active == 0);
  REQUIRE(LOAD(aclrtSetDevice)(0) == ACL_SUCCESS);
  REQUIRE(LOAD(aclrtGetPrimaryCtxState)(0, nullptr, &active) == ACL_SUCCESS && active == 1);
  REQUIRE(KnownChip(LOAD(aclrtGetSocName)()));
}

void Configure() {
  REQUIRE(LOAD(aclrtSetDeviceSatMode)(ACL_RT_OVERFLOW_MODE_INFNAN) == ACL_SUCCESS);
  aclrtFloatOverflowMode mode = ACL_RT_OVERFLOW_MODE_UNDEF;
  REQUIRE(LOAD(aclrtGetDeviceSatMode)(&mode) == ACL_SUCCESS && mode == ACL_RT_OVERFLOW_MODE_INFNAN);
  REQUIRE(LOAD(aclrtSetSysParamOpt)(ACL_OPT_DETERMINISTIC, 1) == ACL_SUCCESS);
  REQUIRE(LOAD(aclrtCtxSetSysParamOpt)(ACL_OPT_DETERMINISTIC, 1) == ACL_SUCCESS);
  REQUIRE(LOAD(aclrtSetOpWaitTimeout)(0) == ACL_SUCCESS);
  const aclCannAttr* attributes = nullptr;
  size_t count = 0;
  REQUIRE(LOAD(aclGetCannAttributeList)(&attributes, &count) == ACL_SUCCESS);
  for (size_t i = 0; i < count; ++i) {
    int32_t value = -1;
    REQUIRE(LOAD(aclGetCannAttribute)(attributes[i], &value) == ACL_SUCCESS && (value == 0 || value == 1));
  }
  size_t free = 0, total = 0;
  REQUIRE(LOAD(aclrtGetMemInfo)(ACL_HBM_MEM, &free, &total) == ACL_SUCCESS && free > 0 && total >= free);
  char version[ACL_PKG_VERSION_MAX_SIZE] = {};
  char package[] = "runtime";
  REQUIRE(LOAD(aclsysGetVersionStr)(package, version) == ACL_SUCCESS && version[0] != '\0');
  REQUIRE(LOAD(aclrtPeekAtLastError)(ACL_RT_THREAD_LEVEL) == ACL_ERROR_RT_CONTEXT_NULL);
  REQUIRE(LOAD(aclrtGetLastError)(ACL_RT_THREAD_LEVEL) == ACL_ERROR_RT_CONTEXT_NULL);
}

// A pool of streams, ordered among each other by events.
std::vector<aclrtStream> MakeStreams() {
  std::vector<aclrtStream> streams(32);
  for (aclrtStream& stream : streams) {
    REQUIRE(LOAD(aclrtCreateStreamWithConfig)(&stream, 0, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC) ==
            ACL_SUCCESS);
  }
  aclrtEvent event = nullptr;
  REQUIRE(LOAD(aclrtCreateEventExWithFlag)(&event, ACL_EVENT_SYNC) == ACL_SUCCESS);
  REQUIRE(LOAD(aclrtRecordEvent)(event, streams[0]) == ACL_SUCCESS);
  REQUIRE(LOAD(aclrtStreamWaitEvent)(streams[1], event) == ACL_SUCCESS);
  REQUIRE(LOAD(aclrtSynchronizeEvent)(event) == ACL_SUCCESS);
  REQUIRE(LOAD(aclrtSynchronizeStreamWithTimeout)(streams[1], -1) == ACL_SUCCESS);
  REQUIRE(LOAD(aclrtDestroyEvent)(event) == ACL_SUCCESS);
  return streams;
}

void CountUp(void* counter) {
  ++*static_cast<std::atomic<int>*>(counter);
}

void RunCallbacks(aclrtStream stream) {
  aclrtContext context = nullptr;
  REQUIRE(LOAD(aclrtGetCurrentContext)(&context) == ACL_SUCCESS);
  std::atomic<bool> stop{false};
  std::atomic<int> calls{0};
  std::thread reporter([&] {
    REQUIRE(LOAD(aclrtSetCurrentContext)(context) == ACL_SUCCESS);
    const auto process = LOAD(aclrtProcessReport);
    while (!stop)
      process(100);
  });
  const auto thread = static_cast<uint64_t>(reporter.native_handle());
  REQUIRE(LOAD(aclrtSubscribeReport)(thread, stream) == ACL_SUCCESS);
  for (int i = 0; i < 100; ++i)
    REQUIRE(LOAD(aclrtLaunchCallback)(CountUp, &calls, ACL_CALLBACK_BLOCK, stream) == ACL_SUCCESS);
  REQUIRE(LOAD(aclrtSynchronizeStream)(stream) == ACL_SUCCESS);
  REQUIRE(calls == 100);
  REQUIRE(LOAD(aclrtUnSubscribeReport)(thread, stream) == ACL_SUCCESS);
  stop = true;
  reporter.join();
}

}  // namespace

int main() {
  library = dlopen("libascendcl.so", RTLD_LAZY);
  if (library == nullptr) std::fprintf(stderr, "%s\n", dlerror());
  REQUIRE(library != nullptr);
  REQUIRE(dlsym(library, "aclrtNoSuchFunction") == nullptr);
  Start();
  Configure();
  const std::vector<aclrtStream> streams = MakeStreams();
  RunCallbacks(streams[0]);
  REQUIRE(LOAD(aclrtSynchronizeDevice)() == ACL_SUCCESS);
  for (aclrtStream stream : streams)
    REQUIRE(LOAD(aclrtDestroyStream)(stream) == ACL_SUCCESS);
  REQUIRE(LOAD(aclrtResetDevice)(0) == ACL_SUCCESS);
  REQUIRE(LOAD(aclFinalize)() == ACL_SUCCESS);
  return 0;
}
