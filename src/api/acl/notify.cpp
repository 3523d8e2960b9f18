// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "api/guard.h"
#include "base/broken_rule.h"
#include "device/current.h"
#include "device/memory_value.h"
#include "device/runtime.h"

namespace foothold {
namespace {

void CheckFlag(std::uint64_t flag) {
  if (flag > ACL_NOTIFY_DEVICE_USE_ONLY) {
    Fail(kRtParamInvalid, "flag must be ACL_NOTIFY_DEFAULT (0) or ACL_NOTIFY_DEVICE_USE_ONLY (1), not {}",
         flag);
  }
}

CountNotifyState::RecordMode Checked(aclrtCntNotifyRecordMode mode) {
  switch (mode) {
    case ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE:
    case ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE:
    case ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE:
    case ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE:
      return static_cast<CountNotifyState::RecordMode>(mode);
  }
  Fail(kRtParamInvalid, "info->mode {} is no aclrtCntNotifyRecordMode", static_cast<int>(mode));
}

CountNotifyState::WaitMode Checked(aclrtCntNotifyWaitMode mode) {
  switch (mode) {
    case ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE:
    case ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE:
    case ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE:
    case ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE:
    case ACL_RT_CNT_NOTIFY_WAIT_EQUAL_WITH_BITMASK_MODE:
      return static_cast<CountNotifyState::WaitMode>(mode);
  }
  Fail(kRtParamInvalid, "info->mode {} is no aclrtCntNotifyWaitMode", static_cast<int>(mode));
}

void ResetAll(aclrtNotify* notifies, std::size_t count) {
  std::vector<std::shared_ptr<NotifyState>> found;
  for (std::size_t i = 0; i < count; ++i)
    found.push_back(FindNotify(notifies[i]));
  for (const auto& state : found)
    state->Reset();
}

void CheckValueAddress(void* address) {
  CheckNotNull(address, "devAddr");
  if (reinterpret_cast<std::uintptr_t>(address) % sizeof(std::uint64_t) == 0) return;
  BreaksRule("ACL-MEM-012", address);
  Fail(kRtAddrUnaligned, "devAddr {} is not a multiple of 8", address);
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclrtCreateNotify(aclrtNotify* notify, uint64_t flag) {
  return Guard(FOOTHOLD_CALL(notify, flag), [&] {
    FOOTHOLD_NOT_NULL(notify);
    CheckFlag(flag);
    *notify = Runtime::Get().CreateNotify(CurrentContext());
  });
}

aclError aclrtDestroyNotify(aclrtNotify notify) {
  return Guard(FOOTHOLD_CALL(notify), [&] { Runtime::Get().DestroyNotify(notify); });
}

aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(notify, stream),
               [&, api = __func__] { FindNotify(notify)->Record(FindStream(stream), api); });
}

aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout) {
  return Guard(FOOTHOLD_CALL(notify, stream, timeout),
               [&, api = __func__] { FindNotify(notify)->WaitAndReset(FindStream(stream), api, timeout); });
}

aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t* notifyId) {
  return Guard(FOOTHOLD_CALL(notify, notifyId), [&] {
    FOOTHOLD_NOT_NULL(notifyId);
    *notifyId = FindNotify(notify)->id();
  });
}

aclError aclrtNotifyBatchReset(aclrtNotify* notifies, size_t num) {
  return Guard(FOOTHOLD_CALL(notifies, num), [&] {
    FOOTHOLD_NOT_NULL(notifies);
    if (num == 0) Fail(kRtParamInvalid, "num must not be 0");
    ResetAll(notifies, num);
  });
}

aclError aclrtCntNotifyCreate(aclrtCntNotify* cntNotify, uint64_t flag) {
  return Guard(FOOTHOLD_CALL(cntNotify, flag), [&] {
    FOOTHOLD_NOT_NULL(cntNotify);
    CheckFlag(flag);
    *cntNotify = Runtime::Get().CreateCountNotify(CurrentContext());
  });
}

aclError aclrtCntNotifyDestroy(aclrtCntNotify cntNotify) {
  return Guard(FOOTHOLD_CALL(cntNotify), [&] { Runtime::Get().DestroyCountNotify(cntNotify); });
}

aclError aclrtCntNotifyRecord(aclrtCntNotify cntNotify, aclrtStream stream, aclrtCntNotifyRecordInfo* info) {
  return Guard(FOOTHOLD_CALL(cntNotify, stream, info), [&, api = __func__] {
    FOOTHOLD_NOT_NULL(info);
    const auto state = FindCountNotify(cntNotify);
    state->Record(FindStream(stream), api, Checked(info->mode), info->value);
  });
}

aclError aclrtCntNotifyWaitWithTimeout(aclrtCntNotify cntNotify, aclrtStream stream,
                                       aclrtCntNotifyWaitInfo* info) {
  return Guard(FOOTHOLD_CALL(cntNotify, stream, info), [&, api = __func__] {
    FOOTHOLD_NOT_NULL(info);
    const auto state = FindCountNotify(cntNotify);
    state->Wait(FindStream(stream), api, Checked(info->mode), info->value, info->isClear != 0, info->timeout);
  });
}

aclError aclrtCntNotifyReset(aclrtCntNotify cntNotify, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(cntNotify, stream),
               [&, api = __func__] { FindCountNotify(cntNotify)->Reset(FindStream(stream), api); });
}

aclError aclrtCntNotifyGetId(aclrtCntNotify cntNotify, uint32_t* notifyId) {
  return Guard(FOOTHOLD_CALL(cntNotify, notifyId), [&] {
    FOOTHOLD_NOT_NULL(notifyId);
    *notifyId = FindCountNotify(cntNotify)->id();
  });
}

aclError aclrtValueWrite(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(devAddr, value, flag, stream), [&, api = __func__] {
    CheckValueAddress(devAddr);
    if (flag != 0) Fail(kRtParamInvalid, "flag must be 0, not {}", flag);
    PushValueWrite(FindStream(stream), api, devAddr, value);
  });
}

aclError aclrtValueWait(void* devAddr, uint64_t value, uint32_t flag, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(devAddr, value, flag, stream), [&, api = __func__] {
    CheckValueAddress(devAddr);
    if (flag > ACL_STREAM_WAIT_VALUE_NOR)
      Fail(kRtParamInvalid, "flag must be 0 (greater or equal), 1 (equal), 2 (and) or 3 (nor), not {}", flag);
    PushValueWait(FindStream(stream), api, devAddr, value, static_cast<ValueCondition>(flag));
  });
}
