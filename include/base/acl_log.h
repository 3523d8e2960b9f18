// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The log, for programs that write to it by module number.
#ifndef FOOTHOLD_BASE_ACL_LOG_H_
#define FOOTHOLD_BASE_ACL_LOG_H_

#include <stdarg.h>
#include <stdint.h>

#include "acl/acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Writing.

ACL_FUNC_VISIBILITY int32_t acllogCheckDebugLevel(int32_t moduleId, int32_t logLevel);
ACL_FUNC_VISIBILITY void acllogRecord(int32_t moduleId, int32_t level, const char* fmt, ...);
ACL_FUNC_VISIBILITY void acllogVaList(int32_t moduleId, int32_t level, const char* fmt, va_list list);

// Reading.

typedef void* acllogCallbackHandle;

// The parameters of this callback are not published; a program has to cast its function to this type.
typedef void (*acllogRecordCallback)(void);

ACL_FUNC_VISIBILITY int32_t acllogRegisterCallback(acllogRecordCallback callbackFunc, void* userData,
                                                   uint32_t outputLogType,
                                                   acllogCallbackHandle* callbackHandle);
ACL_FUNC_VISIBILITY int32_t acllogUnregisterCallback(acllogCallbackHandle callback);

#ifdef __cplusplus
}
#endif

#endif  // FOOTHOLD_BASE_ACL_LOG_H_
