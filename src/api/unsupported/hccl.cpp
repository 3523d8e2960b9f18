// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Collective communication: functions that are not implemented.
#include "api/unsupported/unsupported.h"

#include "hccl/hccl.h"

namespace {
constexpr foothold::Code kUnsupportedCode = static_cast<foothold::Code>(HCCL_E_NOT_SUPPORT);
}  // namespace

// hccl/hccl_comm.h
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclCommRegCommStateCallback, const char*,
                           HcclCommStateCallback, void*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclConfigGetInfo, HcclComm, HcclConfigType,
                           uint32_t, void*)
