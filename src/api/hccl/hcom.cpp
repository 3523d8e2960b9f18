// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Groups by name.
#include "hccl/hcom.h"

#include <algorithm>
#include <string>
#include <vector>

#include "api/hccl/hccl_guard.h"
#include "api/status.h"
#include "base/first_time.h"
#include "collectives/world.h"
#include "device/current.h"

namespace foothold::collectives {
namespace {

// Ranks of the world, by rank of the group.
std::uint32_t WorldRank(const Communicator& group, std::uint32_t rank) {
  if (rank >= group.size()) Fail(kHcclPara, "group {} has no rank {}", group.name(), rank);
  return group.is_part() ? group.world()[rank] : rank;
}

void CheckFusion(const char* group, std::uint32_t count, const void* list, const char* name) {
  World::Get().Find(group);
  CheckHcclPointer(list, name);
  if (count == 0) Fail(kHcclPara, "segmentNum must not be 0");
  WarnOnce("gradient fusion", "how gradients are put together has no effect here: each is sent by itself");
}

}  // namespace
}  // namespace foothold::collectives

using namespace foothold;
using namespace foothold::collectives;

HcclResult HcomInitByRankTable(const char* rankTable, uint32_t rankId) {
  return GuardHccl(FOOTHOLD_CALL(rankTable, rankId), [&] {
    FOOTHOLD_HCCL_NOT_NULL(rankTable);
    World::Get().Make(RankTable::Read(rankTable), rankId, CurrentDevice());
  });
}

HcclResult HcomDestroy() {
  return GuardHccl(FOOTHOLD_CALL(), [&] { World::Get().Destroy(); });
}

HcclResult HcomCreateGroup(const char* group, u32 rankNum, u32* rankIds) {
  return GuardHccl(FOOTHOLD_CALL(group, rankNum, rankIds), [&] {
    FOOTHOLD_HCCL_NOT_NULL(group);
    FOOTHOLD_HCCL_NOT_NULL(rankIds);
    const std::uint32_t all = World::Get().Find(nullptr)->size();
    if (rankNum == 0 || rankNum > all) Fail(kHcclPara, "rankNum is {}, but must be 1 to {}", rankNum, all);
    World::Get().AddPart(group, {rankIds, rankIds + rankNum});
  });
}

HcclResult HcomDestroyGroup(const char* group) {
  return GuardHccl(FOOTHOLD_CALL(group), [&] {
    FOOTHOLD_HCCL_NOT_NULL(group);
    World::Get().DestroyPart(group);
  });
}

HcclResult HcomGetRankSize(const char* group, u32* rankSize) {
  return GuardHccl(FOOTHOLD_CALL(group, rankSize), [&] {
    FOOTHOLD_HCCL_NOT_NULL(rankSize);
    *rankSize = World::Get().Find(group)->size();
  });
}

HcclResult HcomGetLocalRankSize(const char* group, u32* localRankSize) {
  return GuardHccl(FOOTHOLD_CALL(group, localRankSize), [&] {
    FOOTHOLD_HCCL_NOT_NULL(localRankSize);
    const auto found = World::Get().Find(group);
    *localRankSize = found->group().ranks_here(found->rank());
  });
}

HcclResult HcomGetRankId(const char* group, u32* rankId) {
  return GuardHccl(FOOTHOLD_CALL(group, rankId), [&] {
    FOOTHOLD_HCCL_NOT_NULL(rankId);
    *rankId = World::Get().Find(group)->rank();
  });
}

HcclResult HcomGetLocalRankId(const char* group, u32* localRankId) {
  return GuardHccl(FOOTHOLD_CALL(group, localRankId), [&] {
    FOOTHOLD_HCCL_NOT_NULL(localRankId);
    const auto found = World::Get().Find(group);
    *localRankId = found->group().place_here(found->rank());
  });
}

HcclResult HcomGetWorldRankFromGroupRank(const char* group, u32 groupRank, u32* worldRank) {
  return GuardHccl(FOOTHOLD_CALL(group, groupRank, worldRank), [&] {
    FOOTHOLD_HCCL_NOT_NULL(worldRank);
    *worldRank = WorldRank(*World::Get().Find(group), groupRank);
  });
}

HcclResult HcomGetGroupRankFromWorldRank(u32 worldRank, const char* group, u32* groupRank) {
  return GuardHccl(FOOTHOLD_CALL(worldRank, group, groupRank), [&] {
    FOOTHOLD_HCCL_NOT_NULL(groupRank);
    const auto found = World::Get().Find(group);
    for (std::uint32_t rank = 0; rank < found->size(); ++rank) {
      if (WorldRank(*found, rank) != worldRank) continue;
      *groupRank = rank;
      return;
    }
    Fail(kHcclPara, "rank {} of the world is not in group {}", worldRank, found->name());
  });
}

HcclResult HcomGetCommHandleByGroup(const char* group, HcclComm* commHandle) {
  return GuardHccl(FOOTHOLD_CALL(group, commHandle), [&] {
    FOOTHOLD_HCCL_NOT_NULL(commHandle);
    *commHandle = World::Get().HandleOf(group);
  });
}

FOOTHOLD_WITHOUT_EFFECT(HcomSetGradFusionByIndex);
HcclResult HcomSetGradFusionByIndex(const char* group, u32 segmentNum, const u32* idx) {
  return GuardHccl(FOOTHOLD_CALL(group, segmentNum, idx),
                   [&] { CheckFusion(group, segmentNum, idx, "idx"); });
}

FOOTHOLD_WITHOUT_EFFECT(HcomSetGradFusionBySize);
HcclResult HcomSetGradFusionBySize(const char* group, u32 segmentNum, const float* percent) {
  return GuardHccl(FOOTHOLD_CALL(group, segmentNum, percent),
                   [&] { CheckFusion(group, segmentNum, percent, "percent"); });
}
