// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include "acl/acl_rt.h"
#include "api/acl/time_limits.h"
#include "api/guard.h"
#include "base/first_time.h"
#include "check/advice.h"
#include "check/late_settings.h"
#include "device/checked_tasks.h"
#include "device/current.h"
#include "device/runtime.h"

namespace foothold {
namespace {

constexpr std::uint32_t kKnownFlags = ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC | ACL_STREAM_PERSISTENT |
                                      ACL_STREAM_HUGE | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;
// Each says who starts the tasks, so a stream has at most one of them.
constexpr std::uint32_t kScheduleFlags =
    ACL_STREAM_PERSISTENT | ACL_STREAM_CPU_SCHEDULE | ACL_STREAM_DEVICE_USE_ONLY;

// Bits that mean nothing here are dropped; programs may be newer than this library.
std::uint32_t CheckedFlags(std::uint64_t flag) {
  const std::uint64_t schedule = flag & kScheduleFlags;
  if ((schedule & (schedule - 1)) != 0) {
    Fail(kRtParamInvalid,
         "flag {:#x} asks for more than one of ACL_STREAM_PERSISTENT (4), ACL_STREAM_CPU_SCHEDULE (16) and "
         "ACL_STREAM_DEVICE_USE_ONLY (32), which exclude each other",
         flag);
  }
  if (const std::uint64_t unknown = flag & ~std::uint64_t{kKnownFlags}; unknown != 0)
    WarnOnce(fmt::format("stream flag {:#x}", unknown),
             "flag {:#x} of a stream has bits that mean nothing here, {:#x}: they are dropped", flag,
             unknown);
  return static_cast<std::uint32_t>(flag & kKnownFlags);
}

void Create(aclrtStream* stream, std::uint32_t priority, std::uint64_t flag) {
  *stream = Runtime::Get().CreateStream(CurrentContext(), priority, CheckedFlags(flag)).handle();
  if (!check::On()) return;
  check::LookAtStreamCount(CurrentDevice().streams.load(), Runtime::Get().soc_name());
  check::SettingUsed(check::Setting::kSaturation);
}

void Destroy(aclrtStream stream, bool force) {
  Runtime::Get().DestroyStream(FindExplicitStream(stream), force);
}

// Out of the way of waits for streams that are idle.
[[gnu::noinline, gnu::cold]] void LookAtWait(const StreamRef& found) {
  check::LookAtStreamWait(NameOf(*found.stream));
}

[[noreturn, gnu::noinline, gnu::cold]] void FailUnfinished(const StreamRef& found, std::int32_t timeout) {
  Fail(kRtStreamSyncTimeout, "stream {} still has unfinished tasks after {} ms; they keep running",
       found->id(), timeout);
}

inline void Synchronize(aclrtStream stream, std::int32_t timeout) {
  const StreamRef found = FindStream(stream);
  if (check::On()) [[unlikely]]
    LookAtWait(found);
  if (!found->Synchronize(DeadlineOf(timeout))) [[unlikely]]
    FailUnfinished(found, timeout);
}

void SynchronizeCurrentDevice(std::int32_t timeout) {
  Device& device = CurrentDevice();
  if (check::On()) check::LookAtDeviceWait();
  if (!Runtime::Get().SynchronizeDevice(device, DeadlineOf(timeout))) {
    Fail(kRtStreamSyncTimeout, "device {} still has unfinished tasks after {} ms; they keep running",
         device.id(), timeout);
  }
}

}  // namespace
}  // namespace foothold

using namespace foothold;

aclError aclrtCreateStream(aclrtStream* stream) {
  return Guard(FOOTHOLD_CALL(stream), [&] {
    FOOTHOLD_NOT_NULL(stream);
    Create(stream, 0, 0);
  });
}

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag) {
  return Guard(FOOTHOLD_CALL(stream, priority, flag), [&] {
    FOOTHOLD_NOT_NULL(stream);
    Create(stream, priority, flag);
  });
}

aclError aclrtCreateStreamV2(aclrtStream* stream, const aclrtStreamConfigHandle* handle) {
  return Guard(FOOTHOLD_CALL(stream, handle), [&] {
    FOOTHOLD_NOT_NULL(stream);
    FOOTHOLD_NOT_NULL(handle);
    Create(stream, handle->priority, handle->flag);
  });
}

aclError aclrtDestroyStream(aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(stream), [&] { Destroy(stream, false); });
}

aclError aclrtDestroyStreamForce(aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(stream), [&] { Destroy(stream, true); });
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status) {
  return Guard(FOOTHOLD_CALL(stream, status), [&] {
    FOOTHOLD_NOT_NULL(status);
    const StreamRef found = FindStream(stream);
    found->CheckNotDiverted();
    const bool idle = found->IsIdle();
    if (idle && check::On()) check::HostLearnsStream(NameOf(*found.stream));
    *status = idle ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
  });
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  return Guard(FOOTHOLD_CALL(stream), [&] { Synchronize(stream, -1); });
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
  return Guard(FOOTHOLD_CALL(stream, timeout), [&] { Synchronize(stream, timeout); });
}

aclError aclrtSynchronizeDevice() {
  return Guard(FOOTHOLD_CALL(), [&] { SynchronizeCurrentDevice(-1); });
}

aclError aclrtSynchronizeDeviceWithTimeout(int32_t timeout) {
  return Guard(FOOTHOLD_CALL(timeout), [&] { SynchronizeCurrentDevice(timeout); });
}

aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId) {
  return Guard(FOOTHOLD_CALL(stream, streamId), [&] {
    FOOTHOLD_NOT_NULL(streamId);
    *streamId = FindStream(stream)->id();
  });
}

aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority) {
  return Guard(FOOTHOLD_CALL(stream, priority), [&] {
    FOOTHOLD_NOT_NULL(priority);
    *priority = FindStream(stream)->priority();
  });
}

aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags) {
  return Guard(FOOTHOLD_CALL(stream, flags), [&] {
    FOOTHOLD_NOT_NULL(flags);
    *flags = FindStream(stream)->flags();
  });
}

aclError aclrtGetStreamAvailableNum(uint32_t* streamCount) {
  return Guard(FOOTHOLD_CALL(streamCount), [&] {
    FOOTHOLD_NOT_NULL(streamCount);
    *streamCount = Runtime::Get().limits().streams - CurrentDevice().streams.load();
  });
}
