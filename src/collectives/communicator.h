// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One rank of a communicator, what a handle of the program means. Its tasks keep it, so it may be destroyed
// while captured ones still exist. Any thread.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "collectives/group.h"
#include "collectives/settings.h"

namespace foothold {
class Device;
}

namespace foothold::collectives {

class CallRun;
struct CallPart;

class Communicator {
 public:
  // `settings` has its name. `world` are its ranks in the communicator it is a part of, if it is one.
  Communicator(std::shared_ptr<Group> group, std::uint32_t rank, Device& device, CommSettings settings,
               std::vector<std::uint32_t> world = {});

  Group& group() const { return *group_; }
  std::uint32_t rank() const { return rank_; }
  std::uint32_t size() const { return group_->size(); }
  Device& device() const { return device_; }
  const std::string& name() const { return settings_.name; }
  const CommSettings& settings() const { return settings_; }
  bool is_part() const { return !world_.empty(); }
  const std::vector<std::uint32_t>& world() const { return world_; }

  // Throws HCCL_E_SUSPENDING while it is suspended.
  void CheckTakesCalls() const;
  void Suspend() noexcept { suspended_.store(true); }
  void Resume() noexcept;
  bool suspended() const noexcept { return suspended_.load(); }

  // The label of the next collective, or of the next message of a pair, in the order of the calls.
  MeetingLabel NextLabel(bool captured);
  MeetingLabel NextLabel(bool captured, bool sends, std::uint32_t peer);
  // The label of a part of a run: runs have numbers of their own, whenever they come to their calls. A
  // message is matched with those of the same tag.
  MeetingLabel LabelOfRun(const CallPart& part, std::uint32_t tag);
  // The call came to nothing. If a later one was made meanwhile, its number is lost, and those who wait for
  // it learn why.
  void GiveBack(const MeetingLabel& label, std::uint32_t seat, const Failure& failure) noexcept;

  // A task begins and ends to be in flight.
  void Begin(CallRun& run);
  void End(CallRun& run) noexcept;
  // It met the others: the way to them exists.
  void NoteMet() noexcept { met_.store(true, std::memory_order_relaxed); }
  // A task failed: later questions are answered with it.
  void NoteFailure(const Error& error) noexcept;
  int async_error() const noexcept;  // an HcclResult

  // Ends it. Throws HCCL_E_AGAIN while tasks are in flight, but not if they wait for ranks that never came.
  void Destroy();
  // The failure of everything that comes after that; null before.
  Failure destroyed() const;

 private:
  using Counters = std::array<std::atomic<std::uint64_t>, 2>;  // of ordinary calls, and of captured ones
  std::atomic<std::uint64_t>& CounterOf(const MeetingLabel& label, bool sends);

  const std::shared_ptr<Group> group_;
  const std::uint32_t rank_;
  Device& device_;
  const CommSettings settings_;
  const std::vector<std::uint32_t> world_;
  std::atomic<bool> suspended_{false};
  std::atomic<bool> met_{false};
  std::atomic<int> async_error_{0};

  Counters collectives_{};

  mutable std::mutex mutex_;                                     // guards all below
  std::map<std::pair<bool, std::uint32_t>, Counters> messages_;  // sent or received, by the other rank
  std::map<MeetingLabel, std::uint64_t> runs_;                   // of each label that only runs have
  CallRun* in_flight_ = nullptr;  // the last one that began, and before it the others
  std::size_t runs_in_flight_ = 0;
  std::atomic<bool> is_destroyed_{false};
  Failure destroyed_;
};

}  // namespace foothold::collectives
