// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A communicator with ranks on several hosts: this rank's view of it. Messages go through the engine; which
// ranks are lost is heard over the life line. Any thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "collectives/bootstrap/join.h"
#include "collectives/bootstrap/life_lines.h"
#include "collectives/hosts/engine.h"
#include "collectives/hosts/finished_labels.h"
#include "collectives/hosts/mailbox.h"
#include "collectives/whole_group.h"

namespace foothold::collectives {

class HostGroup : public WholeGroup, public LetterTaker {
 public:
  // From here on messages of the others are taken.
  static std::shared_ptr<HostGroup> Make(std::string name, const Joined& joined, std::uint32_t rank,
                                         Engine& engine);
  ~HostGroup() override;
  // Reaches all others, and is reached by them. Throws HCCL_E_TIMEOUT with the ranks it did not hear of, or
  // what the root has to say meanwhile.
  void Connect(const std::vector<std::vector<std::byte>>& addresses, const Joined& joined,
               Nanoseconds deadline);
  // Lost ranks are heard of.
  void Start(OwnSocket connection, bool root_is_here);

  void Leave(std::uint32_t rank, const Failure& failure) noexcept override;
  std::shared_ptr<Meeting> Meet(const PartLabel& label, SeatingRef seating) override;
  // What still comes for it is dropped.
  void LeavePart(std::uint64_t part, const SeatingRef& seating, std::uint32_t seat,
                 const Failure& failure) noexcept override;

  // "rank 1 (process 77 on 10.0.0.2)"
  std::string Describe(std::uint32_t rank) const;

  // For meetings: what comes for them, until they are over.
  std::shared_ptr<Mailbox> OpenMailbox(const PartLabel& label);
  void CloseMailbox(const PartLabel& label) noexcept;
  // To another rank. The mailbox is told when it has arrived, if there is one.
  void Send(std::uint32_t to, PacketHead head, BlockRef block, std::size_t bytes,
            const std::shared_ptr<Mailbox>& mailbox);
  void Fetch(Letter letter, const std::shared_ptr<Mailbox>& mailbox);
  void Poll() noexcept { engine_.Poll(); }
  // Why this rank will never come again to this part, or null.
  Failure Lost(std::uint64_t part, std::uint32_t rank) const;
  // Why these ranks will never come together again, or null: two of them do not reach each other.
  Failure Parted(const std::vector<std::uint32_t>& ranks) const;
  // It runs and cannot be reached any more. All others are told.
  void PartFrom(std::uint32_t rank, const std::string& why);

  void Take(Letter letter) noexcept override;
  void Look() noexcept override;

 private:
  HostGroup(std::string name, const Joined& joined, std::uint32_t rank, Engine& engine);
  void NoteLost(std::uint32_t rank, const std::string& why);
  void NoteParted(const Parting& parting);
  void NoteHeard(std::uint32_t rank) noexcept { silence_[rank].heard.store(Now()); }
  void LookAt(std::uint32_t rank);
  bool IsSending() const;
  void SendTo(std::uint32_t rank, PacketKind kind, std::uint64_t part = 0) noexcept;
  void NoteGone(std::uint64_t part, std::uint32_t rank);
  void WakeAll() noexcept;
  void Greet(std::uint32_t rank, const std::vector<std::vector<std::byte>>& addresses);
  bool AwaitHello(std::uint32_t rank, const Joined& joined, Nanoseconds deadline);
  std::string Unheard() const;

  std::shared_ptr<HostGroup> Self() { return std::static_pointer_cast<HostGroup>(shared_from_this()); }
  std::weak_ptr<HostGroup> WeakSelf() { return Self(); }

  Engine& engine_;
  std::vector<std::shared_ptr<RemoteProcess>> processes_;  // by rank
  std::shared_ptr<LifeLine> life_line_;
  std::vector<std::atomic<std::size_t>> sending_;  // messages under way, by rank
  std::atomic<bool> connected_{false};
  // Of a rank: when something came from it, when it was last said to be alive, and since when it is asked.
  struct Silence {
    std::atomic<Nanoseconds> heard{0};
    std::atomic<Nanoseconds> alive{0};
    Nanoseconds asked = 0, probed = 0;  // the looking thread's
  };
  std::vector<Silence> silence_;

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable heard_;
  std::vector<bool> hellos_;                                           // by rank
  std::vector<Failure> lost_;                                          // by rank
  std::map<std::pair<std::uint32_t, std::uint32_t>, Failure> parted_;  // other ranks, the lower first
  std::map<std::pair<std::uint64_t, std::uint32_t>, Failure> gone_;    // from parts, by rank
  std::set<std::uint64_t> left_parts_;
  std::map<PartLabel, std::shared_ptr<Mailbox>> mailboxes_;
  FinishedLabels finished_;
};

}  // namespace foothold::collectives
