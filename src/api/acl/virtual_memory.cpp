// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Memory with addresses and pages apart.
#include "device/virtual_memory.h"
#include "acl/acl_rt.h"
#include "api/guard.h"
#include "device/current.h"
#include "device/device_memory.h"
#include "device/memory_map.h"
#include "device/runtime.h"

using namespace foothold;

namespace {

constexpr uint64_t kReserveHugePages = 1;
constexpr int kHost = -1;

VirtualMemory& Virtual() {
  return MemoryMap::Get().virtual_memory;
}

bool HasSmallPages(aclrtMemAttr attr) {
  switch (attr) {
    case ACL_DDR_MEM_NORMAL:
    case ACL_HBM_MEM_NORMAL:
    case ACL_DDR_MEM_P2P_NORMAL:
    case ACL_HBM_MEM_P2P_NORMAL:
    case ACL_MEM_NORMAL:
    case ACL_MEM_P2P_NORMAL:
      return true;
    default:
      return false;
  }
}

size_t GranularityOf(const aclrtPhysicalMemProp& prop) {
  return HasSmallPages(prop.memAttr) ? VirtualMemory::kSmallGranularity : VirtualMemory::kGranularity;
}

DeviceMemory& CheckProperties(const aclrtPhysicalMemProp& prop) {
  if (prop.handleType != ACL_MEM_HANDLE_TYPE_NONE) {
    Fail(kRtParamInvalid, "prop->handleType must be ACL_MEM_HANDLE_TYPE_NONE; it is {}",
         static_cast<int>(prop.handleType));
  }
  if (prop.allocationType != ACL_MEM_ALLOCATION_TYPE_PINNED) {
    Fail(kRtParamInvalid, "prop->allocationType must be ACL_MEM_ALLOCATION_TYPE_PINNED; it is {}",
         static_cast<int>(prop.allocationType));
  }
  if (prop.location.type != ACL_MEM_LOCATION_TYPE_DEVICE) {
    Fail(kRtFeatureNotSupport, "physical memory is device memory only; prop->location.type is {}",
         static_cast<int>(prop.location.type));
  }
  return Runtime::Get().device(static_cast<int>(prop.location.id)).memory();
}

int DeviceOf(const aclrtMemLocation& location) {
  if (location.type == ACL_MEM_LOCATION_TYPE_HOST) return kHost;
  if (location.type != ACL_MEM_LOCATION_TYPE_DEVICE) {
    Fail(kRtParamInvalid, "location type {} is not possible here", static_cast<int>(location.type));
  }
  return Runtime::Get().device(static_cast<int>(location.id)).id();
}

void CheckMapArguments(void* virPtr, size_t offset, uint64_t flags) {
  FOOTHOLD_NOT_NULL(virPtr);
  if (offset != 0) Fail(kRtParamInvalid, "offset must be 0; it is {}", offset);
  if (flags != 0) Fail(kRtParamInvalid, "flags must be 0; they are {:#x}", flags);
}

void* ReserveAddresses(void** virPtr, size_t size, size_t alignment, void* expectPtr, uint64_t flags,
                       const char* api) {
  FOOTHOLD_NOT_NULL(virPtr);
  CurrentContext();
  if (flags > kReserveHugePages)
    Fail(kRtParamInvalid, "flags must be 0 or 1 (huge pages); they are {:#x}", flags);
  return Virtual().Reserve(size, alignment, expectPtr, api);
}

}  // namespace

aclError aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp* prop, aclrtMemGranularityOptions option,
                                          size_t* granularity) {
  return Guard(FOOTHOLD_CALL(prop, option, granularity), [&] {
    CheckProperties(*FOOTHOLD_NOT_NULL(prop));
    FOOTHOLD_NOT_NULL(granularity);
    if (option != ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM &&
        option != ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED) {
      Fail(kRtParamInvalid, "option {} does not exist", static_cast<int>(option));
    }
    *granularity = GranularityOf(*prop);
  });
}

aclError aclrtReserveMemAddress(void** virPtr, size_t size, size_t alignment, void* expectPtr,
                                uint64_t flags) {
  const auto call = FOOTHOLD_CALL(virPtr, size, alignment, expectPtr, flags);
  return Guard(call,
               [&] { *virPtr = ReserveAddresses(virPtr, size, alignment, expectPtr, flags, call.name); });
}

// No address range here has memory of its own before pages are mapped.
aclError aclrtReserveMemAddressNoUCMemory(void** virPtr, size_t size, size_t alignment, void* expectPtr,
                                          uint64_t flags) {
  const auto call = FOOTHOLD_CALL(virPtr, size, alignment, expectPtr, flags);
  return Guard(call,
               [&] { *virPtr = ReserveAddresses(virPtr, size, alignment, expectPtr, flags, call.name); });
}

aclError aclrtReleaseMemAddress(void* virPtr) {
  return Guard(FOOTHOLD_CALL(virPtr), [&] { Virtual().Release(FOOTHOLD_NOT_NULL(virPtr)); });
}

aclError aclrtMallocPhysical(aclrtDrvMemHandle* handle, size_t size, const aclrtPhysicalMemProp* prop,
                             uint64_t flags) {
  const auto call = FOOTHOLD_CALL(handle, size, prop, flags);
  return Guard(call, [&] {
    FOOTHOLD_NOT_NULL(handle);
    DeviceMemory& owner = CheckProperties(*FOOTHOLD_NOT_NULL(prop));
    if (flags != 0) Fail(kRtParamInvalid, "flags must be 0; they are {:#x}", flags);
    if (size == 0 || size % GranularityOf(*prop) != 0) {
      Fail(kRtParamInvalid, "size must be a multiple of the granularity {} and not 0; it is {}",
           GranularityOf(*prop), size);
    }
    *handle = Virtual().AllocatePages(owner, size,
                                      {prop->handleType, prop->allocationType, prop->memAttr,
                                       prop->location.id, prop->location.type, prop->reserve},
                                      call.name);
  });
}

aclError aclrtFreePhysical(aclrtDrvMemHandle handle) {
  return Guard(FOOTHOLD_CALL(handle), [&] { Virtual().FreePages(handle); });
}

aclError aclrtMapMem(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags) {
  const auto call = FOOTHOLD_CALL(virPtr, size, offset, handle, flags);
  return Guard(call, [&] {
    CheckMapArguments(virPtr, offset, flags);
    Virtual().Map(virPtr, size, handle, true, call.name);
  });
}

aclError aclrtMemMapNoAccess(void* virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                             uint64_t flags) {
  const auto call = FOOTHOLD_CALL(virPtr, size, offset, handle, flags);
  return Guard(call, [&] {
    CheckMapArguments(virPtr, offset, flags);
    Virtual().Map(virPtr, size, handle, false, call.name);
  });
}

aclError aclrtUnmapMem(void* virPtr) {
  return Guard(FOOTHOLD_CALL(virPtr), [&] { Virtual().Unmap(FOOTHOLD_NOT_NULL(virPtr)); });
}

aclError aclrtMemSetAccess(void* virPtr, size_t size, aclrtMemAccessDesc* desc, size_t count) {
  return Guard(FOOTHOLD_CALL(virPtr, size, desc, count), [&] {
    FOOTHOLD_NOT_NULL(virPtr);
    FOOTHOLD_NOT_NULL(desc);
    if (count == 0) Fail(kRtParamInvalid, "count must not be 0");
    for (size_t i = 0; i < count; ++i) {
      const auto flags = static_cast<uint64_t>(desc[i].flags);
      if (flags != kNoAccess && flags != kReadAccess && flags != kReadWriteAccess) {
        Fail(kRtParamInvalid, "desc[{}].flags {} do not exist", i, flags);
      }
      Virtual().SetAccess(virPtr, size, DeviceOf(desc[i].location), static_cast<MemoryAccess>(flags));
    }
  });
}

aclError aclrtMemGetAccess(void* virPtr, aclrtMemLocation* location, uint64_t* flag) {
  return Guard(FOOTHOLD_CALL(virPtr, location, flag), [&] {
    FOOTHOLD_NOT_NULL(virPtr);
    FOOTHOLD_NOT_NULL(flag);
    *flag = Virtual().AccessOf(virPtr, DeviceOf(*FOOTHOLD_NOT_NULL(location)));
  });
}

aclError aclrtMemRetainAllocationHandle(void* virPtr, aclrtDrvMemHandle* handle) {
  return Guard(FOOTHOLD_CALL(virPtr, handle), [&] {
    FOOTHOLD_NOT_NULL(virPtr);
    *FOOTHOLD_NOT_NULL(handle) = Virtual().RetainPages(virPtr);
  });
}

aclError aclrtMemGetAllocationPropertiesFromHandle(aclrtDrvMemHandle handle, aclrtPhysicalMemProp* prop) {
  return Guard(FOOTHOLD_CALL(handle, prop), [&] {
    FOOTHOLD_NOT_NULL(prop);
    const auto found = Virtual().PropertiesOf(handle);
    prop->handleType = static_cast<aclrtMemHandleType>(found.handle_type);
    prop->allocationType = static_cast<aclrtMemAllocationType>(found.allocation_type);
    prop->memAttr = static_cast<aclrtMemAttr>(found.attribute);
    prop->location = {found.location, static_cast<aclrtMemLocationType>(found.location_type)};
    prop->reserve = found.reserve;
  });
}
