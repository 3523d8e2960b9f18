// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "api/acl/sys_param.h"
#include "api/guard.h"
#include "api/library_start.h"
#include "api/status.h"
#include "base/first_time.h"
#include "device/current.h"
#include "device/runtime.h"

using namespace foothold;

aclError aclrtGetDeviceCount(uint32_t* count) {
  return Guard(FOOTHOLD_QUERY(count),
               [&] { *FOOTHOLD_NOT_NULL(count) = static_cast<uint32_t>(Runtime::Get().device_count()); });
}

aclError aclrtSetDevice(int32_t deviceId) {
  return Guard(FOOTHOLD_CALL(deviceId), [&] {
    EnsureStarted();
    Runtime::Get().SetDevice(deviceId);
  });
}

aclError aclrtGetDevice(int32_t* deviceId) {
  return Guard(FOOTHOLD_QUERY(deviceId), [&] {
    FOOTHOLD_NOT_NULL(deviceId);
    *deviceId = CurrentDevice().id();
  });
}

aclError aclrtResetDevice(int32_t deviceId) {
  return Guard(FOOTHOLD_CALL(deviceId), [&] { Runtime::Get().ResetDevice(deviceId, false); });
}

aclError aclrtResetDeviceForce(int32_t deviceId) {
  return Guard(FOOTHOLD_CALL(deviceId), [&] { Runtime::Get().ResetDevice(deviceId, true); });
}

// There is one scheduler for all kinds of cores.
FOOTHOLD_WITHOUT_EFFECT(aclrtSetTsDevice);
aclError aclrtSetTsDevice(aclrtTsId tsId) {
  return Guard(FOOTHOLD_CALL(tsId), [&] {
    if (tsId != ACL_TS_ID_AICORE && tsId != ACL_TS_ID_AIVECTOR)
      Fail(kRtParamInvalid, "tsId is {}; expected ACL_TS_ID_AICORE (0) or ACL_TS_ID_AIVECTOR (1)",
           static_cast<int>(tsId));
    if (tsId == ACL_TS_ID_AIVECTOR)
      WarnOnce("aclrtSetTsDevice",
               "aclrtSetTsDevice has no effect here: there is one scheduler for all cores");
  });
}

aclError aclrtRegDeviceStateCallback(const char* regName, aclrtDeviceStateCallback callback, void* args) {
  return Guard(FOOTHOLD_CALL(regName, callback, args), [&] {
    FOOTHOLD_NOT_NULL(regName);
    if (*regName == '\0') Fail(kRtParamInvalid, "regName is empty; a callback needs a name");
    auto& callbacks = Runtime::Get().state_callbacks.device;
    if (callback == nullptr) {
      callbacks.Set(regName, {});
      return;
    }
    auto call = [=](int device, DeviceState state) {
      callback(device, static_cast<aclrtDeviceState>(state), args);
    };
    if (!callbacks.Set(regName, call))
      Fail(kRtParamInvalid,
           "a device state callback named \"{}\" is registered already; unregister it first with a "
           "null callback",
           regName);
  });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtSetSysParamOpt);
aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return Guard(FOOTHOLD_CALL(opt, value), [&] {
    Runtime::Get().sys_params[CheckSysParam(opt)].store(value);
    WarnOfSysParam(opt, "aclrtSetSysParamOpt");
  });
}

aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return Guard(FOOTHOLD_QUERY(opt, value), [&] {
    FOOTHOLD_NOT_NULL(value);
    *value = Runtime::Get().sys_params[CheckSysParam(opt)].load();
  });
}
