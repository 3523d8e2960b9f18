// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/shared/shared_group.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/environment.h"
#include "base/log.h"
#include "collectives/codes.h"
#include "collectives/shared/exposed_memory.h"
#include "collectives/shared/shared_meeting.h"
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
    : WholeGroup(std::move(name), joined, rank),
      board_(FileOf(joined.head.board), joined.head.ranks),
      life_lock_(board_.file(), rank),
      device_(device),
      cores_(UsableCpus()),
      lost_(joined.head.ranks),
      uses_(Board::kRecords),
      through_(joined.head.ranks) {
  if (static_cast<int>(joined.head.ranks) > cores_) crowd_.emplace();
  board_.locked(rank).store(life_lock_.held());
}

SharedGroup::~SharedGroup() {
  if (life_line_) life_line_->Close();
  PeerMemory::Get().Forget();
}

void SharedGroup::Start(OwnSocket connection, bool root_is_here) {
  SharedWatch::Get().Add(Self());
  LifeLine::News news;
  news.lost = [weak = std::weak_ptr(Self())](std::uint32_t rank, const std::string& why) {
    if (const auto group = weak.lock()) group->NoteLost(rank, why);
  };
  news.root_leaves = [weak = std::weak_ptr(Self())] {
    if (const auto group = weak.lock()) group->has_root_.store(false);
  };
  life_line_ = LifeLine::Open(std::move(connection), std::move(news), root_is_here);
}

std::shared_ptr<Meeting> SharedGroup::Meet(const PartLabel& label, SeatingRef seating) {
  return std::make_shared<SharedMeeting>(Self(), label, std::move(seating));
}

void SharedGroup::LeavePart(std::uint64_t part, const SeatingRef& seating, std::uint32_t seat,
                            const Failure& failure) noexcept {
  try {
    Meet({part, GoneLabel()}, seating)->Leave(seat, failure);
  } catch (const std::exception&) {  // no memory: they run into their time limit
  }
}

void SharedGroup::Leave(std::uint32_t, const Failure&) noexcept {
  board_.gone(own_rank()).store(1);
  for (std::uint32_t rank = 0; rank < size(); ++rank)
    board_.Ring(rank);
  closed_.store(true);
  if (life_line_) life_line_->Close();
}

Failure SharedGroup::Lost(std::uint32_t rank) const {
  if (has_lost_.load()) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (lost_[rank]) return lost_[rank];
  }
  if (board_.gone(rank).load() == 0) return nullptr;
  return Gone(fmt::format("rank {} has destroyed it or has ended", rank), name());
}

void SharedGroup::NoteLost(std::uint32_t rank, const std::string& why) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (std::uint32_t one = 0; one < lost_.size(); ++one) {
      // Without the root nobody hears of the others.
      if ((one == rank || rank == UINT32_MAX) && one != own_rank() && !lost_[one])
        lost_[one] = Gone(why, name());
    }
    has_lost_.store(true);
  }
  WakeAll();
}

namespace {

// What a thread that heard of something spends at most on a stream that waited for it.
constexpr Nanoseconds kFavour = 500 * kMicrosecond;
constexpr Nanoseconds kFavourAlone = 5 * kMillisecond;  // where nobody else waits for this thread

// How long ranks spin.
constexpr Nanoseconds kSpin = 50 * kMicrosecond;
constexpr Nanoseconds kSpinForWoken = 400 * kMicrosecond;
constexpr unsigned kTryAgainEvery = 16;
constexpr unsigned kMostVain = 8;

// What is short is done on this thread: waking another one takes longer, and the other ranks would fall
// asleep meanwhile.
void WakeHere(Stream& stream) noexcept {
  if (Runner::Current() != nullptr) return stream.Wake();
  Runner runner(Runner::Role::kTimedCaller);
  runner.deadline = Now() + (SharedWatch::Get().is_alone() ? kFavourAlone : kFavour);
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

// Two ranks that spin side by side need no kernel. One that fell asleep takes a while to come back, and if
// nobody waits for it that long, both sleep in turns for ever: so who wakes it spins for long, unless that
// was in vain of late. Ranks that have no core of their own do not spin.
Nanoseconds SharedGroup::SpinTime(bool woke) noexcept {
  if (!woke) return kSpin;
  if (spins_.fetch_add(1, std::memory_order_relaxed) % kTryAgainEvery == 0) return kSpinForWoken;
  return std::max(kSpin, kSpinForWoken >> std::min(vain_.load(std::memory_order_relaxed), kMostVain));
}

void SharedGroup::NoteSpun(bool woke, bool came) noexcept {
  if (!woke) return;
  vain_.store(came ? 0 : vain_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void SharedGroup::Park(Stream& stream, bool wants_room) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (std::find(parked_.begin(), parked_.end(), &stream) == parked_.end()) parked_.push_back(&stream);
  auto& asleep = board_.asleep(own_rank());
  asleep.store(std::max<std::uint32_t>(asleep.load(), wants_room ? Board::kWantsRoom : Board::kAsleep));
}

void SharedGroup::WakeAll() noexcept {
  std::vector<Stream*> parked;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    parked.swap(parked_);
    board_.asleep(own_rank()).store(Board::kAwake);
  }
  for (Stream* const stream : parked)
    WakeHere(*stream);
}

// Where the root does not tell.
void SharedGroup::LookForEnded() noexcept try {
  for (std::uint32_t rank = 0; rank < size(); ++rank) {
    if (rank == own_rank() || board_.locked(rank).load() == 0 || Lost(rank) || life_lock_.IsHeldBy(rank))
      continue;
    NoteLost(rank, fmt::format("rank {} (process {}) has ended", rank, member(rank).pid));
  }
} catch (const std::exception& error) {  // looks again soon
  Log(LogLevel::kWarning, "the ranks of {} are not looked at: {}", name(), error.what());
}

// Now and then all look, whatever they were told.
bool SharedGroup::IsOver(bool look_for_death) noexcept {
  if (look_for_death && !has_root_.load()) LookForEnded();
  const std::uint32_t bell = board_.bell(own_rank()).load();
  if (bell != heard_ || look_for_death || closed_.load()) {
    heard_ = bell;
    WakeAll();
  }
  return closed_.load();
}

namespace {

// Collectives of all ranks, by the order of the calls.
bool IsCounted(const PartLabel& label) {
  return label.part == 0 && !label.label.captured && !label.label.is_pair();
}

}  // namespace

bool SharedGroup::End(Record* record, const PartLabel& label, const SeatingRef& readers) noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  if (record != nullptr) GiveUp(*record, readers);
  if (!IsCounted(label)) return false;
  const bool told = ended_.Add(label.label.number);
  if (told) board_.through(own_rank()).store(ended_.through(), std::memory_order_release);
  return told;
}

// Its word is read as rarely as possible: it is the other rank's line. Precondition: the lock is held.
bool SharedGroup::HasEnded(std::uint32_t rank, std::uint64_t number) noexcept {
  if (number == kNotCounted) return false;
  if (number >= through_[rank]) through_[rank] = board_.through(rank).load(std::memory_order_acquire);
  return number < through_[rank];
}

// Precondition: the lock is held.
bool SharedGroup::TryFree(std::uint32_t number) noexcept {
  Use& use = uses_[number];
  if (!use.taken) return true;
  Record& record = board_.record(own_rank(), number);
  const auto done = [&](std::uint32_t reader) {
    return reader == own_rank() || HasEnded(reader, use.number) || board_.IsDone(record, reader) ||
           lost_[reader] || board_.gone(reader).load() != 0;
  };
  if (!use.released) return false;
  if (use.readers && !std::all_of(use.readers->ranks.begin(), use.readers->ranks.end(), done)) return false;
  record.stage.store(Stage::kFree, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);  // who still looks sees it before what is written next
  use = {};
  return true;
}

Record* SharedGroup::Take(const PartLabel& label) {
  std::lock_guard<std::mutex> lock(mutex_);
  const std::uint32_t first = Board::FirstPlace(label);
  for (std::uint32_t i = 0; i < Board::kRecords; ++i) {
    const std::uint32_t number = (first + i) % Board::kRecords;
    if (!TryFree(number)) continue;
    uses_[number].taken = true;
    if (IsCounted(label)) uses_[number].number = label.label.number;
    if (board_.used(own_rank()).load() <= number) board_.used(own_rank()).store(number + 1);
    Record& record = board_.record(own_rank(), number);
    board_.ClearDone(record);
    return &record;
  }
  return nullptr;
}

void SharedGroup::Release(Record& record, SeatingRef readers) noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  GiveUp(record, std::move(readers));
}

// Precondition: the lock is held.
void SharedGroup::GiveUp(Record& record, SeatingRef readers) noexcept {
  Use& use = uses_[board_.NumberOf(own_rank(), record)];
  use.released = true;
  use.readers = std::move(readers);
}

}  // namespace foothold::collectives
