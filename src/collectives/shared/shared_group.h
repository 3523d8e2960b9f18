// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A communicator with ranks in several processes of one host: this rank's view of it. Any thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/crowd.h"
#include "collectives/bootstrap/join.h"
#include "collectives/bootstrap/life_lines.h"
#include "collectives/shared/board.h"
#include "collectives/shared/ended_numbers.h"
#include "collectives/shared/life_lock.h"
#include "collectives/whole_group.h"
#include "device/sharing/shared_watch.h"

namespace foothold {
class Device;
}

namespace foothold::collectives {

class SharedGroup : public WholeGroup, public SharedWait {
 public:
  // Of a group whose ranks have been told of each other. Throws what mapping the board throws.
  SharedGroup(std::string name, const Joined& joined, std::uint32_t rank, Device& device);
  ~SharedGroup() override;
  // All ranks can reach each other: from here on, lost ones are heard of.
  void Start(OwnSocket connection, bool root_is_here);

  void Leave(std::uint32_t rank, const Failure& failure) noexcept override;
  std::shared_ptr<Meeting> Meet(const PartLabel& label, SeatingRef seating) override;
  // Those who wait for it, now or later, find a record that says so.
  void LeavePart(std::uint64_t part, const SeatingRef& seating, std::uint32_t seat,
                 const Failure& failure) noexcept override;

  const Board& board() const { return board_; }
  Device& device() const { return device_; }
  // How many a rank may use: all of them work at the same time.
  int cores_of_rank() const { return std::max(1, cores_ / static_cast<int>(size())); }

  // Why this rank will never come again, or null.
  Failure Lost(std::uint32_t rank) const;
  // The stream is woken when something changes; who calls looks again after that.
  void Park(Stream& stream, bool wants_room);
  // How long it is worth to spin before that, and whether it was. A rank that was just woken comes soon.
  Nanoseconds SpinTime(bool woke) noexcept;
  void NoteSpun(bool woke, bool came) noexcept;
  // A record of this rank for one meeting, and the end of its use: it is free when all others of the meeting
  // are done with it. Null if there is none.
  Record* Take(const PartLabel& label);
  void Release(Record& record, SeatingRef readers) noexcept;
  // The same when the rank has ended the meeting too, and will not look at records of it again. True if all
  // know by that; false: each has to be told, by a mark on its record.
  bool End(Record* record, const PartLabel& label, const SeatingRef& readers) noexcept;

  // What the thread of waits calls.
  std::atomic<std::uint32_t>& changes() const noexcept override { return board_.bell(own_rank()); }
  bool IsOver(bool look_for_death) noexcept override;

 private:
  void NoteLost(std::uint32_t rank, const std::string& why);
  void LookForEnded() noexcept;
  void WakeAll() noexcept;
  bool TryFree(std::uint32_t number) noexcept;
  bool HasEnded(std::uint32_t rank, std::uint64_t number) noexcept;
  void GiveUp(Record& record, SeatingRef readers) noexcept;

  std::shared_ptr<SharedGroup> Self() { return std::static_pointer_cast<SharedGroup>(shared_from_this()); }

  Board board_;
  const LifeLock life_lock_;
  Device& device_;
  const int cores_;
  std::optional<Crowd> crowd_;  // more ranks than cores
  std::shared_ptr<LifeLine> life_line_;
  std::atomic<bool> closed_{false};
  std::atomic<bool> has_lost_{false};
  std::atomic<bool> has_root_{true};
  std::atomic<unsigned> vain_{0};   // long spins without success, one after the other
  std::atomic<unsigned> spins_{0};  // long ones

  mutable std::mutex mutex_;   // guards all below
  std::vector<Failure> lost_;  // by rank
  std::vector<Stream*> parked_;
  std::uint32_t heard_ = 0;  // of the bell
  static constexpr std::uint64_t kNotCounted = UINT64_MAX;
  struct Use {
    bool taken = false;
    bool released = false;
    SeatingRef readers;                  // and this rank, which is none
    std::uint64_t number = kNotCounted;  // where its end is told by a number
  };
  std::vector<Use> uses_;  // of this rank's records
  EndedNumbers ended_;
  std::vector<std::uint64_t> through_;  // what the others have ended, as far as was looked
};

}  // namespace foothold::collectives
