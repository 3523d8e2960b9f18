// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A communicator whose ranks are in several processes: what is the same however they reach each other. Any
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "collectives/bootstrap/join.h"
#include "collectives/group.h"
#include "collectives/local_group.h"
#include "collectives/seating.h"

namespace foothold::collectives {

class WholeGroup : public Group, public std::enable_shared_from_this<WholeGroup> {
 public:
  WholeGroup(std::string name, const Joined& joined, std::uint32_t rank);

  std::uint32_t size() const override { return static_cast<std::uint32_t>(members_.size()); }
  std::uint64_t identity() const override { return identity_; }
  std::shared_ptr<Meeting> Join(const MeetingLabel& label, std::uint32_t rank) override;
  std::shared_ptr<Group> Part(std::uint32_t rank, std::uint64_t id,
                              const std::vector<std::uint32_t>& ranks) override;
  std::uint32_t ranks_here(std::uint32_t rank) const override;
  std::uint32_t place_here(std::uint32_t rank) const override;

  std::uint32_t own_rank() const { return rank_; }
  const std::string& name() const { return seating_->communicator; }
  const Member& member(std::uint32_t rank) const { return members_[rank]; }
  bool AreTogether(std::uint32_t one, std::uint32_t other) const;

  // One of all ranks, or of those of a part.
  virtual std::shared_ptr<Meeting> Meet(const PartLabel& label, SeatingRef seating) = 0;
  // This rank, in that seat of a part, has left it for good: the others are told.
  virtual void LeavePart(std::uint64_t part, const SeatingRef& seating, std::uint32_t seat,
                         const Failure& failure) noexcept = 0;

 private:
  const std::uint64_t identity_;
  const std::uint32_t rank_;
  const std::vector<Member> members_;
  const SeatingRef seating_;
  LocalGroup own_messages_;  // of the rank to itself
  std::mutex mutex_;         // guards parts_
  std::map<std::pair<std::vector<std::uint32_t>, std::uint64_t>, std::uint32_t> parts_;  // how often made
};

}  // namespace foothold::collectives
