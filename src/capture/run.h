// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The run of an instance that goes on, of which there is one at a time: the stream it is queued in, which
// runs the first lane, and the streams of its own that run the others. They are hidden from the program and
// stay with the instance. Any thread, unless a comment says otherwise.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/spin.h"
#include "capture/lane_run.h"
#include "device/stream.h"

namespace foothold {

class Instance;
class Run;

// Who runs, of the instances of which one runs at a time: a single one, or all that a built model has become.
struct InstanceTurn {
  SpinLock lock;  // guards all
  Run* run = nullptr;
  std::vector<Stream*> waiting;
};

class Run {
 public:
  explicit Run(Instance& instance) : instance_(instance), turn_(std::make_shared<InstanceTurn>()) {}
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // Before the first run: runs of the two follow each other.
  void TakeTurnsWith(const Run& other) { turn_ = other.turn_; }
  // Takes the instance for a run in `main`, or has that stream woken when it can be tried again. Throws
  // 507011 inside the run that would have to end first.
  bool TryBegin(Stream& main);
  // Makes the changes its tasks wait for. False if a run goes on.
  bool TryChange();
  // Ends the run that goes on, if there is one, as far as it has not ended by itself. Those who wait for it
  // get `failure`.
  void Abort(const Failure& failure);
  // By whoever began it, on the thread that drains the main stream. Lanes that still run are cancelled; the
  // instance is free for the next run when the last of them has ended.
  void End() noexcept;
  // By the thread that drains the main stream: ends the other lanes, and waits for what they run just now
  // unless that is a function of the program.
  void Cancel(const Failure& failure) noexcept;

  Instance& instance() const { return instance_; }
  // Counts the runs: what an earlier one has reached does not count.
  std::uint64_t number() const noexcept { return number_; }
  Stream& main() const noexcept { return *main_; }

  // From a control of this run: starts another lane beside the others. One that runs already runs once more
  // afterwards.
  // `point` is what the lane begins behind, for the checking mode; null: the main stream.
  void Start(std::size_t lane, const char* api, std::size_t step = 0, const void* point = nullptr);
  // The stream that runs a lane; 0 is the first.
  Stream& StreamOf(std::size_t lane) const noexcept;
  // One of those that others than the first still run in, or null.
  Stream* StreamThatRuns() const noexcept;
  // By the thread that drains the main stream.
  bool others_run() const noexcept { return alive_.load(std::memory_order_acquire) > 1; }
  // By a lane that was started, as the last it does.
  void LaneEnds() noexcept;
  // By the first lane when the others have ended: the main stream knows what they did.
  void LearnOthers() noexcept;
  // A task of a lane failed: the main stream has failed.
  void TakeFailure(Stream& of_lane) noexcept;
  // Tasks that failed so far, in all runs.
  std::uint64_t failed_tasks() const noexcept { return failed_tasks_.load(); }
  void CountFailure() noexcept { failed_tasks_.fetch_add(1); }
  LaneRun& lane_run(std::size_t lane) const { return *lanes_[lane]; }

 private:
  bool TakeTurn(Stream& main);
  bool IsInside(const Stream& stream) const noexcept;
  void Free() noexcept;
  void OpenStreams();
  void CloseStreams() noexcept;

  Instance& instance_;
  std::shared_ptr<InstanceTurn> turn_;
  Stream* main_ = nullptr;
  std::uint64_t number_ = 0;
  std::atomic<int> alive_{0};          // lanes that were started and have not ended, the first among them
  std::atomic<bool> given_up_{false};  // no lane is started any more
  std::atomic<std::uint64_t> failed_tasks_{0};
  std::vector<StreamRef> streams_;  // of the lanes but the first; changed under the lock of the turn
  std::vector<std::unique_ptr<LaneRun>> lanes_;
};

}  // namespace foothold
