// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Ranks of one process that meet: the last one to come does the work for all, straight from every buffer into
// every buffer, and wakes the streams of the others. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "collectives/seating.h"

namespace foothold::collectives {

class LocalMeeting : public Meeting {
 public:
  LocalMeeting(SeatingRef seating, const MeetingLabel& label);

  void Come(std::uint32_t seat, const Arrival& arrival) override;
  bool IsOver(std::uint32_t seat, Failure& failure) override;
  void Leave(std::uint32_t seat, const Failure& failure) noexcept override;
  std::vector<std::uint32_t> Missing() const override;
  Nanoseconds all_came() const noexcept override { return all_came_.load(); }

  const std::vector<std::uint32_t>& ranks() const { return seating_->ranks; }
  // One seat more is taken by who will come; true for the last.
  bool Claim() noexcept { return claimed_.fetch_add(1) + 1 == ranks().size(); }

 private:
  enum State : std::uint32_t { kGathering, kWorking, kOver };

  Failure Compare(std::uint32_t seat) const;
  void Work() noexcept;
  void End(const Failure& failure) noexcept;

  const SeatingRef seating_;
  const MeetingLabel label_;
  std::atomic<std::uint32_t> claimed_{0};
  std::atomic<Nanoseconds> all_came_{0};
  std::atomic<std::uint32_t> state_{kGathering};  // futex; written with the lock held

  mutable std::mutex mutex_;  // guards all below while the ranks gather; then they do not change
  std::vector<const Request*> requests_;
  std::vector<Buffers> buffers_;
  std::vector<Stream*> streams_;  // null: has not come
  std::uint32_t came_ = 0;
  Failure failure_;
};

}  // namespace foothold::collectives
