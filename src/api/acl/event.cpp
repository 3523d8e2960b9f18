// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "acl/acl_rt.h"
#include "api/acl/time_limits.h"
#include "api/guard.h"
#include "check/late_settings.h"
#include "device/current.h"
#include "device/runtime.h"

namespace foothold {
namespace {

constexpr std::uint32_t kCombinable =
    ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS | ACL_EVENT_TIME_LINE | ACL_EVENT_DEVICE_USE_ONLY;

std::uint32_t CheckedFlag(std::uint32_t flag, Event::Kind kind) {
  const bool alone = flag == ACL_EVENT_EXTERNAL || (flag == ACL_EVENT_IPC && kind == Event::Kind::kExtended);
  if (!alone && (flag == 0 || (flag & ~kCombinable) != 0)) {
    Fail(
        kRtParamInvalid,
        "flag {:#x} is not allowed: ACL_EVENT_SYNC (1), ACL_EVENT_CAPTURE_STREAM_PROGRESS (2), "
        "ACL_EVENT_TIME_LINE (8) and ACL_EVENT_DEVICE_USE_ONLY (16) may be combined, ACL_EVENT_EXTERNAL (32) "
        "stands alone, and so does ACL_EVENT_IPC (64) with aclrtCreateEventExWithFlag",
        flag);
  }
  return flag;
}

void CheckNotExtended(const EventState& event) {
  if (event.kind() == Event::Kind::kExtended) {
    Fail(kRtParamInvalid,
         "event {} was created by aclrtCreateEventExWithFlag; use aclrtQueryEventStatus for such events",
         event.id());
  }
}

// Outside of a capture external records and waits have no meaning.
EventState::Scope ScopeOf(std::uint32_t flag, std::uint32_t external, const StreamRef& stream) {
  if (flag > external) Fail(kRtParamInvalid, "flag must be 0 or {}, not {}", external, flag);
  if (flag == external && !stream->is_diverted()) {
    Fail(kRtStreamNotCaptured, "flag {} is for streams that are being captured, and stream {} is not", flag,
         stream->id());
  }
  return flag == external ? EventState::Scope::kExternal : EventState::Scope::kInternal;
}

void Synchronize(aclrtEvent event, std::int32_t timeout) {
  const auto state = FindEvent(event);
  if (!state->Synchronize(DeadlineOf(timeout))) {
    Fail(kRtEventSyncTimeout, "event {} was not reached within {} ms; it may still be", state->id(), timeout);
  }
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclrtCreateEvent(aclrtEvent* event) {
  return Guard(FOOTHOLD_CALL(event), [&] {
    FOOTHOLD_NOT_NULL(event);
    *event = Runtime::Get().CreateEvent(CurrentContext(), Event::Kind::kPlain, 0);
  });
}

aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag) {
  return Guard(FOOTHOLD_CALL(event, flag), [&] {
    FOOTHOLD_NOT_NULL(event);
    const auto kind = Event::Kind::kWithFlag;
    *event = Runtime::Get().CreateEvent(CurrentContext(), kind, CheckedFlag(flag, kind));
  });
}

aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag) {
  return Guard(FOOTHOLD_CALL(event, flag), [&] {
    FOOTHOLD_NOT_NULL(event);
    const auto kind = Event::Kind::kExtended;
    *event = Runtime::Get().CreateEvent(CurrentContext(), kind, CheckedFlag(flag, kind));
  });
}

aclError aclrtDestroyEvent(aclrtEvent event) {
  return Guard(FOOTHOLD_CALL(event), [&] { Runtime::Get().DestroyEvent(event); });
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(event, stream),
               [&, api = __func__] { FindEvent(event)->Record(FindStream(stream), api); });
}

aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag) {
  return Guard(FOOTHOLD_CALL(event, stream, flag), [&, api = __func__] {
    const auto state = FindEvent(event);
    const StreamRef found = FindStream(stream);
    state->Record(found, api, ScopeOf(flag, ACL_EVENT_RECORD_EXTERNAL, found));
  });
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(event, stream),
               [&, api = __func__] { FindEvent(event)->Reset(FindStream(stream), api); });
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  return Guard(FOOTHOLD_CALL(stream, event), [&, api = __func__] {
    const StreamRef found = FindStream(stream);
    FindEvent(event)->WaitOn(found, api, Runtime::Get().op_wait_timeout.load());
    check::SettingUsed(check::Setting::kTimeLimit);
  });
}

aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout) {
  return Guard(FOOTHOLD_CALL(stream, event, timeout), [&, api = __func__] {
    const StreamRef found = FindStream(stream);
    const auto state = FindEvent(event);
    if (timeout < 0) Fail(kRtParamInvalid, "timeout must be 0 (for ever) or seconds, not {}", timeout);
    state->WaitOn(found, api, static_cast<std::uint32_t>(timeout));
  });
}

aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t timeout, uint32_t flag) {
  return Guard(FOOTHOLD_CALL(stream, event, timeout, flag), [&, api = __func__] {
    const StreamRef found = FindStream(stream);
    const auto state = FindEvent(event);
    state->WaitOn(found, api, timeout, ScopeOf(flag, ACL_EVENT_WAIT_EXTERNAL, found));
  });
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status) {
  return Guard(FOOTHOLD_CALL(event, status), [&] {
    FOOTHOLD_NOT_NULL(status);
    *status = FindEvent(event)->IsComplete() ? ACL_EVENT_RECORDED_STATUS_COMPLETE
                                             : ACL_EVENT_RECORDED_STATUS_NOT_READY;
  });
}

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status) {
  return Guard(FOOTHOLD_CALL(event, status), [&] {
    FOOTHOLD_NOT_NULL(status);
    const auto state = FindEvent(event);
    CheckNotExtended(*state);
    *status = state->IsComplete() ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
  });
}

aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus* status) {
  return Guard(FOOTHOLD_CALL(event, status), [&] {
    FOOTHOLD_NOT_NULL(status);
    const auto state = FindEvent(event);
    CheckNotExtended(*state);
    *status = state->AllWaitsDone() ? ACL_EVENT_WAIT_STATUS_COMPLETE : ACL_EVENT_WAIT_STATUS_NOT_READY;
  });
}

aclError aclrtSynchronizeEvent(aclrtEvent event) {
  return Guard(FOOTHOLD_CALL(event), [&] { Synchronize(event, -1); });
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
  return Guard(FOOTHOLD_CALL(event, timeout), [&] { Synchronize(event, timeout); });
}

aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent, aclrtEvent endEvent) {
  return Guard(FOOTHOLD_CALL(ms, startEvent, endEvent), [&] {
    FOOTHOLD_NOT_NULL(ms);
    *ms = static_cast<float>(ElapsedTime(*FindEvent(startEvent), *FindEvent(endEvent))) / kMillisecond;
  });
}

aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp) {
  return Guard(FOOTHOLD_CALL(event, timestamp), [&] {
    FOOTHOLD_NOT_NULL(timestamp);
    *timestamp = static_cast<std::uint64_t>(FindEvent(event)->Timestamp() / kMicrosecond);
  });
}

aclError aclrtGetEventId(aclrtEvent event, uint32_t* eventId) {
  return Guard(FOOTHOLD_CALL(event, eventId), [&] {
    FOOTHOLD_NOT_NULL(eventId);
    *eventId = FindEvent(event)->id();
  });
}

aclError aclrtGetEventAvailNum(uint32_t* eventCount) {
  return Guard(FOOTHOLD_CALL(eventCount), [&] {
    FOOTHOLD_NOT_NULL(eventCount);
    *eventCount = Runtime::Get().limits().events - CurrentDevice().events.load();
  });
}
