// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One run of a call: the meetings it joined, from the first look of its task to its end. By the thread that
// drains the stream, one at a time; Leave by whoever drops the task.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "collectives/call.h"
#include "collectives/few.h"

namespace foothold {
class Stream;
}

namespace foothold::collectives {

class CallRun {
 public:
  // Joins the meetings, so that nothing needs memory later. Throws, and has joined none then.
  explicit CallRun(std::shared_ptr<Call> call);
  ~CallRun();
  CallRun(const CallRun&) = delete;
  CallRun& operator=(const CallRun&) = delete;

  // True when all is done; throws what failed. False: the stream is woken when it is worth to look again.
  bool Advance(Stream& stream);
  struct Place {
    std::shared_ptr<Meeting> meeting;
    std::uint32_t seat;
  };
  void ListPlaces(std::vector<Place>& places) const;
  // It will not go on: the other ranks are told why.
  void Leave(const Failure& failure) noexcept;

  CallRun* next = nullptr;  // these two are the communicator's
  CallRun* previous = nullptr;

 private:
  void Begin(Stream& stream);
  void Finish() noexcept;
  Failure Expired() const;
  void LeaveAll(const Failure& failure) noexcept;

  const std::shared_ptr<Call> call_;
  Few<std::shared_ptr<Meeting>, 1> meetings_;  // by part
  std::uint64_t run_ = 0;                      // of labels of captured calls
  Nanoseconds came_ = 0;                       // where a timeline is recorded
  Nanoseconds deadline_ = kForever;
  bool began_ = false;
  bool ended_ = false;
};

}  // namespace foothold::collectives
