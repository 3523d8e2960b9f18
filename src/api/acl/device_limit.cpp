// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "api/acl/core_kind.h"
#include "api/guard.h"
#include "api/status.h"
#include "base/first_time.h"
#include "device/kernel_limits.h"
#include "device/runtime.h"

using namespace foothold;

namespace {

std::atomic<std::size_t>& KernelLimit(aclrtDeviceLimit limit) {
  if (limit < ACL_RT_DEV_LIMIT_SIMT_STACK_SIZE || limit >= KernelLimits::kKinds)
    Fail(kRtFeatureNotSupport, "limit {} does not exist", static_cast<int>(limit));
  return KernelLimits::Get().values[limit];
}

}  // namespace

FOOTHOLD_WITHOUT_EFFECT(aclrtDeviceSetLimit);
aclError aclrtDeviceSetLimit(aclrtDeviceLimit limit, size_t value) {
  return Guard(FOOTHOLD_CALL(limit, value), [&] {
    KernelLimit(limit).store(value);
    WarnOnce("aclrtDeviceSetLimit",
             "aclrtDeviceSetLimit has no effect here: kernels have the stacks of the threads they run on");
  });
}

aclError aclrtDeviceGetLimit(aclrtDeviceLimit limit, size_t* value) {
  return Guard(FOOTHOLD_CALL(limit, value), [&] { *FOOTHOLD_NOT_NULL(value) = KernelLimit(limit).load(); });
}

aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value) {
  return Guard(FOOTHOLD_CALL(deviceId, type, value), [&] {
    Device& device = Runtime::Get().device(deviceId);
    SetDeviceCores(device, CheckedCoreKind(type), value);
  });
}

aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t* value) {
  return Guard(FOOTHOLD_QUERY(deviceId, type, value), [&] {
    FOOTHOLD_NOT_NULL(value);
    const Device& device = Runtime::Get().device(deviceId);
    *value = DeviceCores(device, CheckedCoreKind(type));
  });
}

aclError aclrtResetDeviceResLimit(int32_t deviceId) {
  return Guard(FOOTHOLD_CALL(deviceId), [&] { ResetDeviceCores(Runtime::Get().device(deviceId)); });
}
