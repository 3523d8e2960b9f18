// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A collective that goes on: the ranks come to it one by one, when their tasks have reached the heads of
// their streams, and leave it together. Nobody waits here: a task that has come is suspended, and its stream
// is woken when it is worth to look again. How the ranks meet is for whoever derives from it. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "collectives/plan.h"
#include "device/task.h"

namespace foothold {
class Stream;
}

namespace foothold::collectives {

// Which one: those with the same label are one, for all ranks. Ordinary calls are numbered in the order they
// were made. Calls that were captured are numbered by themselves, and so are the runs of each: the same run
// of the same captured call is the same meeting, whatever else goes on.
struct MeetingLabel {
  static constexpr std::uint32_t kAll = UINT32_MAX;

  std::uint32_t from = kAll;  // of a pair
  std::uint32_t to = kAll;
  bool captured = false;
  std::uint64_t number = 0;
  std::uint64_t run = 0;

  bool is_pair() const { return from != kAll; }
  auto operator<=>(const MeetingLabel&) const = default;
};

// A rank that has come. The request and the memory stay until the meeting is over for its seat.
struct Arrival {
  const Request* request = nullptr;
  Buffers buffers{};
  // The memory as the program knows it.
  void* send = nullptr;
  void* receive = nullptr;
  std::uint64_t send_bytes = 0;
  std::uint64_t receive_bytes = 0;
  Stream* stream = nullptr;
};

class Meeting {
 public:
  virtual ~Meeting() = default;

  // A rank, by its seat (a pair has two: sender and receiver). If it was the last, the work may be done here.
  virtual void Come(std::uint32_t seat, const Arrival& arrival) = 0;
  // True if it is over for this seat: `failure` is null or why it failed. False, and the stream is woken
  // later. Only after Come, on the thread that drains the stream.
  virtual bool IsOver(std::uint32_t seat, Failure& failure) = 0;
  // This seat will not come, or not wait any longer. Those who wait fail with `failure`, and so do those who
  // come later. What is being moved is finished first: afterwards nobody touches the buffers.
  virtual void Leave(std::uint32_t seat, const Failure& failure) noexcept = 0;
  // Ranks that have not come, for messages.
  virtual std::vector<std::uint32_t> Missing() const = 0;
  // While a timeline is recorded: when the last rank was seen to have come; 0 if nobody knows.
  virtual Nanoseconds all_came() const noexcept { return 0; }
};

}  // namespace foothold::collectives
