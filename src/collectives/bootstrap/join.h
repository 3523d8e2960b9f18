// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A rank joins the group of a root. Waits until all ranks have come. Any thread.
#pragma once

#include <span>
#include <vector>

#include "base/error.h"
#include "collectives/bootstrap/connection.h"

namespace foothold::collectives {

struct Joined {
  TableHead head;
  std::vector<Member> members;
  OwnSocket connection;  // tells later which ranks are lost
};

struct JoinOptions {
  Address root;
  Secret secret{};
  std::uint32_t ranks = 0;
  bool patient = false;  // the root may come later
  Nanoseconds deadline = 0;
};

// Throws what the root refused with, HCCL_E_TCP_CONNECT, HCCL_E_TIMEOUT.
Joined JoinGroup(const JoinOptions& options, const Member& self);
// Of ranks on several hosts: under which messages reach this one, for those under which they reach all.
std::vector<std::vector<std::byte>> ExchangeAddresses(const Joined& joined, std::span<const std::byte> own,
                                                      Nanoseconds deadline);
// They cannot reach this one: the others learn why. Throws what the root answers.
void TellHindrance(const Joined& joined, const Error& error, Nanoseconds deadline);
// This rank can reach the others; returns when all can.
void AwaitGo(const Joined& joined, Nanoseconds deadline);

}  // namespace foothold::collectives
