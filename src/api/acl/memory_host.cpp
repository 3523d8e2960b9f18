// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Host memory: pinned blocks, and registration of the program's own memory.
#include "acl/acl_rt.h"
#include "api/acl/malloc_config.h"
#include "api/guard.h"
#include "device/current.h"
#include "device/memory_map.h"
#include "device/runtime.h"
#include "device/synchronized_free.h"

using namespace foothold;

aclError aclrtMallocHost(void** hostPtr, size_t size) {
  const auto call = FOOTHOLD_CALL(hostPtr, size);
  return Guard(call, [&] {
    FOOTHOLD_NOT_NULL(hostPtr);
    CurrentContext();
    *hostPtr = MemoryMap::Get().pinned.Allocate(size, call.name);
  });
}

aclError aclrtMallocHostWithCfg(void** ptr, uint64_t size, aclrtMallocConfig* cfg) {
  const auto call = FOOTHOLD_CALL(ptr, size, cfg);
  return Guard(call, [&] {
    FOOTHOLD_NOT_NULL(ptr);
    CurrentContext();
    const MallocConfig config = ReadMallocConfig(cfg);
    if (config.device) Runtime::Get().device(*config.device);
    *ptr = MemoryMap::Get().pinned.Allocate(size, call.name);
  });
}

aclError aclrtFreeHost(void* hostPtr) {
  const auto call = FOOTHOLD_CALL(hostPtr);
  return Guard(call, [&] { MemoryMap::Get().pinned.Free(hostPtr, call.name); });
}

aclError aclrtFreeHostWithDevSync(void* hostPtr) {
  const auto call = FOOTHOLD_CALL(hostPtr);
  return Guard(call, [&] { SynchronizeAndFreeHost(hostPtr, call.name); });
}

aclError aclrtHostRegister(void* ptr, uint64_t size, aclrtHostRegisterType type, void** devPtr) {
  const auto call = FOOTHOLD_CALL(ptr, size, type, devPtr);
  return Guard(call, [&] {
    FOOTHOLD_NOT_NULL(devPtr);
    CurrentContext();
    if (type == ACL_HOST_REGISTER_IOMEMORY || type == ACL_HOST_REGISTER_READONLY) {
      Fail(kRtFeatureNotSupport, "type {} is not supported; use ACL_HOST_REGISTER_MAPPED",
           static_cast<int>(type));
    }
    if (type != ACL_HOST_REGISTER_MAPPED)
      Fail(kRtParamInvalid, "type {} does not exist", static_cast<int>(type));
    MemoryMap::Get().registered.Register(ptr, size, true, call.name);
    *devPtr = ptr;
  });
}

aclError aclrtHostRegisterV2(void* ptr, uint64_t size, uint32_t flag) {
  const auto call = FOOTHOLD_CALL(ptr, size, flag);
  return Guard(call, [&] {
    CurrentContext();
    if ((flag & (ACL_HOST_REG_IOMEMORY | ACL_HOST_REG_READONLY)) != 0) {
      Fail(kRtFeatureNotSupport, "flag {:#x} asks for IO or read-only memory, which is not supported", flag);
    }
    if (flag == 0 || (flag & ~(ACL_HOST_REG_MAPPED | ACL_HOST_REG_PINNED)) != 0) {
      Fail(kRtParamInvalid, "flag must be ACL_HOST_REG_MAPPED, ACL_HOST_REG_PINNED or both; it is {:#x}",
           flag);
    }
    MemoryMap::Get().registered.Register(ptr, size, (flag & ACL_HOST_REG_MAPPED) != 0, call.name);
  });
}

aclError aclrtHostGetDevicePointer(void* pHost, void** pDevice, uint32_t flag) {
  return Guard(FOOTHOLD_CALL(pHost, pDevice, flag), [&] {
    FOOTHOLD_NOT_NULL(pDevice);
    if (flag != 0) Fail(kRtParamInvalid, "flag must be 0; it is {}", flag);
    *pDevice = MemoryMap::Get().registered.DevicePointer(pHost);
  });
}

aclError aclrtHostUnregister(void* ptr) {
  return Guard(FOOTHOLD_CALL(ptr), [&] { MemoryMap::Get().registered.Unregister(ptr); });
}

// Streams, cores and copies reach all memory of the process; the others are no part of such a device.
aclError aclrtHostMemMapCapabilities(uint32_t deviceId, aclrtHacType hacType,
                                     aclrtHostMemMapCapability* capabilities) {
  return Guard(FOOTHOLD_QUERY(deviceId, hacType, capabilities), [&] {
    FOOTHOLD_NOT_NULL(capabilities);
    Runtime::Get().device(static_cast<int>(deviceId));
    switch (hacType) {
      case ACL_RT_HAC_TYPE_STARS:
      case ACL_RT_HAC_TYPE_AICPU:
      case ACL_RT_HAC_TYPE_AIC:
      case ACL_RT_HAC_TYPE_AIV:
      case ACL_RT_HAC_TYPE_SDMA:
        *capabilities = ACL_RT_HOST_MEM_MAP_SUPPORTED;
        return;
      case ACL_RT_HAC_TYPE_PCIEDMA:
      case ACL_RT_HAC_TYPE_RDMA:
      case ACL_RT_HAC_TYPE_DVPP:
      case ACL_RT_HAC_TYPE_UDMA:
      case ACL_RT_HAC_TYPE_CCU:
        *capabilities = ACL_RT_HOST_MEM_MAP_NOT_SUPPORTED;
        return;
    }
    Fail(kRtParamInvalid, "hacType {} does not exist", static_cast<int>(hacType));
  });
}
