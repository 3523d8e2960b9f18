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

#include "collectives/meeting.h"
#include "collectives/shared/board.h"
#include "collectives/shared/exposed_memory.h"

namespace foothold::collectives {

class SharedGroup;

class SharedMeeting : public Meeting {
 public:
  // `ranks` has the rank of the board in each seat; `title` is for messages.
  SharedMeeting(std::shared_ptr<SharedGroup> group, SharedLabel label, std::vector<std::uint32_t> ranks,
                std::string title);
  ~SharedMeeting() override;

  void Come(std::uint32_t seat, const Arrival& arrival) override;
  bool IsOver(std::uint32_t seat, Failure& failure) override;
  void Leave(std::uint32_t seat, const Failure& failure) noexcept override;
  std::vector<std::uint32_t> Missing() const override;
  Nanoseconds all_came() const noexcept override { return all_came_.load(); }

 private:
  enum class Step { kComing, kGathering, kSharing, kReading, kOver };

  bool Advance();
  bool Publish();
  bool Gather();
  void Work();
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
  std::uint32_t rank(std::uint32_t seat) const { return ranks_[seat]; }
  // As messages call it: its rank in the communicator, which may be a part of another.
  std::uint32_t shown(std::uint32_t seat) const;
  std::uint32_t seats() const { return static_cast<std::uint32_t>(ranks_.size()); }

  const std::shared_ptr<SharedGroup> group_;
  const SharedLabel label_;
  const std::vector<std::uint32_t> ranks_;
  const std::string title_;

  std::atomic<Nanoseconds> all_came_{0};
  std::mutex mutex_;  // guards all below
  Step step_ = Step::kComing;
  std::uint32_t seat_ = 0;
  Arrival arrival_;
  std::byte* result_ = nullptr;  // where others read what this rank has combined, if not where it wants it
  Record* own_ = nullptr;
  std::vector<Record*> records_;  // by seat
  std::vector<Request> requests_;
  std::vector<const Request*> asked_;
  std::vector<Buffers> buffers_;
  std::unique_ptr<Plan> plan_;
  std::vector<std::shared_ptr<const PeerBlock>> blocks_;  // that are read
  std::vector<void*> copies_;  // blocks of this device, for memory that cannot be exposed
  Failure failure_;
};

}  // namespace foothold::collectives
