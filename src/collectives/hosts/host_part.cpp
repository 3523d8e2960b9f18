// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/hosts/host_part.h"

#include <utility>

#include "collectives/codes.h"
#include "collectives/hosts/host_meeting.h"
#include "collectives/names.h"
#include "collectives/part_number.h"

namespace foothold::collectives {

HostPart::HostPart(std::shared_ptr<HostGroup> whole, std::uint64_t id, std::uint32_t times,
                   std::vector<std::uint32_t> ranks)
    : whole_(std::move(whole)),
      id_(id),
      number_(PartNumber(id, times, ranks)),
      ranks_(std::move(ranks)),
      own_messages_(PartName(whole_->name(), id), size()) {}

std::shared_ptr<Meeting> HostPart::Join(const MeetingLabel& label, std::uint32_t) {
  if (label.is_pair() && label.from == label.to) return own_messages_.Join(label, label.from);
  std::vector<std::uint32_t> ranks = ranks_;
  if (label.is_pair()) ranks = {ranks_[label.from], ranks_[label.to]};
  return std::make_shared<HostMeeting>(whole_, HostLabel{number_, label}, std::move(ranks),
                                       TitleOf(label, PartName(whole_->name(), id_)));
}

void HostPart::Leave(std::uint32_t, const Failure&) noexcept {
  whole_->LeavePart(number_, ranks_);
}

std::shared_ptr<Group> HostPart::Part(std::uint32_t, std::uint64_t, const std::vector<std::uint32_t>&) {
  Fail(kHcclNotSupport, "a part of a communicator has no parts of its own");
}

bool HostPart::AreTogether(std::uint32_t one, std::uint32_t other) const {
  return whole_->member(ranks_[one]).host == whole_->member(ranks_[other]).host;
}

std::uint32_t HostPart::ranks_here(std::uint32_t rank) const {
  std::uint32_t here = 0;
  for (std::uint32_t other = 0; other < size(); ++other)
    here += AreTogether(rank, other);
  return here;
}

std::uint32_t HostPart::place_here(std::uint32_t rank) const {
  std::uint32_t before = 0;
  for (std::uint32_t other = 0; other < rank; ++other)
    before += AreTogether(rank, other);
  return before;
}

}  // namespace foothold::collectives
