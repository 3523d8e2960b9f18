// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Profiling, log and platform numbers: functions that are not implemented.
#include "api/unsupported.h"

#include "acl/acl_platform.h"
#include "acl/acl_prof.h"
#include "base/acl_log.h"

namespace {
constexpr foothold::Code kUnsupportedCode = foothold::kApiNotSupport;
}  // namespace

// acl/acl_prof.h
FOOTHOLD_UNSUPPORTED(aclprofInit, const char*, size_t)
FOOTHOLD_UNSUPPORTED(aclprofFinalize)
FOOTHOLD_UNSUPPORTED(aclprofSetConfig, aclprofConfigType, const char*, size_t)
FOOTHOLD_UNSUPPORTED_VALUE(aclprofConfig*, nullptr, aclprofCreateConfig, uint32_t*, uint32_t,
                           aclprofAicoreMetrics, const aclprofAicoreEvents*, uint64_t)
FOOTHOLD_UNSUPPORTED(aclprofDestroyConfig, const aclprofConfig*)
FOOTHOLD_UNSUPPORTED(aclprofStart, const aclprofConfig*)
FOOTHOLD_UNSUPPORTED(aclprofStop, const aclprofConfig*)
FOOTHOLD_UNSUPPORTED_VALUE(aclprofSubscribeConfig*, nullptr, aclprofCreateSubscribeConfig, int8_t,
                           aclprofAicoreMetrics, void*)
FOOTHOLD_UNSUPPORTED(aclprofDestroySubscribeConfig, const aclprofSubscribeConfig*)
FOOTHOLD_UNSUPPORTED(aclprofModelSubscribe, uint32_t, const aclprofSubscribeConfig*)
FOOTHOLD_UNSUPPORTED(aclprofModelUnSubscribe, uint32_t)
FOOTHOLD_UNSUPPORTED(aclprofGetOpDescSize, size_t*)
FOOTHOLD_UNSUPPORTED(aclprofGetOpNum, const void*, size_t, uint32_t*)
FOOTHOLD_UNSUPPORTED_VALUE(size_t, 0, aclprofGetModelId, const void*, size_t, uint32_t)
FOOTHOLD_UNSUPPORTED(aclprofGetOpTypeLen, const void*, size_t, uint32_t, size_t*)
FOOTHOLD_UNSUPPORTED(aclprofGetOpType, const void*, size_t, uint32_t, char*, size_t)
FOOTHOLD_UNSUPPORTED(aclprofGetOpNameLen, const void*, size_t, uint32_t, size_t*)
FOOTHOLD_UNSUPPORTED(aclprofGetOpName, const void*, size_t, uint32_t, char*, size_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint64_t, 0, aclprofGetOpStart, const void*, size_t, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint64_t, 0, aclprofGetOpEnd, const void*, size_t, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(uint64_t, 0, aclprofGetOpDuration, const void*, size_t, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(aclprofSubscribeOpFlag, ACL_SUBSCRIBE_NONE, aclprofGetOpFlag, const void*, size_t,
                           uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(const char*, nullptr, aclprofGetOpAttriValue, const void*, size_t, uint32_t,
                           aclprofSubscribeOpAttri)
FOOTHOLD_UNSUPPORTED_VALUE(aclprofStepInfo*, nullptr, aclprofCreateStepInfo)
FOOTHOLD_UNSUPPORTED_VOID(aclprofDestroyStepInfo, aclprofStepInfo*)
FOOTHOLD_UNSUPPORTED(aclprofGetStepTimestamp, aclprofStepInfo*, aclprofStepTag, aclrtStream)
FOOTHOLD_UNSUPPORTED_VALUE(void*, nullptr, aclprofCreateStamp)
FOOTHOLD_UNSUPPORTED_VOID(aclprofDestroyStamp, void*)
FOOTHOLD_UNSUPPORTED(aclprofSetStampTraceMessage, void*, const char*, uint32_t)
FOOTHOLD_UNSUPPORTED(aclprofPush, void*)
FOOTHOLD_UNSUPPORTED(aclprofPop)
FOOTHOLD_UNSUPPORTED(aclprofRangeStart, void*, uint32_t*)
FOOTHOLD_UNSUPPORTED(aclprofRangeStop, uint32_t)
FOOTHOLD_UNSUPPORTED(aclprofMark, void*)
FOOTHOLD_UNSUPPORTED(aclprofMarkEx, const char*, size_t, aclrtStream)
FOOTHOLD_UNSUPPORTED_VALUE(uint64_t, 0, aclprofStr2Id, const char*)
FOOTHOLD_UNSUPPORTED(aclprofRangePushEx, aclprofEventAttributes*)
FOOTHOLD_UNSUPPORTED(aclprofRangePop)

// acl/acl_platform.h
FOOTHOLD_UNSUPPORTED(aclplatformGetDeviceInfo, aclplatformDevInfo, char*, uint32_t)
FOOTHOLD_UNSUPPORTED(aclplatformGetInstructionInfo, aclplatformCoreType, const char*, char*, uint32_t)

// base/acl_log.h
FOOTHOLD_UNSUPPORTED_VALUE(int32_t, 0, acllogCheckDebugLevel, int32_t, int32_t)
FOOTHOLD_UNSUPPORTED_VOID(acllogRecord, int32_t, int32_t, const char*, ...)
FOOTHOLD_UNSUPPORTED_VOID(acllogVaList, int32_t, int32_t, const char*, va_list)
FOOTHOLD_UNSUPPORTED_VALUE(int32_t, kUnsupportedCode, acllogRegisterCallback, acllogRecordCallback, void*,
                           uint32_t, acllogCallbackHandle*)
FOOTHOLD_UNSUPPORTED_VALUE(int32_t, kUnsupportedCode, acllogUnregisterCallback, acllogCallbackHandle)
