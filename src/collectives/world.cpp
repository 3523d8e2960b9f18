// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

#include "base/per_process.h"
#include "collectives/cluster.h"
#include "collectives/codes.h"
#include "collectives/communicators.h"

namespace foothold::collectives {

World& World::Get() {
  return PerProcess<World>::Get();
}

bool World::exists() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return groups_.contains(kName);
}

void World::Make(const RankTable& table, std::uint32_t rank, Device& device, CommSettings settings) {
  if (exists()) Fail(kHcclUnavailable, "the group {} was made already", kName);
  settings.name = kName;
  void* const handle = Communicators::Get().Add(MakeFromTable(table, rank, device, settings));
  std::lock_guard<std::mutex> lock(mutex_);
  groups_.emplace(kName, handle);
}

void World::Destroy() {
  std::lock_guard<std::mutex> lock(mutex_);
  while (!groups_.empty()) {
    // The whole goes last.
    const auto part =
        std::find_if(groups_.begin(), groups_.end(), [](const auto& one) { return one.first != kName; });
    const auto next = part == groups_.end() ? groups_.begin() : part;
    Communicators::Get().Destroy(next->second);
    groups_.erase(next);
  }
}

void World::AddPart(const std::string& name, const std::vector<std::uint32_t>& ranks) {
  const auto whole = Find(nullptr);
  const auto own = std::find(ranks.begin(), ranks.end(), whole->rank());
  if (own == ranks.end())
    Fail(kHcclPara, "rank {} makes the group {}, but is not in it", whole->rank(), name);
  const std::set<std::uint32_t> different(ranks.begin(), ranks.end());
  if (different.size() != ranks.size() || *different.rbegin() >= whole->size())
    Fail(kHcclPara, "the ranks of group {} have to be different ones from 0 to {}", name, whole->size() - 1);
  CommSettings settings = CommSettings::FromEnvironment();
  settings.name = name;
  std::lock_guard<std::mutex> lock(mutex_);
  if (groups_.contains(name)) Fail(kHcclPara, "there is a group {} already", name);
  const std::uint64_t id = KeyedHash(Secret{7}, std::as_bytes(std::span(name)));
  auto group = whole->group().Part(whole->rank(), id, ranks);
  groups_.emplace(name, Communicators::Get().Add(std::make_shared<Communicator>(
                            std::move(group), static_cast<std::uint32_t>(own - ranks.begin()),
                            whole->device(), std::move(settings), ranks)));
}

void World::DestroyPart(const std::string& name) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = groups_.find(name);
  if (found == groups_.end() || name == kName)
    Fail(kHcclNotFound, "there is no group {} that was made by name", name);
  Communicators::Get().Destroy(found->second);
  groups_.erase(found);
}

void* World::HandleOf(const char* name) const {
  const std::string wanted = name == nullptr ? kName : name;
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = groups_.find(wanted);
  if (found == groups_.end()) Fail(kHcclNotFound, "there is no group {} in this process", wanted);
  return found->second;
}

std::shared_ptr<Communicator> World::Find(const char* name) const {
  return Communicators::Get().Find(HandleOf(name));
}

}  // namespace foothold::collectives
