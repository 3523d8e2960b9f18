// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the ranks of a communicator share: where they find each other. One for each process that has ranks of
// it. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "collectives/meeting.h"

namespace foothold::collectives {

class Group {
 public:
  virtual ~Group() = default;

  virtual std::uint32_t size() const = 0;
  // The meeting with this label, to which `rank` will come: once for each rank.
  virtual std::shared_ptr<Meeting> Join(const MeetingLabel& label, std::uint32_t rank) = 0;
  // The rank takes part in nothing any more: who waits for it, or ever will, fails with `failure`.
  virtual void Leave(std::uint32_t rank, const Failure& failure) noexcept = 0;
  // The group of some of its ranks, which each of them asks for once: the n-th time of one is that of the
  // others. `id` tells apart what the program does at a time.
  virtual std::shared_ptr<Group> Part(std::uint32_t rank, std::uint64_t id,
                                      const std::vector<std::uint32_t>& ranks) = 0;
  // How many of its ranks are on this host, and which of these the rank is.
  virtual std::uint32_t ranks_here(std::uint32_t rank) const = 0;
  virtual std::uint32_t place_here(std::uint32_t rank) const = 0;
};

}  // namespace foothold::collectives
