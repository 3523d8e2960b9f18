// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Single operators: functions that are not implemented, most of them for programs in the hardware's own code.
#include "api/unsupported/unsupported.h"

#include "acl/acl_op.h"

namespace {
constexpr foothold::Code kUnsupportedCode = foothold::kApiNotSupport;
}  // namespace

// acl/acl_op.h
FOOTHOLD_UNSUPPORTED(aclopRegisterCompileFunc, const char*, aclopCompileFunc)
FOOTHOLD_UNSUPPORTED(aclopUnregisterCompileFunc, const char*)
FOOTHOLD_UNSUPPORTED(aclopCreateKernel, const char*, const char*, const char*, void*, int, aclopEngineType,
                     aclDataDeallocator)
FOOTHOLD_UNSUPPORTED(aclopSetKernelArgs, aclopKernelDesc*, const char*, uint32_t, const void*, uint32_t)
FOOTHOLD_UNSUPPORTED(aclopSetKernelWorkspaceSizes, aclopKernelDesc*, int, size_t*)
FOOTHOLD_UNSUPPORTED(aclopUpdateParams, const char*, int, const aclTensorDesc* const*, int,
                     const aclTensorDesc* const*, const aclopAttr*)
