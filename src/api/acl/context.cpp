// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "api/acl/sys_param.h"
#include "api/guard.h"
#include "api/library_start.h"
#include "api/status.h"
#include "check/check.h"
#include "check/thread_contexts.h"
#include "device/current.h"
#include "device/runtime.h"

using namespace foothold;

namespace {

// Those the program has made.
std::vector<const void*> StreamsIn(const void* handle) {
  std::vector<const void*> found;
  const Context* const context = Runtime::Get().contexts.Find(handle);
  if (context == nullptr) return found;
  context->ForEachStream([&](const Stream& stream, const void* its_handle) {
    if (!stream.is_default()) found.push_back(its_handle);
  });
  return found;
}

}  // namespace

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId) {
  return Guard(FOOTHOLD_CALL(context, deviceId), [&] {
    FOOTHOLD_NOT_NULL(context);
    EnsureStarted();
    *context = Runtime::Get().CreateContext(deviceId).handle();
  });
}

aclError aclrtDestroyContext(aclrtContext context) {
  return Guard(FOOTHOLD_CALL(context), [&] {
    if (check::On()) check::LookAtContextEnd(context, StreamsIn(context));
    Runtime::Get().DestroyContext(context);
  });
}

aclError aclrtSetCurrentContext(aclrtContext context) {
  return Guard(FOOTHOLD_CALL(context), [&] { Runtime::Get().UseContext(context); });
}

aclError aclrtGetCurrentContext(aclrtContext* context) {
  return Guard(FOOTHOLD_QUERY(context), [&] {
    FOOTHOLD_NOT_NULL(context);
    *context = CurrentContext().handle();
  });
}

aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t* flags, int32_t* active) {
  return Guard(FOOTHOLD_QUERY(deviceId, flags, active), [&] {
    FOOTHOLD_NOT_NULL(active);
    *active = Runtime::Get().device(deviceId).in_use();
    if (flags != nullptr) *flags = 0;
  });
}

aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream) {
  return Guard(FOOTHOLD_CALL(stream), [&] {
    FOOTHOLD_NOT_NULL(stream);
    *stream = CurrentContext().default_stream().handle();
  });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtCtxSetSysParamOpt);
aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return Guard(FOOTHOLD_CALL(opt, value), [&] {
    CurrentContext().set_sys_param(CheckSysParam(opt), value);
    WarnOfSysParam(opt, "aclrtCtxSetSysParamOpt");
  });
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return Guard(FOOTHOLD_QUERY(opt, value), [&] {
    FOOTHOLD_NOT_NULL(value);
    const int option = CheckSysParam(opt);
    const auto set = CurrentContext().sys_param(option);
    if (!set) Fail(kRtSysParamOptNotSet, "option {} was never set in the current context", option);
    *value = *set;
  });
}
