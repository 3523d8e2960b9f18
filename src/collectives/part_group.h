// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A part of a communicator whose ranks are in several processes: they meet as those of the whole do. Any
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "collectives/whole_group.h"

namespace foothold::collectives {

class PartGroup : public Group {
 public:
  PartGroup(std::shared_ptr<WholeGroup> whole, std::uint64_t id, std::uint32_t times,
            std::vector<std::uint32_t> ranks);

  std::uint32_t size() const override { return static_cast<std::uint32_t>(seating_->ranks.size()); }
  std::uint64_t identity() const override { return whole_->identity() ^ number_; }
  std::shared_ptr<Meeting> Join(const MeetingLabel& label, std::uint32_t rank) override;
  void Leave(std::uint32_t rank, const Failure& failure) noexcept override;
  std::shared_ptr<Group> Part(std::uint32_t rank, std::uint64_t id,
                              const std::vector<std::uint32_t>& ranks) override;
  std::uint32_t ranks_here(std::uint32_t rank) const override;
  std::uint32_t place_here(std::uint32_t rank) const override;

 private:
  bool AreTogether(std::uint32_t one, std::uint32_t other) const;

  const std::shared_ptr<WholeGroup> whole_;
  const std::uint64_t number_;  // among the parts
  const SeatingRef seating_;
  LocalGroup own_messages_;  // of the rank to itself
};

}  // namespace foothold::collectives
