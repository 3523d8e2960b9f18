// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Offline models: functions that are not implemented.
#include "api/unsupported/unsupported.h"

#include "acl/acl_mdl.h"

namespace {
constexpr foothold::Code kUnsupportedCode = foothold::kApiNotSupport;
}  // namespace

// acl/acl_mdl.h
FOOTHOLD_UNSUPPORTED(aclmdlLoadFromFileWithQ, const char*, uint32_t*, const uint32_t*, size_t,
                     const uint32_t*, size_t)
FOOTHOLD_UNSUPPORTED(aclmdlLoadFromMemWithQ, const void*, size_t, uint32_t*, const uint32_t*, size_t,
                     const uint32_t*, size_t)
FOOTHOLD_UNSUPPORTED(aclmdlLoadFromModel, const aclmdlModel*, const aclmdlConfigHandle*, uint32_t*)
FOOTHOLD_UNSUPPORTED(aclmdlSetExternalWeightAddress, aclmdlConfigHandle*, const char*, void*, size_t)
FOOTHOLD_UNSUPPORTED(aclRecoverAllHcclTasks, int32_t)
