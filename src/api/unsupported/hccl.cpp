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
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclCommRegister, HcclComm, void*, uint64_t,
                           void**, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclCommDeregister, HcclComm, void*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclCommExchangeMem, HcclComm, void*, uint32_t*,
                           uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclCommWorkingDevNicSet, HcclComm, uint32_t*,
                           bool*, uint32_t)
