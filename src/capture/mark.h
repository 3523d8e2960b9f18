// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A point of a lane that others wait for: what the record of an event inside a capture becomes. The lanes
// that begin there are started when it is reached, those that come to wait for it are woken.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "capture/control.h"

namespace foothold {

class Run;

struct Mark {
  std::uint32_t event = 0;  // its number, for messages
  std::size_t lane = 0;     // that reaches it
  // Filled while the instance is prepared.
  std::vector<std::size_t> waiting;  // lanes
  std::vector<std::size_t> started;  // lanes
  std::vector<std::size_t> knows;    // for each lane, how many of its tasks are over here
  // The number of the last run that reached it.
  std::atomic<std::uint64_t> reached{0};
};

class RecordMark final : public Control {
 public:
  explicit RecordMark(std::shared_ptr<Mark> mark) : mark_(std::move(mark)) {}
  Mark& mark() const { return *mark_; }

  Outcome Reach(LaneRun& lane, Stream& stream) override;
  std::string Describe() const override;
  bool orders_lanes() const override { return true; }
  TaskKind kind() const override { return TaskKind::kEventRecord; }

 private:
  std::shared_ptr<Mark> mark_;
};

class WaitForMark final : public Control {
 public:
  explicit WaitForMark(std::shared_ptr<Mark> mark) : mark_(std::move(mark)) {}
  Mark& mark() const { return *mark_; }

  Outcome Reach(LaneRun& lane, Stream& stream) override;
  std::string Describe() const override;
  bool orders_lanes() const override { return true; }
  TaskKind kind() const override { return TaskKind::kEventWait; }

 private:
  std::shared_ptr<Mark> mark_;
};

}  // namespace foothold
