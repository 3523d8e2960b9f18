// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "api/guard.h"
#include "device/runtime.h"

using namespace foothold;

namespace {

int CheckType(aclrtDevResLimitType type) {
  if (type != ACL_RT_DEV_RES_CUBE_CORE && type != ACL_RT_DEV_RES_VECTOR_CORE) {
    Fail(kRtParamInvalid, "{} is no limited resource; expected 0 (cube cores) or 1 (vector cores)",
         static_cast<int>(type));
  }
  return static_cast<int>(type);
}

}  // namespace

aclError aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value) {
  return Guard(FOOTHOLD_CALL(deviceId, type, value), [&] {
    Device& device = Runtime::Get().device(deviceId);
    const int resource = CheckType(type);
    const auto cores = static_cast<uint32_t>(Runtime::Get().cores());
    if (value == 0 || value > cores)
      Fail(kRtParamInvalid, "value is {}; the device has 1 to {} cores", value, cores);
    device.res_limit[resource].store(value);
  });
}

aclError aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t* value) {
  return Guard(FOOTHOLD_CALL(deviceId, type, value), [&] {
    FOOTHOLD_NOT_NULL(value);
    const Device& device = Runtime::Get().device(deviceId);
    const uint32_t limit = device.res_limit[CheckType(type)].load();
    *value = limit != 0 ? limit : static_cast<uint32_t>(Runtime::Get().cores());
  });
}

aclError aclrtResetDeviceResLimit(int32_t deviceId) {
  return Guard(FOOTHOLD_CALL(deviceId), [&] {
    for (auto& limit : Runtime::Get().device(deviceId).res_limit)
      limit.store(0);
  });
}
