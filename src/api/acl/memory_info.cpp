// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Questions about memory: how much there is, and what an address is.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "acl/acl_rt.h"
#include "api/guard.h"
#include "api/status.h"
#include "check/faults.h"
#include "device/current.h"
#include "device/device_memory.h"
#include "device/memory_map.h"
#include "device/runtime.h"

using namespace foothold;

namespace {

// A device has one kind of memory, which answers to every name but that of gigabyte pages.
bool Exists(aclrtMemAttr attr) {
  switch (attr) {
    case ACL_HBM_MEM_HUGE1G:
    case ACL_HBM_MEM_P2P_HUGE1G:
    case ACL_MEM_HUGE1G:
    case ACL_MEM_P2P_HUGE1G:
      return false;
    default:
      return attr >= ACL_DDR_MEM && attr <= ACL_MEM_P2P_HUGE;
  }
}

void Describe(const ModuleUsage& usage, aclrtMemUsageInfo& out) {
  std::memset(&out, 0, sizeof(out));
  const std::string name = usage.module == 0 ? "APP" : fmt::format("MODULE_{}", usage.module);
  name.copy(out.name, sizeof(out.name) - 1);
  out.curMemSize = usage.current;
  out.memPeakSize = usage.peak;
}

aclrtMemLocationType LocationOf(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kDevice:
    case MemoryKind::kMapped:
      return ACL_MEM_LOCATION_TYPE_DEVICE;
    case MemoryKind::kPinned:
    case MemoryKind::kRegistered:
      return ACL_MEM_LOCATION_TYPE_HOST;
    case MemoryKind::kManaged:
      return ACL_MEM_LOCATION_TYPE_MANAGED;
    default:
      return ACL_MEM_LOCATION_TYPE_UNREGISTERED;
  }
}

uint32_t PageSizeOf(const MemoryInfo& info) {
  if (LocationOf(info.kind) == ACL_MEM_LOCATION_TYPE_UNREGISTERED) return 0;
  return info.device >= 0 && info.size >= kHugePage ? kHugePage : 4096;
}

}  // namespace

aclError aclrtGetMemInfo(aclrtMemAttr attr, size_t* free, size_t* total) {
  return Guard(FOOTHOLD_QUERY(attr, free, total), [&] {
    FOOTHOLD_NOT_NULL(free);
    FOOTHOLD_NOT_NULL(total);
    const DeviceMemory& memory = CurrentDevice().memory();
    *total = Exists(attr) ? memory.capacity() : 0;
    *free = Exists(attr) ? memory.capacity() - memory.used() : 0;
    if (watch::Is(watch::kFaults) && check::MemoryLooksFull()) *free = 0;
  });
}

aclError aclrtGetMemUsageInfo(int32_t deviceId, aclrtMemUsageInfo* memUsageInfo, size_t inputNum,
                              size_t* outputNum) {
  return Guard(FOOTHOLD_QUERY(deviceId, memUsageInfo, inputNum, outputNum), [&] {
    FOOTHOLD_NOT_NULL(memUsageInfo);
    FOOTHOLD_NOT_NULL(outputNum);
    if (inputNum == 0) Fail(kRtParamInvalid, "inputNum must not be 0");
    auto usage = Runtime::Get().device(deviceId).memory().usage();
    std::stable_sort(usage.begin(), usage.end(),
                     [](const ModuleUsage& a, const ModuleUsage& b) { return a.current > b.current; });
    *outputNum = std::min(inputNum, usage.size());
    for (size_t i = 0; i < *outputNum; ++i)
      Describe(usage[i], memUsageInfo[i]);
  });
}

aclError aclrtPointerGetAttributes(const void* ptr, aclrtPtrAttributes* attributes) {
  return Guard(FOOTHOLD_QUERY(ptr, attributes), [&] {
    FOOTHOLD_NOT_NULL(ptr);
    FOOTHOLD_NOT_NULL(attributes);
    const MemoryInfo info = MemoryMap::Get().Find(ptr);
    std::memset(attributes, 0, sizeof(*attributes));
    attributes->location.type = LocationOf(info.kind);
    attributes->location.id = static_cast<uint32_t>(std::max(info.device, 0));
    attributes->pageSize = PageSizeOf(info);
  });
}

aclError aclrtMemGetAddressRange(void* ptr, void** pbase, size_t* psize) {
  return Guard(FOOTHOLD_CALL(ptr, pbase, psize), [&] {
    FOOTHOLD_NOT_NULL(ptr);
    const MemoryInfo info = MemoryMap::Get().Find(ptr);
    if (!info.alive())
      Fail(kRtParamInvalid, "{} belongs to no allocation: it {}", ptr, MemoryMap::Get().Describe(ptr));
    if (pbase != nullptr) *pbase = reinterpret_cast<void*>(info.base);
    if (psize != nullptr) *psize = info.size;
  });
}

// Memory errors the hardware cannot correct end the process on a CPU, so there are none to report but planned
// ones (FOOTHOLD_FAULTS), which are nowhere in particular.
aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize,
                            size_t* retSize) {
  return Guard(FOOTHOLD_QUERY(deviceId, memUceInfoArray, arraySize, retSize), [&] {
    Runtime::Get().device(deviceId);
    FOOTHOLD_NOT_NULL(memUceInfoArray);
    FOOTHOLD_NOT_NULL(retSize);
    if (arraySize == 0) Fail(kRtParamInvalid, "arraySize must not be 0");
    *retSize = 0;
    if (watch::Is(watch::kFaults) && check::HasMemoryErrors(deviceId)) {
      memUceInfoArray[0] = {};
      memUceInfoArray[0].len = 32;
      *retSize = 1;
    }
  });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtMemUceRepair);
aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize) {
  return Guard(FOOTHOLD_CALL(deviceId, memUceInfoArray, arraySize), [&] {
    Runtime::Get().device(deviceId);
    FOOTHOLD_NOT_NULL(memUceInfoArray);
    if (arraySize == 0) Fail(kRtParamInvalid, "arraySize must not be 0");
  });
}
