// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Communicators of one process and parts of others, and their end.
#include <algorithm>
#include <cstring>
#include <set>
#include <vector>

#include "api/hccl/arguments.h"
#include "api/hccl/comm_config.h"
#include "api/hccl/hccl_guard.h"
#include "collectives/call_group.h"
#include "collectives/local_group.h"
#include "collectives/names.h"
#include "device/runtime.h"
#include "hccl/hccl_comm.h"

namespace foothold::collectives {
namespace {

constexpr std::uint64_t kNoPart = 0xFFFFFFFF;

std::vector<Device*> CheckedDevices(const int32_t* devices, std::uint32_t count) {
  if (count == 0) Fail(kHcclPara, "ndev must not be 0");
  std::vector<Device*> found;
  std::set<int32_t> seen;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!seen.insert(devices[i]).second) Fail(kHcclPara, "device {} is twice in devices", devices[i]);
    found.push_back(&Runtime::Get().device(devices[i]));
  }
  return found;
}

// Undoes what was made of it, unless all was.
class Made {
 public:
  ~Made() {
    for (void* const handle : handles_)
      Communicators::Get().Destroy(handle);
  }
  void Add(void* handle) { handles_.push_back(handle); }
  std::vector<void*> Keep() { return std::exchange(handles_, {}); }

 private:
  std::vector<void*> handles_;
};

void InitAll(std::uint32_t ndev, const int32_t* devices, HcclComm* comms) {
  const auto found = CheckedDevices(devices, ndev);
  CommSettings settings = CommSettings::FromEnvironment();
  settings.name = MadeUpName("127.0.0.1%lo", 0, devices[0]);
  const auto group = std::make_shared<LocalGroup>(settings.name, ndev);
  Made made;
  for (std::uint32_t rank = 0; rank < ndev; ++rank) {
    made.Add(Communicators::Get().Add(std::make_shared<Communicator>(group, rank, *found[rank], settings)));
  }
  const auto handles = made.Keep();
  std::copy(handles.begin(), handles.end(), comms);
}

std::vector<std::uint32_t> CheckedRanks(const Communicator& whole, const std::uint32_t* ranks,
                                        std::uint32_t count, std::uint32_t own) {
  if (count == 0) Fail(kHcclPara, "rankNum must not be 0");
  if (own >= count) Fail(kHcclPara, "subCommRankId is {}, but rankNum is {}", own, count);
  std::set<std::uint32_t> seen;
  for (std::uint32_t i = 0; i < count; ++i) {
    CheckRank(ranks[i], "a rank of rankIds", whole);
    if (!seen.insert(ranks[i]).second) Fail(kHcclPara, "rank {} is twice in rankIds", ranks[i]);
  }
  if (ranks[own] != whole.rank()) {
    Fail(kHcclPara, "subCommRankId {} stands for rank {} in rankIds, but the caller is rank {}", own,
         ranks[own], whole.rank());
  }
  return {ranks, ranks + count};
}

void CreatePart(const std::shared_ptr<Communicator>& whole, std::uint32_t count, const std::uint32_t* ranks,
                std::uint64_t id, std::uint32_t own, const HcclCommConfig& config, HcclComm* part) {
  if (whole->is_part())
    Fail(kHcclNotSupport, "communicator {} is itself a part of another one", whole->name());
  const auto members = CheckedRanks(*whole, ranks, count, own);
  CommSettings settings = SettingsOf(config);
  if (settings.name.empty()) settings.name = PartName(whole->name(), id);
  auto group = whole->group().Part(whole->rank(), id, members);
  *part = Communicators::Get().Add(
      std::make_shared<Communicator>(std::move(group), own, whole->device(), settings, members));
}

}  // namespace
}  // namespace foothold::collectives

using namespace foothold;
using namespace foothold::collectives;

HcclResult HcclCommInitAll(uint32_t ndev, int32_t* devices, HcclComm* comms) {
  return GuardHccl(FOOTHOLD_CALL(ndev, devices, comms), [&] {
    FOOTHOLD_HCCL_NOT_NULL(devices);
    FOOTHOLD_HCCL_NOT_NULL(comms);
    InitAll(ndev, devices, comms);
  });
}

HcclResult HcclCreateSubCommConfig(HcclComm* comm, uint32_t rankNum, uint32_t* rankIds, uint64_t subCommId,
                                   uint32_t subCommRankId, HcclCommConfig* config, HcclComm* subComm) {
  return GuardHccl(FOOTHOLD_CALL(comm, rankNum, rankIds, subCommId, subCommRankId, config, subComm), [&] {
    FOOTHOLD_HCCL_NOT_NULL(comm);
    if (rankIds == nullptr && subCommId == kNoPart) return;  // a rank that is not in it
    FOOTHOLD_HCCL_NOT_NULL(config);
    FOOTHOLD_HCCL_NOT_NULL(subComm);
    if (rankIds == nullptr || subCommId == kNoPart) {
      Fail(kHcclPara, "only a rank that is not in the part passes null for rankIds, and subCommId {:#x}",
           kNoPart);
    }
    CreatePart(FindCommunicator(*comm), rankNum, rankIds, subCommId, subCommRankId, *config, subComm);
  });
}

HcclResult HcclCommDestroy(HcclComm comm) {
  return GuardHccl(FOOTHOLD_CALL(comm), [&] {
    if (comm == nullptr) return;
    Communicators::Get().Find(comm);
    if (call_group::IsOpen()) {
      call_group::AddCall([comm] { Communicators::Get().Destroy(comm); });
    } else {
      Communicators::Get().Destroy(comm);
    }
  });
}
