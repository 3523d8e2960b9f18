// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Ranks of several processes that meet on a board. Each does its own share, when it finds that all have come:
// it reads what the others have and writes only its own memory. Where results are shared out (all-reduce of
// more than a record holds), each rank first combines a part, and then takes the parts of the others. One
// object for each rank and meeting; the thread that drains its stream, and whoever drops its task.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "collectives/few.h"
#include "collectives/seating.h"
#include "collectives/shared/board.h"
#include "collectives/shared/exposed_memory.h"

namespace foothold::collectives {

class SharedGroup;

class SharedMeeting : public Meeting {
 public:
  SharedMeeting(std::shared_ptr<SharedGroup> group, PartLabel label, SeatingRef seating);
  ~SharedMeeting() override;

  void Come(std::uint32_t seat, const Arrival& arrival) override;
  bool IsOver(std::uint32_t seat, Failure& failure) override;
  void Leave(std::uint32_t seat, const Failure& failure) noexcept override;
  std::vector<std::uint32_t> Missing() const override;
  Nanoseconds all_came() const noexcept override { return all_came_.load(); }

 private:
  enum class Step { kComing, kGathering, kSharing, kReading, kOver };

  bool Advance();
  bool Spin();
  bool Publish();
  bool Gather();
  bool FindRecord(std::uint32_t seat);
  bool AllAskTheSame() const;
  bool Compare();
  void ListRequests();
  void Work();
  void CombineSmall();
  void MarkAllDone() noexcept;
  bool TakeShares();
  bool AllRead() const;
  void End(const Failure& failure) noexcept;
  Record& WriteRecord(Record& record);
  SharedPlace PlaceOf(void* given, const std::byte* bytes, std::uint64_t size, Record& record, bool may_copy);
  bool OthersRead(bool result) const;
  Failure LostAt(std::uint32_t seat) const;
  Failure FailureOf(const Record& record) const;
  Request RequestOf(const Record& record) const;
  const std::byte* BytesAt(const Record& record, const SharedPlace& place);
  void RingAll() noexcept;
  const std::vector<std::uint32_t>& ranks() const { return seating_->ranks; }
  std::uint32_t rank(std::uint32_t seat) const { return ranks()[seat]; }
  std::string title() const;  // for messages
  // As messages call it: its rank in the communicator, which may be a part of another.
  std::uint32_t shown(std::uint32_t seat) const;
  std::uint32_t seats() const { return static_cast<std::uint32_t>(ranks().size()); }

  const std::shared_ptr<SharedGroup> group_;
  const PartLabel label_;
  const SeatingRef seating_;

  std::atomic<Nanoseconds> all_came_{0};
  std::mutex mutex_;  // guards all below
  Step step_ = Step::kComing;
  std::uint32_t seat_ = 0;
  Arrival arrival_;
  std::byte* result_ = nullptr;  // where others read what this rank has combined, if not where it wants it
  Record* own_ = nullptr;
  bool waits_for_sleeper_ = false;  // who was told of something before, and comes soon
  bool marked_ = false;             // that records of others are not needed any more
  bool looks_far_ = false;          // for records that are not at their usual place
  Few<Record*, 8> records_;         // by seat
  // By seat, but for what is small.
  std::vector<Request> requests_;
  std::vector<const Request*> asked_;
  std::vector<Buffers> buffers_;
  std::unique_ptr<Plan> plan_;
  std::vector<std::shared_ptr<const PeerBlock>> blocks_;  // that are read
  std::vector<void*> copies_;  // blocks of this device, for memory that cannot be exposed
  Failure failure_;
};

}  // namespace foothold::collectives
