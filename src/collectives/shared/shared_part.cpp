// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/shared/shared_part.h"

#include <utility>

#include "collectives/codes.h"
#include "collectives/names.h"
#include "collectives/part_number.h"
#include "collectives/shared/shared_meeting.h"

namespace foothold::collectives {
SharedPart::SharedPart(std::shared_ptr<SharedGroup> whole, std::uint64_t id, std::uint32_t times,
                       std::vector<std::uint32_t> ranks)
    : whole_(std::move(whole)),
      id_(id),
      number_(PartNumber(id, times, ranks)),
      ranks_(std::move(ranks)),
      own_messages_(PartName(whole_->name(), id), size()) {}

std::shared_ptr<Meeting> SharedPart::Join(const MeetingLabel& label, std::uint32_t) {
  if (label.is_pair() && label.from == label.to) return own_messages_.Join(label, label.from);
  std::vector<std::uint32_t> ranks = ranks_;
  if (label.is_pair()) ranks = {ranks_[label.from], ranks_[label.to]};
  return std::make_shared<SharedMeeting>(whole_, SharedLabel{number_, label}, std::move(ranks),
                                         TitleOf(label, PartName(whole_->name(), id_)));
}

// Those who wait for it, now or later, find a record that says so.
void SharedPart::Leave(std::uint32_t rank, const Failure& failure) noexcept {
  try {
    Join(GoneLabel(), rank)->Leave(rank, failure);
  } catch (const std::exception&) {  // no memory: they run into their time limit
  }
}

std::shared_ptr<Group> SharedPart::Part(std::uint32_t, std::uint64_t, const std::vector<std::uint32_t>&) {
  Fail(kHcclNotSupport, "a part of a communicator has no parts of its own");
}

}  // namespace foothold::collectives
