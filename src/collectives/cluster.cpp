// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/cluster.h"

#include <fmt/format.h>

#include "collectives/bootstrap/root_server.h"
#include "collectives/bootstrap/white_list.h"
#include "collectives/codes.h"
#include "collectives/communicators.h"
#include "collectives/make_group.h"

namespace foothold::collectives {

std::shared_ptr<Communicator> MakeFromTable(const RankTable& table, std::uint32_t rank, Device& device,
                                            CommSettings settings) {
  if (rank >= table.size())
    Fail(kHcclPara, "rank {} is not in the rank table, which has {}", rank, table.size());
  if (settings.name.empty()) settings.name = fmt::format("rank_table_{:016x}", table.Hash());
  if (const auto same = Communicators::Get().FindNamed(settings.name, &device);
      same && same->rank() == rank) {
    Fail(kHcclUnavailable, "rank {} of this rank table was initialised in this process already, as {}", rank,
         settings.name);
  }
  JoinOptions options;
  options.root = table.Root();
  options.secret = table.SecretOf();
  options.ranks = table.size();
  options.patient = true;
  options.deadline = Now() + settings.connect_timeout;
  if (rank == 0) {
    RootServer::Options serving{options.secret, settings.connect_timeout, WhiteList()};
    const std::uint16_t port = options.root.port();
    RootServer::Start(ListenAt(options.root, {&port, 1}), std::move(serving));
  }
  MadeGroup made = MakeGroup(options, rank, device, settings.name);
  return std::make_shared<Communicator>(std::move(made.group), rank, device, std::move(settings));
}

}  // namespace foothold::collectives
