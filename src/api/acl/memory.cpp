// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Device memory: allocate and free.
#include "acl/acl_rt.h"
#include "api/acl/malloc_config.h"
#include "api/guard.h"
#include "api/status.h"
#include "device/current.h"
#include "device/device_memory.h"
#include "device/memory_map.h"
#include "device/runtime.h"
#include "device/synchronized_free.h"

using namespace foothold;

namespace {

// Memory that others reach into: other devices, and the processes that use them.
bool IsForOthers(aclrtMemMallocPolicy policy) {
  return policy == ACL_MEM_MALLOC_HUGE_FIRST_P2P || policy == ACL_MEM_MALLOC_HUGE_ONLY_P2P ||
         policy == ACL_MEM_MALLOC_NORMAL_ONLY_P2P || policy == ACL_MEM_MALLOC_HUGE1G_ONLY_P2P;
}

void* Allocate(size_t size, aclrtMemMallocPolicy policy, const char* api, const MallocConfig& config = {}) {
  Device& current = CurrentDevice();
  Device& device = config.device ? Runtime::Get().device(*config.device) : current;
  if (IsForOthers(policy)) return device.memory().AllocateToShare(size, api, config.module);
  return device.memory().Allocate(size, api, config.module);
}

}  // namespace

aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  const auto call = FOOTHOLD_CALL(devPtr, size, policy);
  return Guard(call, [&] { *FOOTHOLD_NOT_NULL(devPtr) = Allocate(size, policy, call.name); });
}

aclError aclrtMallocAlign32(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  const auto call = FOOTHOLD_CALL(devPtr, size, policy);
  return Guard(call, [&] {
    const size_t rounded = size > SIZE_MAX - 31 ? size : (size + 31) / 32 * 32;
    *FOOTHOLD_NOT_NULL(devPtr) = Allocate(rounded, policy, call.name);
  });
}

aclError aclrtMallocCached(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  const auto call = FOOTHOLD_CALL(devPtr, size, policy);
  return Guard(call, [&] { *FOOTHOLD_NOT_NULL(devPtr) = Allocate(size, policy, call.name); });
}

aclError aclrtMallocWithCfg(void** devPtr, size_t size, aclrtMemMallocPolicy policy, aclrtMallocConfig* cfg) {
  const auto call = FOOTHOLD_CALL(devPtr, size, policy, cfg);
  return Guard(
      call, [&] { *FOOTHOLD_NOT_NULL(devPtr) = Allocate(size, policy, call.name, ReadMallocConfig(cfg)); });
}

aclError aclrtMallocForTaskScheduler(void** devPtr, size_t size, aclrtMemMallocPolicy policy,
                                     aclrtMallocConfig* cfg) {
  const auto call = FOOTHOLD_CALL(devPtr, size, policy, cfg);
  return Guard(
      call, [&] { *FOOTHOLD_NOT_NULL(devPtr) = Allocate(size, policy, call.name, ReadMallocConfig(cfg)); });
}

aclError aclrtMemAllocManaged(void** ptr, uint64_t size, uint32_t flag) {
  const auto call = FOOTHOLD_CALL(ptr, size, flag);
  return Guard(call, [&] {
    FOOTHOLD_NOT_NULL(ptr);
    if (flag != ACL_RT_MEM_ATTACH_GLOBAL)
      Fail(kRtParamInvalid, "flag must be ACL_RT_MEM_ATTACH_GLOBAL; it is {}", flag);
    *ptr = MemoryMap::Get().managed.Allocate(CurrentDevice().memory(), size, call.name);
  });
}

aclError aclrtFree(void* devPtr) {
  const auto call = FOOTHOLD_CALL(devPtr);
  return Guard(call, [&] { FreeDevicePointer(devPtr, call.name); });
}

aclError aclrtFreeWithDevSync(void* devPtr) {
  const auto call = FOOTHOLD_CALL(devPtr);
  return Guard(call, [&] { SynchronizeAndFree(devPtr, call.name); });
}

// The caches of this machine are coherent: there is nothing to flush or invalidate.
FOOTHOLD_WITHOUT_EFFECT(aclrtMemFlush);
aclError aclrtMemFlush(void* devPtr, size_t size) {
  return Guard(FOOTHOLD_CALL(devPtr, size), [&] {
    if (size == 0) Fail(kRtParamInvalid, "size must not be 0");
    CheckDeviceRange(devPtr, size);
  });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtMemInvalidate);
aclError aclrtMemInvalidate(void* devPtr, size_t size) {
  return Guard(FOOTHOLD_CALL(devPtr, size), [&] {
    if (size == 0) Fail(kRtParamInvalid, "size must not be 0");
    CheckDeviceRange(devPtr, size);
  });
}
