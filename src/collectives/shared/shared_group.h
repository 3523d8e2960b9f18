// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A communicator with ranks in several processes of one host: this rank's view of it. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "collectives/bootstrap/join.h"
#include "collectives/bootstrap/life_lines.h"
#include "collectives/group.h"
#include "collectives/local_group.h"
#include "collectives/shared/board.h"
#include "device/sharing/shared_watch.h"

namespace foothold {
class Device;
}

namespace foothold::collectives {

class SharedGroup : public Group, public SharedWait, public std::enable_shared_from_this<SharedGroup> {
 public:
  // Of a group whose ranks have been told of each other. Throws what mapping the board throws.
  SharedGroup(std::string name, const Joined& joined, std::uint32_t rank, Device& device);
  ~SharedGroup() override;
  // All ranks can reach each other: from here on, lost ones are heard of.
  void Start(OwnSocket connection);

  std::uint32_t size() const override { return board_.ranks(); }
  std::uint64_t identity() const override { return identity_; }
  std::shared_ptr<Meeting> Join(const MeetingLabel& label, std::uint32_t rank) override;
  void Leave(std::uint32_t rank, const Failure& failure) noexcept override;
  std::shared_ptr<Group> Part(std::uint32_t rank, std::uint64_t id,
                              const std::vector<std::uint32_t>& ranks) override;
  std::uint32_t ranks_here(std::uint32_t) const override { return size(); }
  std::uint32_t place_here(std::uint32_t rank) const override { return rank; }

  const Board& board() const { return board_; }
  std::uint32_t rank() const { return rank_; }
  Device& device() const { return device_; }
  const std::string& name() const { return name_; }

  // Why this rank will never come again, or null.
  Failure Lost(std::uint32_t rank) const;
  // The stream is woken when something changes; who calls looks again after that.
  void Park(Stream& stream);
  // A record of this rank for one meeting, and the end of its use: it is free when all readers are done with
  // it. Null if there is none.
  Record* Take(const SharedLabel& label);
  void Release(Record& record, std::vector<std::uint32_t> readers) noexcept;

  // What the thread of waits calls.
  std::atomic<std::uint32_t>& changes() const noexcept override { return board_.bell(rank_); }
  bool IsOver(bool look_for_death) noexcept override;

 private:
  void NoteLost(std::uint32_t rank, const std::string& why);
  void WakeAll() noexcept;
  bool TryFree(std::uint32_t number) noexcept;

  const std::string name_;
  const std::uint64_t identity_;
  Board board_;
  const std::uint32_t rank_;
  Device& device_;
  const std::vector<Member> members_;
  LocalGroup own_messages_;  // of the rank to itself
  std::shared_ptr<LifeLine> life_line_;
  std::atomic<bool> closed_{false};

  mutable std::mutex mutex_;   // guards all below
  std::vector<Failure> lost_;  // by rank
  std::vector<Stream*> parked_;
  std::uint32_t heard_ = 0;  // of the bell
  struct Use {
    bool taken = false;
    bool released = false;
    std::vector<std::uint32_t> readers;
  };
  std::vector<Use> uses_;  // of this rank's records
  std::map<std::pair<std::vector<std::uint32_t>, std::uint64_t>, std::uint32_t> parts_;  // how often made
};

}  // namespace foothold::collectives
