// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Communicators from root information.
#include <functional>
#include <span>

#include "api/hccl/comm_config.h"
#include "api/hccl/hccl_guard.h"
#include "collectives/bootstrap/root_info.h"
#include "collectives/call_group.h"
#include "collectives/communicators.h"
#include "collectives/make_group.h"
#include "device/current.h"
#include "hccl/hccl_comm.h"

namespace foothold::collectives {
namespace {

static_assert(sizeof(HcclRootInfo) == RootInfo::kBytes);

void CheckRanks(std::uint32_t ranks, std::uint32_t rank) {
  if (ranks == 0 || ranks > kMostRanks)
    Fail(kHcclPara, "nRanks is {}, but must be 1 to {}", ranks, kMostRanks);
  if (rank >= ranks) Fail(kHcclPara, "rank is {}, but nRanks is {}", rank, ranks);
}

void Create(const RootInfo& info, std::uint32_t ranks, std::uint32_t rank, Device& device,
            CommSettings settings, HcclComm* comm) {
  JoinOptions options;
  options.root = info.root;
  options.secret = info.secret;
  options.ranks = ranks;
  options.deadline = Now() + settings.connect_timeout;
  MadeGroup made = MakeGroup(options, rank, device, settings.name);
  settings.name = made.name;
  *comm = Communicators::Get().Add(
      std::make_shared<Communicator>(std::move(made.group), rank, device, std::move(settings)));
}

void Init(std::uint32_t ranks, const HcclRootInfo& root_info, std::uint32_t rank, CommSettings settings,
          HcclComm* comm) {
  CheckRanks(ranks, rank);
  const RootInfo info = RootInfo::Read(std::span(root_info.internal));
  Device& device = CurrentDevice();
  auto create = [=, &device] { Create(info, ranks, rank, device, settings, comm); };
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

HcclResult HcclGetRootInfo(HcclRootInfo* rootInfo) {
  return GuardHccl(FOOTHOLD_CALL(rootInfo), [&] {
    FOOTHOLD_HCCL_NOT_NULL(rootInfo);
    CurrentDevice();
    const RootInfo info = RootInfo::MakeRoot(CommSettings::FromEnvironment().connect_timeout);
    info.Write(std::span(rootInfo->internal));
  });
}

HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo* rootInfo, uint32_t rank,
                                HcclComm* comm) {
  return GuardHccl(FOOTHOLD_CALL(nRanks, rootInfo, rank, comm), [&] {
    FOOTHOLD_HCCL_NOT_NULL(rootInfo);
    FOOTHOLD_HCCL_NOT_NULL(comm);
    Init(nRanks, *rootInfo, rank, CommSettings::FromEnvironment(), comm);
  });
}

HcclResult HcclCommInitRootInfoConfig(uint32_t nRanks, const HcclRootInfo* rootInfo, uint32_t rank,
                                      const HcclCommConfig* config, HcclComm* comm) {
  return GuardHccl(FOOTHOLD_CALL(nRanks, rootInfo, rank, config, comm), [&] {
    FOOTHOLD_HCCL_NOT_NULL(rootInfo);
    FOOTHOLD_HCCL_NOT_NULL(config);
    if (comm == nullptr) Fail(kHcclPara, "comm must not be null");
    Init(nRanks, *rootInfo, rank, SettingsOf(*config), comm);
  });
}
