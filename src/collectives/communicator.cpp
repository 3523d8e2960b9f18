// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/communicator.h"

#include <fmt/format.h>

#include <cstring>

#include "collectives/call.h"
#include "collectives/call_run.h"
#include "collectives/codes.h"

namespace foothold::collectives {

Communicator::Communicator(std::shared_ptr<Group> group, std::uint32_t rank, Device& device,
                           CommSettings settings, std::vector<std::uint32_t> world)
    : group_(std::move(group)),
      rank_(rank),
      device_(device),
      settings_(std::move(settings)),
      world_(std::move(world)) {}

void Communicator::CheckTakesCalls() const {
  if (!suspended()) return;
  Fail(kHcclSuspending, "communicator {} is suspended; HcclCommResume lets it go on", name());
}

void Communicator::Resume() noexcept {
  suspended_.store(false);
  async_error_.store(0);
}

MeetingLabel Communicator::NextLabel(bool captured) {
  MeetingLabel label;
  label.captured = captured;
  label.number = collectives_[captured].fetch_add(1);
  return label;
}

// Precondition: the lock is held.
std::atomic<std::uint64_t>& Communicator::CounterOf(const MeetingLabel& label, bool sends) {
  if (!label.is_pair()) return collectives_[label.captured];
  return messages_[{sends, sends ? label.to : label.from}][label.captured];
}

MeetingLabel Communicator::NextLabel(bool captured, bool sends, std::uint32_t peer) {
  std::lock_guard<std::mutex> lock(mutex_);
  MeetingLabel label{sends ? rank_ : peer, sends ? peer : rank_, captured};
  label.number = CounterOf(label, sends)++;
  return label;
}

// They look like runs of captured calls, whose numbers no captured call ever has.
MeetingLabel Communicator::LabelOfRun(const CallPart& part, std::uint32_t tag) {
  constexpr std::uint64_t kOfRuns = std::uint64_t{1} << 63;
  MeetingLabel label;
  label.captured = true;
  label.number = kOfRuns | tag;
  if (part.request.collective == Collective::kSend) label.from = rank_, label.to = part.peer;
  if (part.request.collective == Collective::kReceive) label.from = part.peer, label.to = rank_;
  std::lock_guard<std::mutex> lock(mutex_);
  label.run = runs_[label]++;
  return label;
}

void Communicator::GiveBack(const MeetingLabel& label, std::uint32_t seat, const Failure& failure) noexcept {
  try {
    std::lock_guard<std::mutex> lock(mutex_);
    std::uint64_t last = label.number + 1;
    if (CounterOf(label, seat == 0).compare_exchange_strong(last, label.number)) return;
  } catch (const std::exception&) {  // the counter exists
  }
  if (label.captured) return;  // nobody waits before it runs
  try {
    group_->Join(label, rank_)->Leave(seat, failure);
  } catch (const std::exception&) {  // no memory: the others run into their time limit
  }
}

void Communicator::NoteFailure(const Error& error) noexcept {
  int answer = 0;
  if (error.code() == kRtSuspectRemote) answer = kHcclRemote;
  if (error.text_code() != nullptr && std::strcmp(error.text_code(), kTextHcclTaskTimeout) == 0)
    answer = kHcclTimeout;
  int none = 0;
  if (answer != 0) async_error_.compare_exchange_strong(none, answer);
}

int Communicator::async_error() const noexcept {
  return suspended() ? int{kHcclSuspending} : async_error_.load();
}

void Communicator::Begin(CallRun& run) {
  std::lock_guard<std::mutex> lock(mutex_);
  run.next = in_flight_;
  if (in_flight_ != nullptr) in_flight_->previous = &run;
  in_flight_ = &run;
  ++runs_in_flight_;
}

void Communicator::End(CallRun& run) noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  (run.previous != nullptr ? run.previous->next : in_flight_) = run.next;
  if (run.next != nullptr) run.next->previous = run.previous;
  --runs_in_flight_;
}

void Communicator::Destroy() {
  const auto why = std::make_shared<const Error>(
      kRtSuspectRemote, fmt::format("rank {} has destroyed communicator {}", rank_, name()));
  std::vector<CallRun::Place> left;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (runs_in_flight_ > 0 && met_.load()) {
      Fail(kHcclAgain,
           "{} tasks of communicator {} are in flight on rank {}; synchronise or abort their streams first",
           runs_in_flight_, name(), rank_);
    }
    for (const CallRun* run = in_flight_; run != nullptr; run = run->next)
      run->ListPlaces(left);
    destroyed_ = why;
    is_destroyed_.store(true);
  }
  group_->Leave(rank_, why);
  for (const auto& [meeting, seat] : left)
    meeting->Leave(seat, why);
}

Failure Communicator::destroyed() const {
  if (!is_destroyed_.load()) return nullptr;
  std::lock_guard<std::mutex> lock(mutex_);
  return destroyed_;
}

}  // namespace foothold::collectives
