// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <string>

#include "acl/acl_rt.h"
#include "api/guard.h"
#include "api/status.h"
#include "base/first_time.h"
#include "check/late_settings.h"
#include "device/abort.h"
#include "device/current.h"
#include "device/op_time_limit.h"
#include "device/runtime.h"

namespace foothold {
namespace {

// What the getters answer without an info object.
constexpr std::uint32_t kNoInfo = 0xFFFFFFFF;
constexpr std::uint32_t kLongestAbort = 36 * 60 * 1000;

template <typename Call>
std::uint32_t Field(const Call& call, const aclrtExceptionInfo* info, std::uint32_t rtExceptionInfo::*field) {
  return GuardValue(call, kNoInfo, [&] { return CheckNotNull(info, "info")->*field; });
}

std::uint64_t KeepOpTimeLimit(std::uint64_t microseconds) {
  WarnOnce("aclrtSetOpExecuteTimeOut",
           "aclrtSetOpExecuteTimeOut and its relatives have no effect here: no operator is interrupted");
  return SetOpTimeLimit(microseconds);
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclrtSetExceptionInfoCallback(aclrtExceptionInfoCallback callback) {
  return Guard(FOOTHOLD_CALL(), [&] { Runtime::Get().exception_callbacks.SetSlot(callback); });
}

aclError aclrtExceptionInfoCallbackRegister(aclrtExceptionInfoCallback callback) {
  return Guard(FOOTHOLD_CALL(), [&] { Runtime::Get().exception_callbacks.Add(FOOTHOLD_NOT_NULL(callback)); });
}

aclError aclrtExceptionInfoCallbackUnregister(aclrtExceptionInfoCallback callback) {
  return Guard(FOOTHOLD_CALL(),
               [&] { Runtime::Get().exception_callbacks.Remove(FOOTHOLD_NOT_NULL(callback)); });
}

uint32_t aclrtGetTaskIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Field(FOOTHOLD_CALL(info), info, &rtExceptionInfo::task);
}

uint32_t aclrtGetStreamIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Field(FOOTHOLD_CALL(info), info, &rtExceptionInfo::stream);
}

uint32_t aclrtGetThreadIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Field(FOOTHOLD_CALL(info), info, &rtExceptionInfo::thread);
}

uint32_t aclrtGetDeviceIdFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Field(FOOTHOLD_CALL(info), info, &rtExceptionInfo::device);
}

uint32_t aclrtGetErrorCodeFromExceptionInfo(const aclrtExceptionInfo* info) {
  return Field(FOOTHOLD_CALL(info), info, &rtExceptionInfo::code);
}

aclError aclrtGetArgsFromExceptionInfo(const aclrtExceptionInfo* info, void** devArgsPtr,
                                       uint32_t* devArgsLen) {
  return Guard(FOOTHOLD_CALL(info, devArgsPtr, devArgsLen), [&] {
    FOOTHOLD_NOT_NULL(info);
    FOOTHOLD_NOT_NULL(devArgsPtr);
    FOOTHOLD_NOT_NULL(devArgsLen);
    *devArgsPtr = const_cast<void*>(info->arguments);
    *devArgsLen = info->arguments_size;
  });
}

aclError aclrtGetFuncHandleFromExceptionInfo(const aclrtExceptionInfo* info, aclrtFuncHandle* func) {
  return Guard(FOOTHOLD_CALL(info, func), [&] {
    FOOTHOLD_NOT_NULL(info);
    *FOOTHOLD_NOT_NULL(func) = info->function;
  });
}

aclError aclrtStreamStop(aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(stream), [&] { StopRunningTask(FindStream(stream)); });
}

aclError aclrtStreamAbort(aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(stream), [&] { AbortStream(FindStream(stream)); });
}

aclError aclrtPersistentTaskClean(aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(stream), [&] {
    const StreamRef found = FindExplicitStream(stream);
    if (!found->is_stored()) {
      Fail(kRtParamInvalid, "stream {} was not created with ACL_STREAM_PERSISTENT (4), so it stores no tasks",
           found->id());
    }
    ClearPersistent(found);
  });
}

aclError aclrtDeviceTaskAbort(int32_t deviceId, uint32_t timeout) {
  return Guard(FOOTHOLD_CALL(deviceId, timeout), [&] {
    Device& device = Runtime::Get().device(deviceId);
    if (timeout > kLongestAbort)
      Fail(kRtParamInvalid, "timeout must be at most {} ms (36 minutes), not {}", kLongestAbort, timeout);
    AbortDevice(device, timeout == 0 ? kLongestAbort : timeout);
  });
}

aclError aclrtSetDeviceTaskAbortCallback(const char* regName, aclrtDeviceTaskAbortCallback callback,
                                         void* args) {
  return Guard(FOOTHOLD_CALL(regName, args), [&] {
    FOOTHOLD_NOT_NULL(regName);
    if (*regName == '\0') Fail(kRtParamInvalid, "regName must not be empty");
    auto& callbacks = Runtime::Get().state_callbacks.abort;
    if (callback == nullptr) {
      callbacks.Set(regName, nullptr);
    } else if (!callbacks.Set(regName, [callback, args, name = std::string(regName)](
                                           int device, AbortStage stage, unsigned timeout) {
                 const int answer =
                     callback(device, static_cast<aclrtDeviceTaskAbortStage>(stage), timeout, args);
                 if (answer != 0)
                   Fail(kRtInternalError, "the abort callback \"{}\" answered {} instead of 0", name, answer);
               })) {
      Fail(kRtParamInvalid, "an abort callback named \"{}\" is registered already", regName);
    }
  });
}

aclError aclrtSetOpWaitTimeout(uint32_t timeout) {
  return Guard(FOOTHOLD_CALL(timeout), [&] {
    Runtime::Get().op_wait_timeout.store(timeout);
    if (timeout != 0) check::SettingMade(check::Setting::kTimeLimit);
  });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtSetOpExecuteTimeOut);
aclError aclrtSetOpExecuteTimeOut(uint32_t timeout) {
  return Guard(FOOTHOLD_CALL(timeout), [&] { KeepOpTimeLimit(std::uint64_t{timeout} * 1'000'000); });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtSetOpExecuteTimeOutWithMs);
aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout) {
  return Guard(FOOTHOLD_CALL(timeout), [&] { KeepOpTimeLimit(std::uint64_t{timeout} * 1000); });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtSetOpExecuteTimeOutV2);
aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t* actualTimeout) {
  return Guard(FOOTHOLD_CALL(timeout, actualTimeout), [&] {
    FOOTHOLD_NOT_NULL(actualTimeout);
    *actualTimeout = KeepOpTimeLimit(timeout);
  });
}

aclError aclrtGetOpExecuteTimeout(uint32_t* const timeoutMs) {
  return Guard(FOOTHOLD_CALL(timeoutMs), [&] {
    FOOTHOLD_NOT_NULL(timeoutMs);
    *timeoutMs = static_cast<std::uint32_t>(OpTimeLimit() / 1000);
  });
}

aclError aclrtGetOpTimeOutInterval(uint64_t* interval) {
  return Guard(FOOTHOLD_CALL(interval), [&] { *FOOTHOLD_NOT_NULL(interval) = kOpTimeInterval; });
}

aclError aclrtGetThreadLastTaskId(uint32_t* taskId) {
  return Guard(FOOTHOLD_CALL(taskId), [&] { *FOOTHOLD_NOT_NULL(taskId) = Stream::last_task_of_thread; });
}
