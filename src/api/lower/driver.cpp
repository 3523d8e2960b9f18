// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The few functions of the driver's library and of the layer for operating systems that prebuilt programs
// import or find by name. No header has them.
#include "acl/acl_base.h"
#include "api/guard.h"
#include "base/log.h"
#include "base/thread_id.h"
#include "device/memory_map.h"
#include "device/runtime.h"

extern "C" {

ACL_FUNC_VISIBILITY int halGetDeviceInfo(uint32_t devId, int32_t moduleType, int32_t infoType,
                                         int64_t* value);
ACL_FUNC_VISIBILITY int halGetAPIVersion(int32_t* halAPIVersion);
ACL_FUNC_VISIBILITY int halHostRegister(void* srcPtr, uint64_t size, uint32_t flag, uint32_t devid,
                                        void** dstPtr);
ACL_FUNC_VISIBILITY int halHostUnregister(void* srcPtr, uint32_t devid);
ACL_FUNC_VISIBILITY int mmGetTid(void);

}  // extern "C"

ACL_FUNC_VISIBILITY int CheckLogLevel(int moduleId, int logLevel);
ACL_FUNC_VISIBILITY void DlogFlush();

namespace {

constexpr int32_t kSystem = 0;
constexpr int32_t kClockRate = 24;
// Stamps of profiles count nanoseconds: MsprofSysCycleTime.
constexpr int64_t kKilohertz = 1'000'000;
// Programs take the counter of the processor for their stamps from 0x071905 on; that one runs at a rate of
// its own.
constexpr int32_t kStampsByClock = 0x071900;

}  // namespace

using namespace foothold;

int halGetDeviceInfo(uint32_t devId, int32_t moduleType, int32_t infoType, int64_t* value) {
  return Guard(FOOTHOLD_QUERY(devId, moduleType, infoType, value), [&] {
    FOOTHOLD_NOT_NULL(value);
    Runtime::Get().device(static_cast<int>(devId));
    if (moduleType != kSystem || infoType != kClockRate) {
      Fail(kRtFeatureNotSupport,
           "information {} of module {} is not known here; there is 24 of module 0, the clock in kHz",
           infoType, moduleType);
    }
    *value = kKilohertz;
  });
}

int halGetAPIVersion(int32_t* halAPIVersion) {
  return Guard(FOOTHOLD_CALL(halAPIVersion), [&] { *FOOTHOLD_NOT_NULL(halAPIVersion) = kStampsByClock; });
}

int halHostRegister(void* srcPtr, uint64_t size, uint32_t flag, uint32_t devid, void** dstPtr) {
  const auto call = FOOTHOLD_CALL(srcPtr, size, flag, devid, dstPtr);
  return Guard(call, [&] {
    FOOTHOLD_NOT_NULL(dstPtr);
    Runtime::Get().device(static_cast<int>(devid));
    MemoryMap::Get().registered.Register(srcPtr, size, true, call.name);
    *dstPtr = srcPtr;
  });
}

int halHostUnregister(void* srcPtr, uint32_t devid) {
  return Guard(FOOTHOLD_CALL(srcPtr, devid), [&] {
    Runtime::Get().device(static_cast<int>(devid));
    MemoryMap::Get().registered.Unregister(srcPtr);
  });
}

int mmGetTid(void) {
  return static_cast<int>(KernelThreadId());
}

// 1 where a record of this level would be written, whatever part of a program asks.
int CheckLogLevel(int, int logLevel) {
  return LogEnabled(static_cast<LogLevel>(logLevel)) ? 1 : 0;
}

// Records are written one by one, and none is kept back.
void DlogFlush() {}
