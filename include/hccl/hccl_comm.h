// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Communicators of HCCL: making, asking and ending them. A communicator belongs to the device that is current
// when it is made. Functions may be called from any thread.
#ifndef FOOTHOLD_HCCL_HCCL_COMM_H_
#define FOOTHOLD_HCCL_HCCL_COMM_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acl/acl_rt.h"
#include "hccl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Making communicators. All but HcclCommInitAll are called once by every rank and return when all have come.

ACL_FUNC_VISIBILITY HcclResult HcclGetRootInfo(HcclRootInfo* rootInfo);
ACL_FUNC_VISIBILITY HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo* rootInfo,
                                                    uint32_t rank, HcclComm* comm);
ACL_FUNC_VISIBILITY HcclResult HcclCommInitRootInfoConfig(uint32_t nRanks, const HcclRootInfo* rootInfo,
                                                          uint32_t rank, const HcclCommConfig* config,
                                                          HcclComm* comm);
// clusterInfo: the file of a rank table.
ACL_FUNC_VISIBILITY HcclResult HcclCommInitClusterInfo(const char* clusterInfo, uint32_t rank,
                                                       HcclComm* comm);
ACL_FUNC_VISIBILITY HcclResult HcclCommInitClusterInfoConfig(const char* clusterInfo, uint32_t rank,
                                                             HcclCommConfig* config, HcclComm* comm);
// One process: comms[i] is rank i, on devices[i].
ACL_FUNC_VISIBILITY HcclResult HcclCommInitAll(uint32_t ndev, int32_t* devices, HcclComm* comms);
// From some ranks of a communicator, called by these; others may call it with rankIds null and subCommId
// 0xFFFFFFFF.
ACL_FUNC_VISIBILITY HcclResult HcclCreateSubCommConfig(HcclComm* comm, uint32_t rankNum, uint32_t* rankIds,
                                                       uint64_t subCommId, uint32_t subCommRankId,
                                                       HcclCommConfig* config, HcclComm* subComm);
// Null is accepted. HCCL_E_AGAIN while tasks of it are in flight.
ACL_FUNC_VISIBILITY HcclResult HcclCommDestroy(HcclComm comm);

// Sets every field to what stands for "not set". Not exported: the size it writes is that of the caller's
// structure.
static inline void HcclCommConfigInit(HcclCommConfig* config) {
  struct HcclCommConfigHead {
    size_t size;
    uint32_t magic_word;
    uint32_t version;
    uint64_t rest;
  };
  struct HcclCommConfigHead head = {sizeof(HcclCommConfig), 0xf0f0f0f0u, 11u, 0u};
  const unsigned char* from      = (const unsigned char*)&head;
  unsigned char* to              = (unsigned char*)config;
  size_t i;
  if (config == NULL) return;
  for (i = 0; i < sizeof(HcclCommConfig); ++i)
    to[i] = i < sizeof(head) ? from[i] : (unsigned char)0;
  config->hcclBufferSize              = 0xffffffffu;
  config->hcclDeterministic           = 0xffffffffu;
  config->hcclRdmaTrafficClass        = 0xffffffffu;
  config->hcclRdmaServiceLevel        = 0xffffffffu;
  config->hcclExecTimeOut             = -1;
  config->hcclQos                     = 0xffffffffu;
  config->hcclSymWinMaxMemSizePerRank = 16;
  config->hcclChannelSqDepth          = 0xffffffffu;
}

// Asking.

ACL_FUNC_VISIBILITY HcclResult HcclGetRankSize(HcclComm comm, uint32_t* rankSize);
ACL_FUNC_VISIBILITY HcclResult HcclGetRankId(HcclComm comm, uint32_t* rank);
// commName: room for COMM_NAME_MAX_LENGTH characters.
ACL_FUNC_VISIBILITY HcclResult HcclGetCommName(HcclComm comm, char* commName);
ACL_FUNC_VISIBILITY HcclResult HcclCommGetHandleWithName(const char* commName, HcclComm* comm);
ACL_FUNC_VISIBILITY HcclResult HcclCommGetStatus(const char* commId, HcclCommStatus* status);
ACL_FUNC_VISIBILITY const char* HcclGetErrorString(HcclResult code);
// HCCL_SUCCESS, or why tasks of this communicator failed: HCCL_E_REMOTE, HCCL_E_TIMEOUT or HCCL_E_SUSPENDING.
ACL_FUNC_VISIBILITY HcclResult HcclGetCommAsyncError(HcclComm comm, HcclResult* asyncError);
ACL_FUNC_VISIBILITY uint32_t HcclGetCommConfigCapability(void);
ACL_FUNC_VISIBILITY HcclResult HcclConfigGetInfo(HcclComm comm, HcclConfigType cfgType, uint32_t infoLen,
                                                 void* info);

// Settings of the process.

ACL_FUNC_VISIBILITY HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue configValue);
ACL_FUNC_VISIBILITY HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue* configValue);

// Groups of calls: those between the two take effect together at the end.

ACL_FUNC_VISIBILITY HcclResult HcclGroupStart(void);
ACL_FUNC_VISIBILITY HcclResult HcclGroupEnd(void);
ACL_FUNC_VISIBILITY HcclResult HcclGroupStatusGet(bool* isGroupEnabled);

// A suspended communicator refuses collectives with HCCL_E_SUSPENDING.

ACL_FUNC_VISIBILITY HcclResult HcclCommSuspend(HcclComm comm);
ACL_FUNC_VISIBILITY HcclResult HcclCommResume(HcclComm comm);
ACL_FUNC_VISIBILITY HcclResult HcclCommRegCommStateCallback(const char* regName, HcclCommStateCallback cb,
                                                            void* args);
ACL_FUNC_VISIBILITY HcclResult HcclCommWorkingDevNicSet(HcclComm comm, uint32_t* ranks, bool* useBackup,
                                                        uint32_t nRanks);

// Hints which memory collectives will use.

ACL_FUNC_VISIBILITY HcclResult HcclCommSetMemoryRange(HcclComm comm, void* baseVirPtr, size_t size,
                                                      size_t alignment, uint64_t flags);
ACL_FUNC_VISIBILITY HcclResult HcclCommUnsetMemoryRange(HcclComm comm, void* baseVirPtr);
ACL_FUNC_VISIBILITY HcclResult HcclCommActivateCommMemory(HcclComm comm, void* virPtr, size_t size,
                                                          size_t offset, aclrtDrvMemHandle handle,
                                                          uint64_t flags);
ACL_FUNC_VISIBILITY HcclResult HcclCommDeactivateCommMemory(HcclComm comm, void* virPtr);
ACL_FUNC_VISIBILITY HcclResult HcclCommSymWinRegister(HcclComm comm, void* addr, uint64_t size,
                                                      HcclCommSymWindow* winHandle, uint32_t flag);
ACL_FUNC_VISIBILITY HcclResult HcclCommSymWinDeregister(HcclCommSymWindow winHandle);
ACL_FUNC_VISIBILITY HcclResult HcclCommSymWinGet(HcclComm comm, void* ptr, size_t size,
                                                 HcclCommSymWindow* winHandle, size_t* offset);
ACL_FUNC_VISIBILITY HcclResult HcclCommRegister(HcclComm comm, void* addr, uint64_t size, void** handle,
                                                uint32_t flag);
ACL_FUNC_VISIBILITY HcclResult HcclCommDeregister(HcclComm comm, void* handle);
ACL_FUNC_VISIBILITY HcclResult HcclCommExchangeMem(HcclComm comm, void* windowHandle, uint32_t* peerRanks,
                                                   uint32_t peerRankNum);

#ifdef __cplusplus
}
#endif

#endif  // FOOTHOLD_HCCL_HCCL_COMM_H_
