// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/make_group.h"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "base/per_process.h"
#include "collectives/hosts/host_group.h"
#include "collectives/local_group.h"
#include "collectives/shared/shared_group.h"
#include "device/device.h"

namespace foothold::collectives {
namespace {

// Groups of this process whose ranks have not all taken theirs.
class OpenGroups {
 public:
  static OpenGroups& Get() { return PerProcess<OpenGroups>::Get(); }

  std::shared_ptr<LocalGroup> Take(std::uint64_t number, const std::string& name, std::uint32_t ranks) {
    std::lock_guard<std::mutex> lock(mutex_);
    Entry& entry = groups_[number];
    if (!entry.group) entry.group = std::make_shared<LocalGroup>(name, ranks);
    const auto group = entry.group;
    if (++entry.taken == ranks) groups_.erase(number);
    return group;
  }

 private:
  struct Entry {
    std::shared_ptr<LocalGroup> group;
    std::uint32_t taken = 0;
  };
  std::mutex mutex_;  // guards groups_
  std::map<std::uint64_t, Entry> groups_;
};

// Through which the root was reached.
std::string InterfaceOf(const OwnSocket& connection) {
  sockaddr_storage own{};
  socklen_t length = sizeof(own);
  if (getsockname(connection.get(), reinterpret_cast<sockaddr*>(&own), &length) != 0) return "";
  return InterfaceWith(Address::FromSocket(own));
}

bool RootIsHere(const Joined& joined) {
  return joined.head.root == OwnProcess();
}

// Where there is none, all ranks learn why.
Engine& EngineFor(const Joined& joined, Nanoseconds deadline) {
  try {
    return Engine::Get(InterfaceOf(joined.connection));
  } catch (const Error& error) {
    TellHindrance(joined, error, deadline);
    throw;
  }
}

std::shared_ptr<Group> MakeHostGroup(Joined& joined, std::uint32_t rank, const std::string& name,
                                     Nanoseconds deadline) {
  Engine& engine = EngineFor(joined, deadline);
  auto group = HostGroup::Make(name, joined, rank, engine);
  group->Connect(ExchangeAddresses(joined, engine.address(), deadline), joined, deadline);
  AwaitGo(joined, deadline);
  group->Start(std::move(joined.connection), RootIsHere(joined));
  return group;
}

}  // namespace

MadeGroup MakeGroup(const JoinOptions& options, std::uint32_t rank, Device& device, std::string name) {
  Joined joined = JoinGroup(options, Myself(rank, device.id(), options.root.Text()));
  if (name.empty())
    name = fmt::format("{}_{}_{:016x}", options.root.Text(), options.root.port(), joined.head.group);
  if (joined.head.way == TableHead::kOneProcess) {
    auto group = OpenGroups::Get().Take(joined.head.group, name, options.ranks);
    AwaitGo(joined, options.deadline);
    SendAll(joined.connection, Packed(MessageKind::kBye), options.deadline);
    return {std::move(group), std::move(name)};
  }
  if (joined.head.way == TableHead::kMessages)
    return {MakeHostGroup(joined, rank, name, options.deadline), name};
  auto group = std::make_shared<SharedGroup>(name, joined, rank, device);
  AwaitGo(joined, options.deadline);
  group->Start(std::move(joined.connection), RootIsHere(joined));
  return {std::move(group), std::move(name)};
}

}  // namespace foothold::collectives
