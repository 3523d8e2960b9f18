// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Collective communication: functions that are not implemented.
#include "api/unsupported/unsupported.h"

#include "hccl/hccl.h"
#include "hccl/hcom.h"

namespace {
constexpr foothold::Code kUnsupportedCode = static_cast<foothold::Code>(HCCL_E_NOT_SUPPORT);
}  // namespace

// hccl/hccl_comm.h
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclGetRootInfo, HcclRootInfo*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclCommInitRootInfo, uint32_t,
                           const HcclRootInfo*, uint32_t, HcclComm*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclCommInitRootInfoConfig, uint32_t,
                           const HcclRootInfo*, uint32_t, const HcclCommConfig*, HcclComm*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclCommInitClusterInfo, const char*, uint32_t,
                           HcclComm*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclCommInitClusterInfoConfig, const char*,
                           uint32_t, HcclCommConfig*, HcclComm*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclCommRegCommStateCallback, const char*,
                           HcclCommStateCallback, void*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclConfigGetInfo, HcclComm, HcclConfigType,
                           uint32_t, void*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclCommSymWinRegister, HcclComm, void*, uint64_t,
                           HcclCommSymWindow*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclCommSymWinDeregister, HcclCommSymWindow)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclCommSymWinGet, HcclComm, void*, size_t,
                           HcclCommSymWindow*, size_t*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclCommRegister, HcclComm, void*, uint64_t,
                           void**, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclCommDeregister, HcclComm, void*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclCommExchangeMem, HcclComm, void*, uint32_t*,
                           uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcclCommWorkingDevNicSet, HcclComm, uint32_t*,
                           bool*, uint32_t)

// hccl/hcom.h
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcomInitByRankTable, const char*, uint32_t)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcomDestroy)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcomCreateGroup, const char*, u32, u32*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcomDestroyGroup, const char*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcomGetRankSize, const char*, u32*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcomGetLocalRankSize, const char*, u32*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcomGetRankId, const char*, u32*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcomGetLocalRankId, const char*, u32*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcomGetWorldRankFromGroupRank, const char*, u32,
                           u32*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcomGetGroupRankFromWorldRank, u32, const char*,
                           u32*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcomGetCommHandleByGroup, const char*, HcclComm*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcomSetGradFusionByIndex, const char*, u32,
                           const u32*)
FOOTHOLD_UNSUPPORTED_VALUE(HcclResult, HCCL_E_NOT_SUPPORT, HcomSetGradFusionBySize, const char*, u32,
                           const float*)
