// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Groups of ranks by name, as frameworks of graphs use them. The group of all ranks is "hccl_world_group".
#ifndef FOOTHOLD_HCCL_HCOM_H_
#define FOOTHOLD_HCCL_HCOM_H_

#include <stdint.h>

#include "acl/acl_base.h"
#include "base.h"
#include "hccl_types.h"

#ifdef __cplusplus
extern "C" {
#endif

ACL_FUNC_VISIBILITY HcclResult HcomInitByRankTable(const char* rankTable, uint32_t rankId);
ACL_FUNC_VISIBILITY HcclResult HcomDestroy(void);
ACL_FUNC_VISIBILITY HcclResult HcomCreateGroup(const char* group, u32 rankNum, u32* rankIds);
ACL_FUNC_VISIBILITY HcclResult HcomDestroyGroup(const char* group);
ACL_FUNC_VISIBILITY HcclResult HcomGetRankSize(const char* group, u32* rankSize);
ACL_FUNC_VISIBILITY HcclResult HcomGetLocalRankSize(const char* group, u32* localRankSize);
ACL_FUNC_VISIBILITY HcclResult HcomGetRankId(const char* group, u32* rankId);
ACL_FUNC_VISIBILITY HcclResult HcomGetLocalRankId(const char* group, u32* localRankId);
ACL_FUNC_VISIBILITY HcclResult HcomGetWorldRankFromGroupRank(const char* group, u32 groupRank,
                                                             u32* worldRank);
ACL_FUNC_VISIBILITY HcclResult HcomGetGroupRankFromWorldRank(u32 worldRank, const char* group,
                                                             u32* groupRank);
ACL_FUNC_VISIBILITY HcclResult HcomGetCommHandleByGroup(const char* group, HcclComm* commHandle);

// Which gradients are sent together.

ACL_FUNC_VISIBILITY HcclResult HcomSetGradFusionByIndex(const char* group, u32 segmentNum, const u32* idx);
ACL_FUNC_VISIBILITY HcclResult HcomSetGradFusionBySize(const char* group, u32 segmentNum,
                                                       const float* percent);

#ifdef __cplusplus
}
#endif

#endif  // FOOTHOLD_HCCL_HCOM_H_
