// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/local_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "collectives/names.h"

namespace foothold::collectives {
namespace {

std::uint32_t SeatIn(const LocalMeeting& meeting, std::uint32_t rank) {
  const auto& ranks = meeting.ranks();
  return static_cast<std::uint32_t>(std::find(ranks.begin(), ranks.end(), rank) - ranks.begin());
}

}  // namespace

LocalGroup::LocalGroup(std::string name, std::uint32_t size)
    : size_(size), seating_(SeatingOfAll(std::move(name), size)), gone_(size) {}

std::shared_ptr<Meeting> LocalGroup::Join(const MeetingLabel& label, std::uint32_t) {
  std::shared_ptr<LocalMeeting> meeting;
  Failure gone;
  std::uint32_t gone_seat = 0;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    auto& entry = open_[label];
    if (!entry) {
      try {
        entry = std::make_shared<LocalMeeting>(SeatingFor(label, seating_), label);
      } catch (...) {
        open_.erase(label);
        throw;
      }
    }
    meeting = entry;
    for (const std::uint32_t rank : meeting->ranks()) {
      if (!gone_[rank]) continue;
      gone = gone_[rank];
      gone_seat = SeatIn(*meeting, rank);
    }
    if (meeting->Claim() || gone) open_.erase(label);
  }
  if (gone) meeting->Leave(gone_seat, gone);
  return meeting;
}

void LocalGroup::Leave(std::uint32_t rank, const Failure& failure) noexcept {
  std::map<MeetingLabel, std::shared_ptr<LocalMeeting>> left;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    gone_[rank] = failure;
    for (auto at = open_.begin(); at != open_.end();) {
      const auto next = std::next(at);
      if (SeatIn(*at->second, rank) < at->second->ranks().size()) left.insert(open_.extract(at));
      at = next;
    }
  }
  for (const auto& [label, meeting] : left)
    meeting->Leave(SeatIn(*meeting, rank), failure);
}

std::shared_ptr<Group> LocalGroup::Part(std::uint32_t rank, std::uint64_t id,
                                        const std::vector<std::uint32_t>& ranks) {
  const auto seat = static_cast<std::size_t>(std::find(ranks.begin(), ranks.end(), rank) - ranks.begin());
  std::lock_guard<std::mutex> lock(mutex_);
  const auto open = parts_.try_emplace({ranks, id}).first;
  auto& list = open->second;
  auto part = std::find_if(list.begin(), list.end(), [&](const OpenPart& one) { return !one.joined[seat]; });
  if (part == list.end()) {
    const auto size = static_cast<std::uint32_t>(ranks.size());
    auto group = std::make_shared<LocalGroup>(PartName(seating_->communicator, id), size);
    part = list.insert(list.end(), {std::move(group), std::vector<bool>(size), size});
  }
  part->joined[seat] = true;
  const auto group = part->group;
  if (--part->missing == 0) list.erase(part);
  if (list.empty()) parts_.erase(open);
  return group;
}

}  // namespace foothold::collectives
