// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/hosts/host_meeting.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/spin.h"
#include "collectives/codes.h"
#include "collectives/fold.h"
#include "collectives/names.h"
#include "device/stream.h"
#include "kernels/copy.h"
#include "trace/trace.h"

namespace foothold::collectives {
namespace {

constexpr std::uint64_t kWindowBytes = std::uint64_t{8} << 20;  // under way at a time
constexpr std::uint64_t kMostPieceBytes = std::uint64_t{256} << 10;
constexpr std::uint64_t kLeastPieceBytes = std::uint64_t{16} << 10;
constexpr std::uint64_t kMostSmallBytes = std::uint64_t{8} << 10;
constexpr std::uint64_t kSmallBytesToAll = std::uint64_t{128} << 10;
constexpr Nanoseconds kPatienceForLoss = 300 * kMillisecond;  // the life line knows more of why than UCX

// The same for all ranks: they cut alike.
std::uint64_t PieceBytes(std::uint32_t seats) {
  return std::clamp(kWindowBytes / (4 * seats) / 64 * 64, kLeastPieceBytes, kMostPieceBytes);
}

std::uint64_t SmallBytes(std::uint32_t seats) {
  return std::min(kMostSmallBytes, kSmallBytesToAll / seats);
}

void CopyPiece(std::byte* to, const std::byte* from, std::uint64_t bytes) {
  if (to != from) CopyBytes(to, from, bytes);
}

}  // namespace

HostMeeting::HostMeeting(std::shared_ptr<HostGroup> group, PartLabel label, SeatingRef seating)
    : group_(std::move(group)),
      label_(label),
      seating_(std::move(seating)),
      mailbox_(group_->OpenMailbox(label_)),
      came_(ranks().size()) {}

HostMeeting::~HostMeeting() {
  if (step_ != Step::kOver) group_->CloseMailbox(label_);
}

std::string HostMeeting::title() const {
  return TitleOf(label_.label, seating_->communicator);
}

PacketHead HostMeeting::HeadOf(PacketKind kind) const {
  PacketHead head;
  head.kind = kind;
  head.part = label_.part;
  head.set_label(label_.label);
  return head;
}

std::uint32_t HostMeeting::SeatOf(std::uint32_t rank) const {
  return static_cast<std::uint32_t>(std::find(ranks().begin(), ranks().end(), rank) - ranks().begin());
}

std::uint32_t HostMeeting::shown(std::uint32_t seat) const {
  if (!label_.label.is_pair()) return seat;
  return seat == 0 ? label_.label.from : label_.label.to;
}

std::uint64_t HostMeeting::BytesForOthers(const Request& request, std::uint32_t seat) const {
  switch (request.collective) {
    case Collective::kBroadcast:
    case Collective::kScatter:
      if (seat != request.root) return 0;
      break;
    case Collective::kReceive:
    case Collective::kBarrier:
      return 0;
    default:
      break;
  }
  const auto bytes = BytesOf(request, seat, seats());
  return bytes ? bytes->send : UINT64_MAX;
}

void HostMeeting::Come(std::uint32_t seat, const Arrival& arrival) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (step_ == Step::kOver) return;
  seat_ = seat;
  arrival_ = arrival;
  HostRecord own{*arrival.request};
  const std::uint64_t bytes = BytesForOthers(own.request, seat);
  own.complete = bytes <= SmallBytes(seats());
  if (own.complete && bytes > 0) own.bytes = {arrival.buffers.send, bytes};
  const std::vector<std::byte> packed = PackRecord(own);
  const BlockRef block = BlockOf(packed);
  step_ = Step::kGathering;
  for (std::uint32_t other = 0; other < seats(); ++other) {
    if (other != seat) group_->Send(rank(other), HeadOf(PacketKind::kRecord), block, packed.size(), mailbox_);
  }
  came_[seat] = Came{std::move(own), nullptr};
}

bool HostMeeting::IsOver(std::uint32_t, Failure& failure) {
  std::lock_guard<std::mutex> lock(mutex_);
  try {
    bool over = Advance();
    for (SpinPlace place; !over && place.Spin();) {
      group_->Poll();
      over = Advance();
    }
    while (!over) {
      if (mailbox_->Sleep(*arrival_.stream)) return false;
      over = Advance();
    }
  } catch (...) {
    const Error error = CurrentError();
    End(Share(error), true);
  }
  failure = failure_;
  return true;
}

bool HostMeeting::Advance() {
  AcceptAll();
  Proceed();
  if (step_ == Step::kOver) return true;
  if (!Hindrance()) return false;
  // What a lost rank has sent before counts, and may have come since.
  AcceptAll();
  Proceed();
  if (step_ == Step::kOver) return true;
  if (const Failure hindrance = Hindrance()) End(hindrance, true);
  return step_ == Step::kOver;
}

void HostMeeting::Proceed() {
  if (step_ == Step::kGathering &&
      std::all_of(came_.begin(), came_.end(), [](const auto& one) { return one.has_value(); })) {
    Compare();
    if (step_ == Step::kGathering) Begin();
  }
  if (step_ == Step::kMoving && MoveOn()) End(nullptr, false);
}

void HostMeeting::AcceptAll() {
  for (Letter& letter : mailbox_->TakeAll()) {
    if (step_ == Step::kOver) return;
    Accept(std::move(letter));
  }
}

void HostMeeting::Accept(Letter letter) {
  const std::uint32_t seat = SeatOf(letter.head().from);
  if (seat == seats() || seat == seat_) return;
  switch (letter.head().kind) {
    case PacketKind::kRecord:
      return AcceptRecord(seat, std::move(letter));
    case PacketKind::kFailure:
      if (letter.is_here()) End(ReadFailure(letter.content()), false);
      return;
    case PacketKind::kPiece:
      arrived_.emplace(std::pair(letter.head().piece, seat), std::move(letter));
      return;
    default:
      return;
  }
}

void HostMeeting::AcceptRecord(std::uint32_t seat, Letter letter) {
  if (!letter.is_here()) return group_->Fetch(std::move(letter), mailbox_);
  auto record = ReadRecord(letter.content(), seats());
  if (!record || (record->complete && record->bytes.size() != BytesForOthers(record->request, seat)))
    Fail(kRtSuspectRemote, "{} sent what cannot be understood for {}", group_->Describe(rank(seat)), title());
  came_[seat] = Came{std::move(*record), letter.block()};
}

void HostMeeting::Compare() {
  const Request& own = *arrival_.request;
  for (std::uint32_t seat = 0; seat < seats(); ++seat) {
    if (seat == seat_) continue;
    const auto difference = Difference(own, shown(seat_), came_[seat]->record.request, shown(seat));
    if (!difference) continue;
    return End(std::make_shared<const Error>(
                   kRtAicpuException,
                   fmt::format("{}: {} for {}; the one is process {} on {}, the other process {} on {}",
                               kTextHcclMismatch, *difference, title(), group_->member(rank(seat_)).pid,
                               group_->member(rank(seat_)).address.data(), group_->member(rank(seat)).pid,
                               group_->member(rank(seat)).address.data()),
                   kTextHcclMismatch),
               true);
  }
}

// All have come and want the same.
void HostMeeting::Begin() {
  if (trace::Active()) all_came_.store(Now());
  const bool small =
      std::all_of(came_.begin(), came_.end(), [](const auto& one) { return one->record.complete; });
  if (small || seats() == 1) {
    CarrySmall();
    return End(nullptr, false);
  }
  moves_ = MovesOf(*arrival_.request, seat_, seats(), PieceBytes(seats()));
  step_ = Step::kMoving;
}

// Everything is here.
void HostMeeting::CarrySmall() {
  std::vector<const Request*> requests;
  std::vector<Buffers> buffers;
  for (const auto& one : came_) {
    requests.push_back(&one->record.request);
    buffers.push_back({one->record.bytes.data(), nullptr});
  }
  buffers[seat_] = arrival_.buffers;
  Plan(requests).CarryTo(seat_, {requests, buffers}, 1);
}

// True when all pieces are where they belong.
bool HostMeeting::MoveOn() {
  for (auto at = open_.begin(); at != open_.end();)
    at = Collect(*at) ? open_.erase(at) : std::next(at);
  while (next_ < moves_.size() && HasRoom())
    Open(moves_[next_++]);
  return next_ == moves_.size() && open_.empty() && mailbox_->sending() == 0;
}

bool HostMeeting::HasRoom() const {
  const std::size_t sending = mailbox_->sending();
  return (open_.empty() && sending == 0) || awaited_bytes_ + sending < kWindowBytes;
}

std::vector<std::uint32_t> HostMeeting::AwaitedOf(const Move& move) const {
  if (move.owner != seat_) {
    if (move.is_to(seat_) && move.piece.from != seat_) return {move.owner};
    return {};
  }
  if (!move.folds()) {
    if (move.piece.from != seat_) return {move.piece.from};
    return {};
  }
  std::vector<std::uint32_t> others;
  for (std::uint32_t seat = 0; seat < seats(); ++seat) {
    if (seat != seat_) others.push_back(seat);
  }
  return others;
}

// Of an owner: who else gets the piece.
std::vector<std::uint32_t> HostMeeting::ReceiversOf(const Move& move, std::uint32_t but) const {
  std::vector<std::uint32_t> receivers;
  for (std::uint32_t seat = 0; seat < seats(); ++seat) {
    if (move.is_to(seat) && seat != seat_ && seat != but) receivers.push_back(seat);
  }
  return receivers;
}

void HostMeeting::Open(const Move& move) {
  const Piece& piece = move.piece;
  if (move.is_from(seat_)) {
    const std::byte* const from = arrival_.buffers.send + piece.read;
    if (!move.folds() && move.is_to(seat_))
      CopyPiece(arrival_.buffers.receive + piece.write, from, piece.bytes);
    std::vector<std::uint32_t> receivers;
    if (move.owner != seat_) {
      receivers = {move.owner};
    } else if (!move.folds()) {
      receivers = ReceiversOf(move, seat_);
    }
    if (!receivers.empty()) SendPiece(move, receivers, BlockOf({from, piece.bytes}));
  }
  OpenMove open{move, std::vector<BlockRef>(seats()), AwaitedOf(move)};
  if (open.awaited.empty()) return;
  awaited_bytes_ += piece.bytes * open.awaited.size();
  open_.push_back(std::move(open));
  if (Collect(open_.back())) open_.pop_back();
}

void HostMeeting::SendPiece(const Move& move, const std::vector<std::uint32_t>& receivers,
                            const BlockRef& block) {
  PacketHead head = HeadOf(PacketKind::kPiece);
  head.piece = move.number;
  for (const std::uint32_t seat : receivers)
    group_->Send(rank(seat), head, block, move.piece.bytes, mailbox_);
}

// Takes what has come of it; true if that was all.
bool HostMeeting::Collect(OpenMove& open) {
  std::erase_if(open.awaited, [&](std::uint32_t seat) {
    auto found = arrived_.extract({open.move.number, seat});
    if (!found) return false;
    Letter letter = std::move(found.mapped());
    if (letter.bytes() != open.move.piece.bytes)
      Fail(kRtSuspectRemote, "{} sent {} bytes where {} were expected for {}", group_->Describe(rank(seat)),
           letter.bytes(), open.move.piece.bytes, title());
    if (letter.is_here()) {
      open.parts[seat] = letter.block();
      awaited_bytes_ -= open.move.piece.bytes;
      return true;
    }
    group_->Fetch(std::move(letter), mailbox_);
    return false;
  });
  if (!open.awaited.empty()) return false;
  Complete(open);
  return true;
}

void HostMeeting::Complete(const OpenMove& open) {
  const Move& move = open.move;
  if (move.owner == seat_ && move.folds()) return CompleteFold(open);
  const std::uint32_t from = move.owner == seat_ ? move.piece.from : move.owner;
  const BlockRef& block = open.parts[from];
  CopyPiece(arrival_.buffers.receive + move.piece.write, block->data(), move.piece.bytes);
  if (move.owner == seat_) SendPiece(move, ReceiversOf(move, from), block);
}

void HostMeeting::CompleteFold(const OpenMove& open) {
  const Piece& piece = open.move.piece;
  std::vector<const void*> sources;
  for (std::uint32_t seat = 0; seat < seats(); ++seat)
    sources.push_back(seat == seat_ ? arrival_.buffers.send + piece.read : open.parts[seat]->data());
  std::vector<void*> targets;
  if (open.move.is_to(seat_)) targets.push_back(arrival_.buffers.receive + piece.write);
  const auto receivers = ReceiversOf(open.move, seat_);
  const BlockRef result = receivers.empty() ? nullptr : TakeBlock(piece.bytes);
  if (result) targets.push_back(result->data());
  const Request& request = *arrival_.request;
  Fold(request.element, request.reduction, sources, targets, piece.bytes);
  if (result) SendPiece(open.move, receivers, result);
}

std::vector<std::uint32_t> HostMeeting::AwaitedSeats() const {
  std::vector<bool> awaited(seats());
  for (std::uint32_t seat = 0; step_ <= Step::kGathering && seat < seats(); ++seat)
    awaited[seat] = !came_[seat];
  for (const OpenMove& open : open_) {
    for (const std::uint32_t seat : open.awaited)
      awaited[seat] = true;
  }
  if (step_ == Step::kMoving) {
    for (const std::uint32_t receiver : mailbox_->receivers())
      awaited[SeatOf(receiver)] = true;
  }
  std::vector<std::uint32_t> list;
  for (std::uint32_t seat = 0; seat < seats(); ++seat) {
    if (awaited[seat]) list.push_back(seat);
  }
  return list;
}

Failure HostMeeting::Hindrance() const {
  for (const std::uint32_t seat : AwaitedSeats()) {
    if (Failure lost = group_->Lost(label_.part, rank(seat))) return lost;
  }
  if (Failure parted = group_->Parted(ranks())) return parted;
  const auto broken = mailbox_->broken();
  if (!broken || Now() - broken->since < kPatienceForLoss) return nullptr;
  const auto why =
      fmt::format("{} cannot be reached any more ({})", group_->Describe(broken->rank), broken->why);
  group_->PartFrom(broken->rank, why);
  return std::make_shared<const Error>(kRtSuspectRemote, fmt::format("{}, for {}", why, title()));
}

// Precondition: the lock is held.
void HostMeeting::End(const Failure& failure, bool tell) noexcept {
  if (step_ == Step::kOver) return;
  step_ = Step::kOver;
  failure_ = failure;
  group_->CloseMailbox(label_);
  open_.clear();
  arrived_.clear();
  came_.clear();
  if (failure && tell) Tell(*failure);
}

void HostMeeting::Tell(const Error& error) noexcept try {
  const std::vector<std::byte> packed = PackFailure(error);
  const BlockRef block = BlockOf(packed);
  for (std::uint32_t seat = 0; seat < seats(); ++seat) {
    if (seat != seat_ && !group_->Lost(0, rank(seat)))
      group_->Send(rank(seat), HeadOf(PacketKind::kFailure), block, packed.size(), nullptr);
  }
} catch (const std::exception& problem) {  // the others run into their time limit
  Log(LogLevel::kWarning, "the ranks of {} are not told of a failure: {}", title(), problem.what());
}

void HostMeeting::Leave(std::uint32_t seat, const Failure& failure) noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  if (step_ == Step::kOver) return;
  seat_ = seat;
  End(failure, true);
}

std::vector<std::uint32_t> HostMeeting::Missing() const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (step_ == Step::kOver) return {};
  std::vector<std::uint32_t> missing;
  for (const std::uint32_t seat : AwaitedSeats())
    missing.push_back(shown(seat));
  return missing;
}

}  // namespace foothold::collectives
