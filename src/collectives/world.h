// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The one group of all ranks of a job, and its parts by name, as frameworks of graphs use them. A forked
// child has none. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "collectives/bootstrap/rank_table.h"
#include "collectives/communicator.h"

namespace foothold::collectives {

class World {
 public:
  static constexpr const char* kName = "hccl_world_group";

  static World& Get();

  // Waits for all ranks. Throws HCCL_E_UNAVAIL if there is one.
  void Make(const RankTable& table, std::uint32_t rank, Device& device,
            CommSettings settings = CommSettings::FromEnvironment());
  bool exists() const;
  // With all its parts. Throws HCCL_E_AGAIN while tasks of them are in flight.
  void Destroy();

  // Throws HCCL_E_PARA if the name is taken or this rank is not one of them.
  void AddPart(const std::string& name, const std::vector<std::uint32_t>& ranks);
  void DestroyPart(const std::string& name);

  // Null is the group of all. Throws HCCL_E_NOT_FOUND.
  void* HandleOf(const char* name) const;
  std::shared_ptr<Communicator> Find(const char* name) const;

 private:
  mutable std::mutex mutex_;             // guards groups_
  std::map<std::string, void*> groups_;  // handles
};

}  // namespace foothold::collectives
