// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "api/acl/core_kind.h"
#include "api/guard.h"
#include "device/runtime.h"

using namespace foothold;

aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value) {
  return Guard(FOOTHOLD_CALL(deviceId, type, value), [&] {
    Device& device = Runtime::Get().device(deviceId);
    SetDeviceCores(device, CheckedCoreKind(type), value);
  });
}

aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t* value) {
  return Guard(FOOTHOLD_CALL(deviceId, type, value), [&] {
    FOOTHOLD_NOT_NULL(value);
    const Device& device = Runtime::Get().device(deviceId);
    *value = DeviceCores(device, CheckedCoreKind(type));
  });
}

aclError aclrtResetDeviceResLimit(int32_t deviceId) {
  return Guard(FOOTHOLD_CALL(deviceId), [&] { ResetDeviceCores(Runtime::Get().device(deviceId)); });
}
