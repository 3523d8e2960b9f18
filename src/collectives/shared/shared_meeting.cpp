// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/shared/shared_meeting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/spin.h"
#include "base/thread_pool.h"
#include "collectives/codes.h"
#include "collectives/fold.h"
#include "collectives/names.h"
#include "collectives/shared/shared_group.h"
#include "collectives/told_failure.h"
#include "device/device.h"
#include "device/device_memory.h"
#include "device/memory_map.h"
#include "device/stream.h"
#include "kernels/copy.h"
#include "trace/trace.h"

namespace foothold::collectives {
namespace {

constexpr std::size_t kLeastShare = 4096;

void CopyCounts(const std::vector<std::uint64_t>& from, std::uint64_t* to) {
  std::copy(from.begin(), from.end(), to);
}

}  // namespace

SharedMeeting::SharedMeeting(std::shared_ptr<SharedGroup> group, PartLabel label, SeatingRef seating)
    : group_(std::move(group)), label_(label), seating_(std::move(seating)), records_(ranks().size()) {}

std::string SharedMeeting::title() const {
  return TitleOf(label_.label, seating_->communicator);
}

SharedMeeting::~SharedMeeting() {
  for (void* const copy : copies_)
    group_->device().memory().Free(copy, "HCCL");
}

void SharedMeeting::Come(std::uint32_t seat, const Arrival& arrival) {
  std::lock_guard lock(mutex_);
  if (step_ == Step::kOver) return;
  seat_ = seat;
  arrival_ = arrival;
  Publish();
}

// What others read of this rank: of its memory to send from, or of what it has combined.
bool SharedMeeting::OthersRead(bool result) const {
  const Request& request = *arrival_.request;
  if (seats() == 1) return false;
  switch (request.collective) {
    case Collective::kAllReduce:
      return !result || request.count * SizeOf(request.element) > Board::kRoomBytes;
    case Collective::kBroadcast:
    case Collective::kScatter:
      return !result && seat_ == request.root;
    case Collective::kReceive:
    case Collective::kBarrier:
      return false;
    default:
      return !result;
  }
}

// False if there is no record for it yet.
bool SharedMeeting::Publish() {
  own_ = group_->Take(label_);
  if (own_ == nullptr) return false;
  try {
    WriteRecord(*own_);
  } catch (...) {
    Record& record = *std::exchange(own_, nullptr);
    group_->Release(record, {});
    throw;
  }
  own_->stage.store(Stage::kCame);
  records_[seat_] = own_;
  step_ = Step::kGathering;
  for (const std::uint32_t other : ranks())
    waits_for_sleeper_ = waits_for_sleeper_ || group_->board().asleep(other).load() != Board::kAwake;
  return true;
}

void SharedMeeting::RingAll() noexcept {
  for (const std::uint32_t other : ranks())
    group_->board().Ring(other);
}

Record& SharedMeeting::WriteRecord(Record& record) {
  const Request& request = *arrival_.request;
  record.label = label_;
  record.collective = request.collective;
  record.element = request.element;
  record.received = request.received;
  record.reduction = request.reduction;
  record.root = request.root;
  record.count = request.count;
  std::uint64_t* const counts = group_->board().counts(record);
  const std::uint32_t ranks = group_->board().ranks();
  CopyCounts(request.send_counts, counts);
  CopyCounts(request.send_places, counts + ranks);
  CopyCounts(request.receive_counts, counts + 2 * ranks);
  CopyCounts(request.receive_places, counts + 3 * ranks);
  record.send = record.result = {};
  if (OthersRead(false))
    record.send = PlaceOf(arrival_.send, arrival_.buffers.send, arrival_.send_bytes, record, true);
  if (OthersRead(true))
    record.result =
        PlaceOf(arrival_.receive, arrival_.buffers.receive, arrival_.receive_bytes, record, false);
  return record;
}

SharedPlace SharedMeeting::PlaceOf(void* given, const std::byte* bytes, std::uint64_t size, Record& record,
                                   bool may_copy) {
  SharedPlace place;
  place.bytes = size;
  if (size == 0) return place;
  if (may_copy && size <= Board::kRoomBytes) {
    std::memcpy(group_->board().room(record, size), bytes, size);
    place.in_record = true;
    return place;
  }
  if (CanBeExposed(given)) return ExposedMemory::Get().Expose(given, size);
  void* const copy = group_->device().memory().AllocateToShare(size, "HCCL");
  copies_.push_back(copy);
  void* const kernel = RecheckRange(copy, size, Use::kWrite, MemoryMap::Get().Find(copy).serial, "copy");
  if (may_copy) {
    CopyBytes(kernel, bytes, size);
  } else {
    result_ = static_cast<std::byte*>(kernel);
  }
  return ExposedMemory::Get().Expose(copy, size);
}

bool SharedMeeting::IsOver(std::uint32_t, Failure& failure) {
  std::lock_guard lock(mutex_);
  try {
    looks_far_ = false;
    bool over = Advance() || Spin();
    if (!over) {
      looks_far_ = true;
      group_->Park(*arrival_.stream, step_ == Step::kComing);
      over = Advance();
    }
    if (!over) return false;
  } catch (...) {
    const Error error = CurrentError();
    End(Share(error));
  }
  failure = failure_;
  return true;
}

// Looks near first: what is far is hardly ever there.
bool SharedMeeting::Spin() {
  constexpr unsigned kLookFarEvery = 64;
  const SpinPlace place;
  if (!place.taken()) return false;
  const bool woke = std::exchange(waits_for_sleeper_, false);
  const Nanoseconds end = Now() + group_->SpinTime(woke);
  bool over = false;
  for (unsigned round = 1; !over; ++round) {
    looks_far_ = round % kLookFarEvery == 0;
    over = Advance();
    if (over || (looks_far_ && Now() >= end)) break;
    CpuRelax();
  }
  group_->NoteSpun(woke, over);
  return over;
}

bool SharedMeeting::Advance() {
  if (step_ == Step::kComing && !Publish()) return false;
  if (step_ == Step::kGathering && Gather()) {
    RingAll();  // who came last sees all others, and tells those who sleep; nobody is woken before that
    if (trace::Active()) all_came_.store(Now());
    Work();
  }
  if (step_ == Step::kSharing && TakeShares()) step_ = Step::kReading;
  if (step_ == Step::kReading && AllRead()) End(nullptr);
  return step_ == Step::kOver;
}

// True when all have come and want the same; ends it where that can never be.
bool SharedMeeting::Gather() {
  for (std::uint32_t seat = 0; seat < seats(); ++seat) {
    if (records_[seat] == nullptr && !FindRecord(seat)) return false;
    if (records_[seat]->stage.load(std::memory_order_acquire) == Stage::kFailed) {
      End(FailureOf(*records_[seat]));
      return false;
    }
  }
  return AllAskTheSame() || Compare();
}

// False if it is not there; ends the meeting if it never will be.
bool SharedMeeting::FindRecord(std::uint32_t seat) {
  const Board& board = group_->board();
  records_[seat] = looks_far_ ? board.Find(rank(seat), label_) : board.FindSoon(rank(seat), label_);
  if (records_[seat] != nullptr || !looks_far_) return records_[seat] != nullptr;
  const Failure lost = LostAt(seat);
  if (!lost) return false;
  records_[seat] = board.Find(rank(seat), label_);  // it may have come, and gone since
  if (records_[seat] == nullptr) End(lost);
  return records_[seat] != nullptr;
}

// Without a look at counts, which some collectives have for each rank.
bool SharedMeeting::AllAskTheSame() const {
  const Request& own = *arrival_.request;
  if (own.collective != Collective::kAllReduce && own.collective != Collective::kBarrier) return false;
  return std::all_of(records_.begin(), records_.end(), [&](const Record* one) {
    return one->collective == own.collective && one->element == own.element && one->count == own.count &&
           one->reduction == own.reduction;
  });
}

// True if all want the same; ends it otherwise.
bool SharedMeeting::Compare() {
  ListRequests();
  for (std::uint32_t seat = 0; seat < seats(); ++seat) {
    if (seat == seat_) continue;
    if (const auto difference = Difference(requests_[seat_], shown(seat_), requests_[seat], shown(seat))) {
      End(std::make_shared<const Error>(kRtAicpuException,
                                        fmt::format("{}: {} for {}", kTextHcclMismatch, *difference, title()),
                                        kTextHcclMismatch));
      return false;
    }
  }
  return true;
}

// Why a rank that has not come will not come.
Failure SharedMeeting::LostAt(std::uint32_t seat) const {
  if (Failure lost = group_->Lost(rank(seat))) return lost;
  if (label_.part == 0) return nullptr;
  const Record* const left = group_->board().Find(rank(seat), {label_.part, GoneLabel()});
  return left == nullptr ? nullptr : FailureOf(*left);
}

Failure SharedMeeting::FailureOf(const Record& record) const {
  return ToldFailure(static_cast<Code>(record.code),
                     std::string(record.why, strnlen(record.why, sizeof(record.why))));
}

Request SharedMeeting::RequestOf(const Record& record) const {
  Request request;
  request.collective = record.collective;
  request.element = record.element;
  request.received = record.received;
  request.reduction = record.reduction;
  request.root = record.root;
  request.count = record.count;
  const std::uint64_t* const counts = group_->board().counts(record);
  const std::uint32_t ranks = group_->board().ranks();
  const bool has_send =
      request.collective == Collective::kAllToAll || request.collective == Collective::kReduceScatterV;
  const bool has_receive =
      request.collective == Collective::kAllToAll || request.collective == Collective::kAllGatherV;
  if (has_send) {
    request.send_counts.assign(counts, counts + seats());
    request.send_places.assign(counts + ranks, counts + ranks + seats());
  }
  if (has_receive) {
    request.receive_counts.assign(counts + 2 * ranks, counts + 2 * ranks + seats());
    request.receive_places.assign(counts + 3 * ranks, counts + 3 * ranks + seats());
  }
  return request;
}

const std::byte* SharedMeeting::BytesAt(const Record& record, const SharedPlace& place) {
  if (place.bytes == 0) return nullptr;
  if (place.in_record) return group_->board().room(record, place.bytes);
  auto block = PeerMemory::Get().Find(place.key);
  if (place.offset > block->bytes() || place.bytes > block->bytes() - place.offset)
    Fail(kRtSuspectRemote, "another rank of {} names memory it does not have", title());
  blocks_.push_back(block);
  return block->at() + place.offset;
}

void SharedMeeting::ListRequests() {
  if (!requests_.empty()) return;
  requests_.resize(seats());
  asked_.resize(seats());
  for (std::uint32_t seat = 0; seat < seats(); ++seat) {
    requests_[seat] = RequestOf(*records_[seat]);
    asked_[seat] = &requests_[seat];
  }
}

// All of it is in the records.
void SharedMeeting::CombineSmall() {
  const Request& own = *arrival_.request;
  const std::uint64_t bytes = own.count * SizeOf(own.element);
  Few<const void*, 8> sources(seats());
  for (std::uint32_t seat = 0; seat < seats(); ++seat) {
    sources[seat] = seat == seat_ ? static_cast<const void*>(arrival_.buffers.send)
                                  : group_->board().room(*records_[seat], bytes);
  }
  void* const target = arrival_.buffers.receive;
  Fold(own.element, own.reduction, {sources.begin(), sources.size()}, {&target, 1}, bytes);
}

// What the others have is not needed any more.
void SharedMeeting::MarkAllDone() noexcept {
  marked_ = true;
  for (std::uint32_t seat = 0; seat < seats(); ++seat) {
    if (seat == seat_ || records_[seat] == own_) continue;
    group_->board().MarkDone(*records_[seat], rank(seat_));
    if (group_->board().IsDoneByAll(*records_[seat], rank(seat), ranks())) group_->board().Ring(rank(seat));
  }
}

// This rank's share. What it needs of others is read, and only its own memory written.
void SharedMeeting::Work() {
  const Request& own = *arrival_.request;
  if (own.collective == Collective::kAllReduce && !OthersRead(true)) {
    CombineSmall();
    step_ = Step::kReading;
    return;
  }
  ListRequests();
  buffers_.resize(seats());
  for (std::uint32_t seat = 0; seat < seats(); ++seat) {
    const bool own = seat == seat_;
    buffers_[seat].send = own ? arrival_.buffers.send : BytesAt(*records_[seat], records_[seat]->send);
  }
  buffers_[seat_].receive = arrival_.buffers.receive;
  const std::uint64_t bytes = requests_[0].count * SizeOf(requests_[0].element);
  const bool shares = requests_[0].collective == Collective::kAllReduce && OthersRead(true);
  const std::uint64_t piece =
      shares ? std::max<std::uint64_t>(kLeastShare, (bytes / seats() / 64 + 1) * 64) : 0;
  plan_ = std::make_unique<Plan>(asked_, piece);
  if (shares && result_ != nullptr) buffers_[seat_].receive = result_;
  const Attendance all{asked_, buffers_};
  const CoreLimit cores(group_->cores_of_rank());
  plan_->CarryTo(seat_, all, shares ? seats() : 1);
  if (shares) own_->stage.store(Stage::kCombined);
  step_ = shares ? Step::kSharing : Step::kReading;
  if (!shares) MarkAllDone();
}

// True when all parts of the others were taken.
bool SharedMeeting::TakeShares() {
  for (std::uint32_t seat = 0; seat < seats(); ++seat) {
    const Failure lost = group_->Lost(rank(seat));  // before its record is read, which says more
    const Stage stage = records_[seat]->stage.load();
    if (stage == Stage::kCombined) continue;
    if (stage == Stage::kFailed) {
      End(FailureOf(*records_[seat]));
    } else if (lost) {
      End(lost);
    }
    return false;
  }
  RingAll();  // likewise
  std::vector<const std::byte*> results(seats());
  for (std::uint32_t seat = 0; seat < seats(); ++seat)
    results[seat] = seat == seat_ ? buffers_[seat].receive : BytesAt(*records_[seat], records_[seat]->result);
  const CoreLimit cores(group_->cores_of_rank());
  plan_->TakeShares(seat_, results, arrival_.buffers.receive);
  MarkAllDone();
  return true;
}

// Nobody reads memory of this rank any more. What is in the record may be read later.
bool SharedMeeting::AllRead() const {
  const bool in_memory = (own_->send.bytes > 0 && !own_->send.in_record) || own_->result.bytes > 0;
  if (!in_memory) return true;
  return std::all_of(ranks().begin(), ranks().end(), [&](std::uint32_t other) {
    return other == rank(seat_) || group_->board().IsDone(*own_, other) || group_->Lost(other);
  });
}

// Precondition: the lock is held.
void SharedMeeting::End(const Failure& failure) noexcept {
  if (step_ == Step::kOver) return;
  const Board& board = group_->board();
  if (failure && own_ != nullptr) {
    own_->code = failure->code();
    std::strncpy(own_->why, failure->what(), sizeof(own_->why) - 1);
    own_->why[sizeof(own_->why) - 1] = '\0';
    own_->stage.store(Stage::kFailed);
    // Who comes later sees that; who is there is told, and those who have failed will not look again.
    for (std::uint32_t seat = 0; seat < seats(); ++seat) {
      if (seat == seat_) continue;
      Record* const other = board.Find(rank(seat), label_);
      if (other == nullptr) continue;
      board.MarkDone(*other, rank(seat_));
      if (other->stage.load() == Stage::kFailed) board.MarkDone(*own_, rank(seat));
    }
    RingAll();
  }
  const bool told = group_->End(own_, label_, seating_);
  if (!failure && !told && !marked_) MarkAllDone();
  for (const std::uint32_t other : ranks()) {
    if (board.asleep(other).load() == Board::kWantsRoom) board.Ring(other);
  }
  failure_ = failure;
  blocks_.clear();
  step_ = Step::kOver;
}

void SharedMeeting::Leave(std::uint32_t seat, const Failure& failure) noexcept {
  std::lock_guard lock(mutex_);
  if (step_ == Step::kOver) return;
  seat_ = seat;
  if (own_ == nullptr) {
    own_ = group_->Take(label_);
    if (own_ != nullptr) {
      own_->label = label_;
      own_->send = own_->result = {};
    }
  }
  End(failure);
}

std::uint32_t SharedMeeting::shown(std::uint32_t seat) const {
  if (!label_.label.is_pair()) return seat;
  return seat == 0 ? label_.label.from : label_.label.to;
}

std::vector<std::uint32_t> SharedMeeting::Missing() const {
  std::vector<std::uint32_t> missing;
  for (std::uint32_t seat = 0; seat < seats(); ++seat) {
    if (group_->board().Find(rank(seat), label_) == nullptr) missing.push_back(shown(seat));
  }
  return missing;
}

}  // namespace foothold::collectives
