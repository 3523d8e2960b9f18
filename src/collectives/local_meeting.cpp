// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/local_meeting.h"

#include <fmt/format.h>

#include <utility>

#include "base/futex.h"
#include "collectives/codes.h"
#include "collectives/names.h"
#include "device/stream.h"
#include "trace/trace.h"

namespace foothold::collectives {

LocalMeeting::LocalMeeting(SeatingRef seating, const MeetingLabel& label)
    : seating_(std::move(seating)),
      label_(label),
      requests_(ranks().size()),
      buffers_(ranks().size()),
      streams_(ranks().size()) {}

void LocalMeeting::Come(std::uint32_t seat, const Arrival& arrival) {
  Failure differs;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (state_.load() == kOver) return;
    streams_[seat] = arrival.stream;
    if (state_.load() == kWorking) return;  // it is about to fail without this rank, which is woken then
    requests_[seat] = arrival.request;
    buffers_[seat] = arrival.buffers;
    ++came_;
    differs = Compare(seat);
    if (!differs && came_ < ranks().size()) return;
    if (trace::Active()) all_came_.store(Now());
    state_.store(kWorking);
  }
  if (differs) {
    End(differs);
  } else {
    Work();
  }
}

// With somebody else who has come. Precondition: the lock is held.
Failure LocalMeeting::Compare(std::uint32_t seat) const {
  for (std::uint32_t other = 0; other < ranks().size(); ++other) {
    if (other == seat || streams_[other] == nullptr) continue;
    if (const auto difference =
            Difference(*requests_[seat], ranks()[seat], *requests_[other], ranks()[other])) {
      return std::make_shared<const Error>(kRtAicpuException,
                                           fmt::format("{}: {} for {}", kTextHcclMismatch, *difference,
                                                       TitleOf(label_, seating_->communicator)),
                                           kTextHcclMismatch);
    }
    if (requests_[seat]->collective != Collective::kAllToAll) break;  // each pair has a count of its own
  }
  return nullptr;
}

void LocalMeeting::Work() noexcept {
  Failure failure;
  try {
    const Plan plan(requests_);
    plan.CarryAll({requests_, buffers_});
  } catch (const std::exception&) {  // there is no memory to plan it
    failure = Share(CurrentError());
  }
  End(failure);
}

void LocalMeeting::End(const Failure& failure) noexcept {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (state_.load() == kOver) return;
    failure_ = failure;
    state_.store(kOver);
  }
  FutexWakeAll(state_);
  for (Stream* const stream : streams_) {
    if (stream != nullptr) stream->Wake();
  }
}

bool LocalMeeting::IsOver(std::uint32_t, Failure& failure) {
  if (state_.load() != kOver) return false;
  failure = failure_;
  return true;
}

void LocalMeeting::Leave(std::uint32_t, const Failure& failure) noexcept {
  bool gathering;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    gathering = state_.load() == kGathering;
    if (gathering) state_.store(kWorking);  // nobody else ends it now
  }
  if (gathering) return End(failure);
  while (state_.load() == kWorking)
    FutexWait(state_, kWorking);
}

std::vector<std::uint32_t> LocalMeeting::Missing() const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::uint32_t> missing;
  for (std::uint32_t seat = 0; seat < ranks().size(); ++seat) {
    if (streams_[seat] == nullptr) missing.push_back(ranks()[seat]);
  }
  return missing;
}

}  // namespace foothold::collectives
