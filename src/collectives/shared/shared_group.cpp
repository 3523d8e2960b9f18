// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/shared/shared_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "collectives/codes.h"
#include "collectives/names.h"
#include "collectives/shared/exposed_memory.h"
#include "collectives/shared/shared_meeting.h"
#include "collectives/shared/shared_part.h"
#include "device/sharing/share_channel.h"
#include "device/stream.h"

namespace foothold::collectives {
namespace {

std::shared_ptr<const MemoryFile> FileOf(const ShareKey& key) {
  return std::make_shared<const MemoryFile>(std::move(AskFor(key).file));
}

Failure Gone(const std::string& why, const std::string& name) {
  return std::make_shared<const Error>(kRtSuspectRemote, fmt::format("{}, of communicator {}", why, name));
}

}  // namespace

SharedGroup::SharedGroup(std::string name, const Joined& joined, std::uint32_t rank, Device& device)
    : name_(std::move(name)),
      identity_(joined.head.group),
      board_(FileOf(joined.head.board), joined.head.ranks),
      rank_(rank),
      device_(device),
      members_(joined.members),
      own_messages_(name_, joined.head.ranks),
      lost_(joined.head.ranks),
      uses_(Board::kRecords) {}

SharedGroup::~SharedGroup() {
  if (life_line_) life_line_->Close();
  PeerMemory::Get().Forget();
}

void SharedGroup::Start(OwnSocket connection) {
  SharedWatch::Get().Add(shared_from_this());
  LifeLine::News news;
  news.lost = [weak = weak_from_this()](std::uint32_t rank, const std::string& why) {
    if (const auto group = weak.lock()) group->NoteLost(rank, why);
  };
  life_line_ = LifeLine::Open(std::move(connection), std::move(news));
}

std::shared_ptr<Meeting> SharedGroup::Join(const MeetingLabel& label, std::uint32_t) {
  if (label.is_pair() && label.from == label.to) return own_messages_.Join(label, rank_);
  std::vector<std::uint32_t> ranks;
  if (label.is_pair()) {
    ranks = {label.from, label.to};
  } else {
    ranks.resize(size());
    std::iota(ranks.begin(), ranks.end(), 0u);
  }
  return std::make_shared<SharedMeeting>(shared_from_this(), SharedLabel{0, label}, std::move(ranks),
                                         TitleOf(label, name_));
}

void SharedGroup::Leave(std::uint32_t, const Failure&) noexcept {
  board_.gone(rank_).store(1);
  for (std::uint32_t rank = 0; rank < size(); ++rank)
    board_.Ring(rank);
  closed_.store(true);
  if (life_line_) life_line_->Close();
}

std::shared_ptr<Group> SharedGroup::Part(std::uint32_t, std::uint64_t id,
                                         const std::vector<std::uint32_t>& ranks) {
  std::uint32_t times;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    times = parts_[{ranks, id}]++;
  }
  return std::make_shared<SharedPart>(shared_from_this(), id, times, ranks);
}

Failure SharedGroup::Lost(std::uint32_t rank) const {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (lost_[rank]) return lost_[rank];
  }
  if (board_.gone(rank).load() == 0) return nullptr;
  return Gone(fmt::format("rank {} has destroyed it or has ended", rank), name_);
}

void SharedGroup::NoteLost(std::uint32_t rank, const std::string& why) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (std::uint32_t one = 0; one < lost_.size(); ++one) {
      // Without the root nobody hears of the others.
      if ((one == rank || rank == UINT32_MAX) && one != rank_ && !lost_[one]) lost_[one] = Gone(why, name_);
    }
  }
  WakeAll();
}

namespace {

// What a thread that heard of something spends at most on a stream that waited for it.
constexpr Nanoseconds kFavour = 500 * kMicrosecond;

// What is short is done on this thread: waking another one takes longer, and the other ranks would fall
// asleep meanwhile.
void WakeHere(Stream& stream) noexcept {
  if (Runner::Current() != nullptr) return stream.Wake();
  Runner runner(Runner::Role::kTimedCaller);
  runner.deadline = Now() + kFavour;
  stream.Wake();
  while (Stream* const ready = runner.TakeKept()) {
    if (Now() >= runner.deadline) {
      ready->SubmitReady();
    } else if (ready->TryClaim()) {
      ready->Drain(runner);
    }
  }
}

}  // namespace

void SharedGroup::Park(Stream& stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (std::find(parked_.begin(), parked_.end(), &stream) == parked_.end()) parked_.push_back(&stream);
  board_.asleep(rank_).store(1);
}

void SharedGroup::WakeAll() noexcept {
  std::vector<Stream*> parked;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    parked.swap(parked_);
    board_.asleep(rank_).store(0);
  }
  for (Stream* const stream : parked)
    WakeHere(*stream);
}

// Now and then all look, whatever they were told.
bool SharedGroup::IsOver(bool look_for_death) noexcept {
  const std::uint32_t bell = board_.bell(rank_).load();
  if (bell != heard_ || look_for_death || closed_.load()) {
    heard_ = bell;
    WakeAll();
  }
  return closed_.load();
}

// Precondition: the lock is held.
bool SharedGroup::TryFree(std::uint32_t number) noexcept {
  Use& use = uses_[number];
  if (!use.taken) return true;
  Record& record = board_.record(rank_, number);
  const auto done = [&](std::uint32_t reader) {
    return board_.IsDone(record, reader) || lost_[reader] || board_.gone(reader).load() != 0;
  };
  if (!use.released || !std::all_of(use.readers.begin(), use.readers.end(), done)) return false;
  record.stage.store(Stage::kFree);
  use = {};
  return true;
}

Record* SharedGroup::Take(const SharedLabel& label) {
  std::lock_guard<std::mutex> lock(mutex_);
  const std::uint32_t first = Board::FirstPlace(label);
  for (std::uint32_t i = 0; i < Board::kRecords; ++i) {
    const std::uint32_t number = (first + i) % Board::kRecords;
    if (!TryFree(number)) continue;
    uses_[number].taken = true;
    if (board_.used(rank_).load() <= number) board_.used(rank_).store(number + 1);
    Record& record = board_.record(rank_, number);
    board_.ClearDone(record);
    return &record;
  }
  return nullptr;
}

void SharedGroup::Release(Record& record, std::vector<std::uint32_t> readers) noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  for (std::uint32_t number = 0; number < Board::kRecords; ++number) {
    if (&board_.record(rank_, number) != &record) continue;
    uses_[number].released = true;
    uses_[number].readers = std::move(readers);
  }
}

}  // namespace foothold::collectives
