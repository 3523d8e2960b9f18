// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/part_group.h"

#include <utility>

#include "collectives/codes.h"
#include "collectives/names.h"
#include "collectives/part_number.h"

namespace foothold::collectives {

PartGroup::PartGroup(std::shared_ptr<WholeGroup> whole, std::uint64_t id, std::uint32_t times,
                     std::vector<std::uint32_t> ranks)
    : whole_(std::move(whole)),
      number_(PartNumber(id, times, ranks)),
      seating_(std::make_shared<const Seating>(Seating{PartName(whole_->name(), id), std::move(ranks)})),
      own_messages_(seating_->communicator, size()) {}

std::shared_ptr<Meeting> PartGroup::Join(const MeetingLabel& label, std::uint32_t) {
  if (label.is_pair() && label.from == label.to) return own_messages_.Join(label, label.from);
  return whole_->Meet({number_, label}, SeatingFor(label, seating_));
}

void PartGroup::Leave(std::uint32_t rank, const Failure& failure) noexcept {
  whole_->LeavePart(number_, seating_, rank, failure);
}

std::shared_ptr<Group> PartGroup::Part(std::uint32_t, std::uint64_t, const std::vector<std::uint32_t>&) {
  Fail(kHcclNotSupport, "a part of a communicator has no parts of its own");
}

bool PartGroup::AreTogether(std::uint32_t one, std::uint32_t other) const {
  return whole_->AreTogether(seating_->ranks[one], seating_->ranks[other]);
}

std::uint32_t PartGroup::ranks_here(std::uint32_t rank) const {
  std::uint32_t here = 0;
  for (std::uint32_t other = 0; other < size(); ++other)
    here += AreTogether(rank, other);
  return here;
}

std::uint32_t PartGroup::place_here(std::uint32_t rank) const {
  std::uint32_t before = 0;
  for (std::uint32_t other = 0; other < rank; ++other)
    before += AreTogether(rank, other);
  return before;
}

}  // namespace foothold::collectives
