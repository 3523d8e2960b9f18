// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstring>
#include <memory>

#include "acl/acl_rt.h"
#include "api/acl/core_kind.h"
#include "api/guard.h"
#include "api/status.h"
#include "base/broken_rule.h"
#include "base/first_time.h"
#include "base/thread_id.h"
#include "check/open_things.h"
#include "device/current.h"
#include "device/runtime.h"

namespace foothold {
namespace {

// Options come as 4 or 8 bytes, whatever the width of the field.
std::uint64_t ReadNumber(const void* value, std::size_t size) {
  std::uint32_t narrow;
  std::uint64_t wide;
  switch (size) {
    case sizeof(narrow):
      std::memcpy(&narrow, value, size);
      return narrow;
    case sizeof(wide):
      std::memcpy(&wide, value, size);
      return wide;
  }
  Fail(kRtParamInvalid, "valueSize must be 4 or 8, not {}", size);
}

void WarnOfWorkMemory() {
  WarnOnce("ACL_RT_STREAM_WORK_ADDR_PTR",
           "ACL_RT_STREAM_WORK_ADDR_PTR and ACL_RT_STREAM_WORK_SIZE have no effect here: streams need no "
           "memory of the program");
}

void SetOption(aclrtStreamConfigHandle& handle, aclrtStreamConfigAttr attr, const void* value,
               std::size_t size) {
  switch (attr) {
    case ACL_RT_STREAM_WORK_ADDR_PTR:
      if (size != sizeof(void*)) Fail(kRtParamInvalid, "valueSize must be {}, not {}", sizeof(void*), size);
      std::memcpy(&handle.workptr, value, size);
      return WarnOfWorkMemory();
    case ACL_RT_STREAM_WORK_SIZE:
      handle.workSize = ReadNumber(value, size);
      return WarnOfWorkMemory();
    case ACL_RT_STREAM_FLAG:
      handle.flag = ReadNumber(value, size);
      return;
    case ACL_RT_STREAM_PRIORITY:
      handle.priority = static_cast<std::uint32_t>(ReadNumber(value, size));
      return;
  }
  Fail(kRtParamInvalid, "attr {} is no aclrtStreamConfigAttr", static_cast<int>(attr));
}

void SetFailureMode(Stream& stream, std::uint64_t mode) {
  if (mode > ACL_STOP_ON_FAILURE) {
    Fail(kRtParamInvalid,
         "the failure mode must be ACL_CONTINUE_ON_FAILURE (0) or ACL_STOP_ON_FAILURE (1), not {}", mode);
  }
  if (!stream.failures().ChooseMode(static_cast<StreamFailures::Mode>(mode))) {
    BreaksRule("ACL-USE-001", stream.handle());
    Fail(kRtParamInvalid, "the failure mode of stream {} was chosen before; it can be chosen once",
         stream.id());
  }
}

std::uint32_t CheckedSwitch(std::uint32_t value) {
  if (value > 1) Fail(kRtParamInvalid, "the switch must be 0 or 1, not {}", value);
  return value;
}

void SetAttribute(Stream& stream, aclrtStreamAttr attribute, const aclrtStreamAttrValue& value) {
  switch (attribute) {
    case ACL_STREAM_ATTR_FAILURE_MODE:
      if (stream.is_default()) Fail(kRtParamInvalid, "a default stream has no failure mode attribute");
      return SetFailureMode(stream, value.failureMode);
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
      return stream.overflow_switch.store(CheckedSwitch(value.overflowSwitch));
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
      return stream.custom_tag.store(value.userCustomTag);
    case ACL_STREAM_ATTR_CACHE_OP_INFO:
      stream.cache_op_info.store(CheckedSwitch(value.cacheOpInfoSwitch));
      return WarnOnce("ACL_STREAM_ATTR_CACHE_OP_INFO",
                      "ACL_STREAM_ATTR_CACHE_OP_INFO has no effect here: it is kept to be read back");
    case ACL_STREAM_ATTR_PRIORITY:
      return stream.set_priority(value.streamPriority);
  }
  Fail(kRtParamInvalid, "stmAttrType {} is no aclrtStreamAttr", static_cast<int>(attribute));
}

aclrtStreamAttrValue GetAttribute(const Stream& stream, aclrtStreamAttr attribute) {
  aclrtStreamAttrValue value = {};
  switch (attribute) {
    case ACL_STREAM_ATTR_FAILURE_MODE:
      value.failureMode = static_cast<std::uint64_t>(stream.failures().mode());
      return value;
    case ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK:
      value.overflowSwitch = stream.overflow_switch.load();
      return value;
    case ACL_STREAM_ATTR_USER_CUSTOM_TAG:
      value.userCustomTag = stream.custom_tag.load();
      return value;
    case ACL_STREAM_ATTR_CACHE_OP_INFO:
      value.cacheOpInfoSwitch = stream.cache_op_info.load();
      return value;
    case ACL_STREAM_ATTR_PRIORITY:
      value.streamPriority = stream.priority();
      return value;
  }
  Fail(kRtParamInvalid, "stmAttrType {} is no aclrtStreamAttr", static_cast<int>(attribute));
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclrtStreamConfigHandle* aclrtCreateStreamConfigHandle() {
  return GuardValue(FOOTHOLD_CALL(), static_cast<aclrtStreamConfigHandle*>(nullptr),
                    [] { return new aclrtStreamConfigHandle{}; });
}

FOOTHOLD_PART_WITHOUT_EFFECT(aclrtSetStreamConfigOpt, ACL_RT_STREAM_WORK_ADDR_PTR);
FOOTHOLD_PART_WITHOUT_EFFECT(aclrtSetStreamConfigOpt, ACL_RT_STREAM_WORK_SIZE);
aclError aclrtSetStreamConfigOpt(aclrtStreamConfigHandle* handle, aclrtStreamConfigAttr attr,
                                 const void* attrValue, size_t valueSize) {
  return Guard(FOOTHOLD_CALL(handle, attr, attrValue, valueSize), [&] {
    FOOTHOLD_NOT_NULL(handle);
    FOOTHOLD_NOT_NULL(attrValue);
    SetOption(*handle, attr, attrValue, valueSize);
  });
}

aclError aclrtDestroyStreamConfigHandle(aclrtStreamConfigHandle* handle) {
  return Guard(FOOTHOLD_CALL(handle),
               [&] { std::unique_ptr<aclrtStreamConfigHandle> owned(FOOTHOLD_NOT_NULL(handle)); });
}

aclError aclrtRegStreamStateCallback(const char* regName, aclrtStreamStateCallback callback, void* args) {
  return Guard(FOOTHOLD_CALL(regName, args), [&] {
    FOOTHOLD_NOT_NULL(regName);
    if (*regName == '\0') Fail(kRtParamInvalid, "regName must not be empty");
    auto& callbacks = Runtime::Get().state_callbacks.stream;
    if (callback == nullptr) {
      callbacks.Set(regName, nullptr);
    } else if (!callbacks.Set(regName, [callback, args](void* stream, StreamState state) {
                 callback(stream, static_cast<aclrtStreamState>(state), args);
               })) {
      Fail(kRtParamInvalid, "a stream state callback named \"{}\" is registered already", regName);
    }
  });
}

aclError aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode) {
  return Guard(FOOTHOLD_CALL(stream, mode), [&] { SetFailureMode(*FindStream(stream).stream, mode); });
}

FOOTHOLD_PART_WITHOUT_EFFECT(aclrtSetStreamAttribute, ACL_STREAM_ATTR_CACHE_OP_INFO);
aclError aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue* value) {
  return Guard(FOOTHOLD_CALL(stream, stmAttrType, value), [&] {
    FOOTHOLD_NOT_NULL(value);
    SetAttribute(*FindStream(stream).stream, stmAttrType, *value);
  });
}

aclError aclrtGetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                 aclrtStreamAttrValue* value) {
  return Guard(FOOTHOLD_QUERY(stream, stmAttrType, value), [&] {
    FOOTHOLD_NOT_NULL(value);
    *value = GetAttribute(*FindStream(stream).stream, stmAttrType);
  });
}

aclError aclrtSetStreamOverflowSwitch(aclrtStream stream, uint32_t flag) {
  return Guard(FOOTHOLD_CALL(stream, flag), [&] {
    const std::uint32_t value = CheckedSwitch(flag);
    FindStream(stream)->overflow_switch.store(value);
  });
}

aclError aclrtGetStreamOverflowSwitch(aclrtStream stream, uint32_t* flag) {
  return Guard(FOOTHOLD_CALL(stream, flag), [&] {
    FOOTHOLD_NOT_NULL(flag);
    *flag = FindStream(stream)->overflow_switch.load();
  });
}

aclError aclrtSetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t value) {
  return Guard(FOOTHOLD_CALL(stream, type, value), [&] {
    const CoreKind kind = CheckedCoreKind(type);
    SetStreamCores(*FindStream(stream).stream, kind, value);
  });
}

aclError aclrtGetStreamResLimit(aclrtStream stream, aclrtDevResLimitType type, uint32_t* value) {
  return Guard(FOOTHOLD_QUERY(stream, type, value), [&] {
    const CoreKind kind = CheckedCoreKind(type);
    FOOTHOLD_NOT_NULL(value);
    *value = StreamCores(*FindStream(stream).stream, kind);
  });
}

aclError aclrtResetStreamResLimit(aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(stream), [&] { ResetStreamCores(*FindStream(stream).stream); });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtUseStreamResInCurrentThread);
aclError aclrtUseStreamResInCurrentThread(aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(stream), [&] {
    UseCoresOf(FindStream(stream));
    check::Opened(check::Thing::kCoresOfThread, KernelThreadId());
  });
}

FOOTHOLD_WITHOUT_EFFECT(aclrtUnuseStreamResInCurrentThread);
aclError aclrtUnuseStreamResInCurrentThread(aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(stream), [&] {
    UnuseCoresOf(FindStream(stream));
    check::Closed(check::Thing::kCoresOfThread, KernelThreadId());
  });
}

aclError aclrtGetResInCurrentThread(aclrtDevResLimitType type, uint32_t* value) {
  return Guard(FOOTHOLD_QUERY(type, value), [&] {
    const CoreKind kind = CheckedCoreKind(type);
    FOOTHOLD_NOT_NULL(value);
    *value = ThreadCores(CurrentDevice(), kind);
  });
}
