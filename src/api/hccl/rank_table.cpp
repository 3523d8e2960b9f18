// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Communicators from rank tables.
#include <cstring>

#include "api/hccl/comm_config.h"
#include "api/hccl/hccl_guard.h"
#include "collectives/call_group.h"
#include "collectives/cluster.h"
#include "collectives/communicators.h"
#include "device/current.h"
#include "hccl/hccl_comm.h"

namespace foothold::collectives {
namespace {

constexpr std::size_t kMostPath = 4096;

void Init(const char* path, std::uint32_t rank, CommSettings settings, HcclComm* comm) {
  if (strnlen(path, kMostPath) == kMostPath)
    Fail(kHcclPara, "clusterInfo has {} characters or more", kMostPath);
  const RankTable table = RankTable::Read(path);
  Device& device = CurrentDevice();
  auto create = [=, &device] {
    *comm = Communicators::Get().Add(MakeFromTable(table, rank, device, settings));
  };
  if (call_group::IsOpen()) {
    call_group::AddCreation(std::move(create));
  } else {
    create();
  }
}

}  // namespace
}  // namespace foothold::collectives

using namespace foothold;
using namespace foothold::collectives;

HcclResult HcclCommInitClusterInfo(const char* clusterInfo, uint32_t rank, HcclComm* comm) {
  return GuardHccl(FOOTHOLD_CALL(clusterInfo, rank, comm), [&] {
    FOOTHOLD_HCCL_NOT_NULL(clusterInfo);
    FOOTHOLD_HCCL_NOT_NULL(comm);
    Init(clusterInfo, rank, CommSettings::FromEnvironment(), comm);
  });
}

HcclResult HcclCommInitClusterInfoConfig(const char* clusterInfo, uint32_t rank, HcclCommConfig* config,
                                         HcclComm* comm) {
  return GuardHccl(FOOTHOLD_CALL(clusterInfo, rank, config, comm), [&] {
    FOOTHOLD_HCCL_NOT_NULL(clusterInfo);
    FOOTHOLD_HCCL_NOT_NULL(config);
    FOOTHOLD_HCCL_NOT_NULL(comm);
    Init(clusterInfo, rank, SettingsOf(*config), comm);
  });
}
