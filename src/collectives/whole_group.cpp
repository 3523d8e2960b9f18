// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/whole_group.h"

#include <utility>

#include "collectives/part_group.h"

namespace foothold::collectives {

WholeGroup::WholeGroup(std::string name, const Joined& joined, std::uint32_t rank)
    : identity_(joined.head.group),
      rank_(rank),
      members_(joined.members),
      seating_(SeatingOfAll(std::move(name), joined.head.ranks)),
      own_messages_(seating_->communicator, joined.head.ranks) {}

std::shared_ptr<Meeting> WholeGroup::Join(const MeetingLabel& label, std::uint32_t) {
  if (label.is_pair() && label.from == label.to) return own_messages_.Join(label, rank_);
  return Meet({0, label}, SeatingFor(label, seating_));
}

std::shared_ptr<Group> WholeGroup::Part(std::uint32_t, std::uint64_t id,
                                        const std::vector<std::uint32_t>& ranks) {
  std::uint32_t times;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    times = parts_[{ranks, id}]++;
  }
  return std::make_shared<PartGroup>(shared_from_this(), id, times, ranks);
}

bool WholeGroup::AreTogether(std::uint32_t one, std::uint32_t other) const {
  return members_[one].host == members_[other].host;
}

std::uint32_t WholeGroup::ranks_here(std::uint32_t rank) const {
  std::uint32_t here = 0;
  for (std::uint32_t other = 0; other < size(); ++other)
    here += AreTogether(rank, other);
  return here;
}

std::uint32_t WholeGroup::place_here(std::uint32_t rank) const {
  std::uint32_t before = 0;
  for (std::uint32_t other = 0; other < rank; ++other)
    before += AreTogether(rank, other);
  return before;
}

}  // namespace foothold::collectives
