// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "api/guard.h"
#include "api/status.h"
#include "base/recent_errors.h"
#include "device/runtime.h"

using namespace foothold;

namespace {

void CheckLevel(aclrtLastErrLevel level) {
  if (level != ACL_RT_THREAD_LEVEL)
    Fail(kRtParamInvalid, "level is {}; only ACL_RT_THREAD_LEVEL (0) exists", static_cast<int>(level));
}

}  // namespace

const char* aclGetRecentErrMsg(void) {
  return GuardValue(FOOTHOLD_CALL(), static_cast<const char*>(nullptr), [] { return TakeRecentErrors(); });
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel level) {
  return Guard(FOOTHOLD_CALL(level), [&] {
    CheckLevel(level);
    return static_cast<int>(PeekLastError());
  });
}

aclError aclrtGetLastError(aclrtLastErrLevel level) {
  return Guard(FOOTHOLD_CALL(level), [&] {
    CheckLevel(level);
    return static_cast<int>(TakeLastError());
  });
}

// A core that fails takes the process with it, so a device that can be asked is a healthy one.
aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo* errorInfo) {
  return Guard(FOOTHOLD_QUERY(deviceId, errorInfo), [&] {
    FOOTHOLD_NOT_NULL(errorInfo);
    Runtime::Get().device(deviceId);
    *errorInfo = {};
    errorInfo->errorType = ACL_RT_NO_ERROR;
  });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtRepairError);
aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo* errorInfo) {
  return Guard(FOOTHOLD_CALL(deviceId, errorInfo), [&] {
    FOOTHOLD_NOT_NULL(errorInfo);
    Runtime::Get().device(deviceId);
  });
}
