// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Log and platform numbers: functions that are not implemented.
#include "api/unsupported/unsupported.h"

#include "acl/acl_platform.h"
#include "base/acl_log.h"

namespace {
constexpr foothold::Code kUnsupportedCode = foothold::kApiNotSupport;
}  // namespace

// acl/acl_platform.h
FOOTHOLD_UNSUPPORTED(aclplatformGetInstructionInfo, aclplatformCoreType, const char*, char*, uint32_t)

// base/acl_log.h
FOOTHOLD_UNSUPPORTED_VALUE(int32_t, kUnsupportedCode, acllogRegisterCallback, acllogRecordCallback, void*,
                           uint32_t, acllogCallbackHandle*)
FOOTHOLD_UNSUPPORTED_VALUE(int32_t, kUnsupportedCode, acllogUnregisterCallback, acllogCallbackHandle)
