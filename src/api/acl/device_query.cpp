// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <unistd.h>

#include <cstring>

#include "acl/acl_rt.h"
#include "api/guard.h"
#include "api/status.h"
#include "base/environment.h"
#include "device/device_uuid.h"
#include "device/runtime.h"

using namespace foothold;

namespace {

constexpr int32_t kPciBusIdRoom = 13;  // "dddd:bb:dd.f" and its end

int64_t DeviceInfo(const Device& device, aclrtDevAttr attr) {
  switch (attr) {
    case ACL_DEV_ATTR_AICPU_CORE_NUM:
    case ACL_DEV_ATTR_AICORE_CORE_NUM:
    case ACL_DEV_ATTR_CUBE_CORE_NUM:
    case ACL_DEV_ATTR_VECTOR_CORE_NUM:
      return Runtime::Get().cores();
    case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE:
      return static_cast<int64_t>(device.memory().capacity());
    case ACL_DEV_ATTR_L2_CACHE_SIZE:
      if (auto bytes = LastLevelCache()) return static_cast<int64_t>(*bytes);
      Fail(kRtFeatureNotSupport, "this machine does not say how large its caches are");
    case ACL_DEV_ATTR_SMP_ID:
      return 0;
    case ACL_DEV_ATTR_PHY_CHIP_ID:
      return device.physical_id();
    case ACL_DEV_ATTR_IS_VIRTUAL:
      return 0;
    default:
      Fail(kRtFeatureNotSupport, "a CPU has no answer for attribute {}", static_cast<int>(attr));
  }
}

}  // namespace

aclError aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t* value) {
  return Guard(FOOTHOLD_QUERY(deviceId, attr, value), [&] {
    FOOTHOLD_NOT_NULL(value);
    *value = DeviceInfo(Runtime::Get().device(static_cast<int>(deviceId)), attr);
  });
}

aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType devFeatureType, int32_t* value) {
  return Guard(FOOTHOLD_QUERY(deviceId, devFeatureType, value), [&] {
    FOOTHOLD_NOT_NULL(value);
    Runtime::Get().device(deviceId);
    if (devFeatureType != ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV &&
        devFeatureType != ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV)
      Fail(kRtParamInvalid, "{} is no device feature", static_cast<int>(devFeatureType));
    *value = ACL_DEV_FEATURE_NOT_SUPPORT;
  });
}

aclError aclrtQueryDeviceStatus(int32_t deviceId, aclrtDeviceStatus* deviceStatus) {
  return Guard(FOOTHOLD_QUERY(deviceId, deviceStatus), [&] {
    FOOTHOLD_NOT_NULL(deviceStatus);
    Runtime::Get().device(deviceId);
    *deviceStatus = ACL_RT_DEVICE_STATUS_NORMAL;
  });
}

// The same cores stand for cube, vector and control cores; nobody measures the memory.
aclError aclrtGetDeviceUtilizationRate(int32_t deviceId, aclrtUtilizationInfo* utilizationInfo) {
  return Guard(FOOTHOLD_QUERY(deviceId, utilizationInfo), [&] {
    FOOTHOLD_NOT_NULL(utilizationInfo);
    Runtime::Get().device(deviceId);
    const int percent = Runtime::Get().utilization.Percent(Runtime::Get().cores());
    utilizationInfo->cubeUtilization = percent;
    utilizationInfo->vectorUtilization = percent;
    utilizationInfo->aicpuUtilization = percent;
    utilizationInfo->memoryUtilization = -1;
  });
}

aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid* uuid) {
  return Guard(FOOTHOLD_QUERY(deviceId, uuid), [&] {
    FOOTHOLD_NOT_NULL(uuid);
    const auto bytes = DeviceUuid(Runtime::Get().device(deviceId).physical_id());
    static_assert(sizeof(uuid->bytes) == sizeof(bytes));
    std::memcpy(uuid->bytes, bytes.data(), sizeof(bytes));
  });
}

FOOTHOLD_ALWAYS_REFUSED(aclrtDeviceGetPCIBusId);
aclError aclrtDeviceGetPCIBusId(int32_t deviceId, char* pciBusId, int32_t len) {
  return Guard(FOOTHOLD_QUERY(deviceId, len), [&] {
    FOOTHOLD_NOT_NULL(pciBusId);
    Runtime::Get().device(deviceId);
    if (len < kPciBusIdRoom) Fail(kRtParamInvalid, "len is {}; a bus id takes {} bytes", len, kPciBusIdRoom);
    Fail(kRtFeatureNotSupport, "device {} is not on a PCIe bus: it is a share of this machine's CPU",
         deviceId);
  });
}

FOOTHOLD_ALWAYS_REFUSED(aclrtDeviceGetByPCIBusId);
aclError aclrtDeviceGetByPCIBusId(const char* pciBusId, int32_t* deviceId) {
  return Guard(FOOTHOLD_QUERY(pciBusId, deviceId), [&] {
    FOOTHOLD_NOT_NULL(pciBusId);
    FOOTHOLD_NOT_NULL(deviceId);
    Fail(kRtFeatureNotSupport, "no device is on a PCIe bus: each is a share of this machine's CPU");
  });
}

aclError aclrtDeviceGetBareTgid(int32_t* pid) {
  return Guard(FOOTHOLD_QUERY(pid), [&] { *FOOTHOLD_NOT_NULL(pid) = getpid(); });
}

aclError aclrtDeviceGetStreamPriorityRange(int32_t* leastPriority, int32_t* greatestPriority) {
  return Guard(FOOTHOLD_QUERY(leastPriority, greatestPriority), [&] {
    FOOTHOLD_NOT_NULL(leastPriority);
    FOOTHOLD_NOT_NULL(greatestPriority);
    *leastPriority = 7;
    *greatestPriority = 0;
  });
}
