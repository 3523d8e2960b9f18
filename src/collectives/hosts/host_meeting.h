// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Ranks on several hosts that meet. Each tells all others what it asks for, with its bytes if they are few:
// then everybody has all it needs, and that was all. Larger ones follow in pieces (schedule.h), some of them
// under way at a time. Whatever was sent or came is combined in the order of the ranks, as everywhere. One
// object for each rank and meeting; the thread that drains its stream, and whoever drops its task.
#pragma once

#include <atomic>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectives/hosts/host_group.h"
#include "collectives/hosts/schedule.h"
#include "collectives/meeting.h"

namespace foothold::collectives {

class HostMeeting : public Meeting {
 public:
  HostMeeting(std::shared_ptr<HostGroup> group, PartLabel label, SeatingRef seating);
  ~HostMeeting() override;

  void Come(std::uint32_t seat, const Arrival& arrival) override;
  bool IsOver(std::uint32_t seat, Failure& failure) override;
  void Leave(std::uint32_t seat, const Failure& failure) noexcept override;
  std::vector<std::uint32_t> Missing() const override;
  Nanoseconds all_came() const noexcept override { return all_came_.load(); }

 private:
  enum class Step { kComing, kGathering, kMoving, kOver };
  // A piece whose messages are awaited.
  struct OpenMove {
    Move move;
    std::vector<BlockRef> parts;  // by seat
    std::vector<std::uint32_t> awaited;
  };

  bool Advance();
  void Proceed();
  void AcceptAll();
  void Accept(Letter letter);
  void AcceptRecord(std::uint32_t seat, Letter letter);
  void Compare();
  void Begin();
  void CarrySmall();
  // What others need of this rank, in bytes.
  std::uint64_t BytesForOthers(const Request& request, std::uint32_t seat) const;

  bool MoveOn();
  bool HasRoom() const;
  void Open(const Move& move);
  bool Collect(OpenMove& open);
  void Complete(const OpenMove& open);
  void CompleteFold(const OpenMove& open);
  std::vector<std::uint32_t> AwaitedOf(const Move& move) const;
  std::vector<std::uint32_t> ReceiversOf(const Move& move, std::uint32_t but) const;
  void SendPiece(const Move& move, const std::vector<std::uint32_t>& seats, const BlockRef& block);

  // Who is waited for.
  std::vector<std::uint32_t> AwaitedSeats() const;
  // Why it cannot go on, or null.
  Failure Hindrance() const;
  void End(const Failure& failure, bool tell) noexcept;
  void Tell(const Error& error) noexcept;
  PacketHead HeadOf(PacketKind kind) const;

  const std::vector<std::uint32_t>& ranks() const { return seating_->ranks; }
  std::uint32_t rank(std::uint32_t seat) const { return ranks()[seat]; }
  std::string title() const;  // for messages
  // As messages call it: its rank in the communicator, which may be a part of another.
  std::uint32_t shown(std::uint32_t seat) const;
  std::uint32_t seats() const { return static_cast<std::uint32_t>(ranks().size()); }
  std::uint32_t SeatOf(std::uint32_t rank) const;

  const std::shared_ptr<HostGroup> group_;
  const PartLabel label_;
  const SeatingRef seating_;
  const std::shared_ptr<Mailbox> mailbox_;
  std::atomic<Nanoseconds> all_came_{0};

  mutable std::mutex mutex_;  // guards all below
  Step step_ = Step::kComing;
  std::uint32_t seat_ = 0;
  Arrival arrival_;
  // By seat; nothing for those who have not come.
  struct Came {
    HostRecord record;
    BlockRef block;  // where the bytes of the record are
  };
  std::vector<std::optional<Came>> came_;
  std::vector<Move> moves_;
  std::size_t next_ = 0;  // of them to be opened
  std::list<OpenMove> open_;
  std::size_t awaited_bytes_ = 0;
  std::map<std::pair<std::uint64_t, std::uint32_t>, Letter> arrived_;  // by piece and seat of the sender
  Failure failure_;
};

}  // namespace foothold::collectives
