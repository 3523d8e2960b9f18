// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/mark.h"

#include <fmt/format.h>

#include "capture/lane_run.h"
#include "capture/run.h"
#include "device/observer.h"

namespace foothold {

Outcome RecordMark::Reach(LaneRun& lane, Stream& stream) {
  Run& run = lane.run();
  if (auto* const observer = Observer()) observer->OnReaches(stream, mark_, DeviceObserver::Point::kReplace);
  mark_->reached.store(run.number());
  for (const std::size_t started : mark_->started)
    run.Start(started, "aclrtStreamWaitEvent", 0, mark_.get());
  for (const std::size_t waiting : mark_->waiting)
    run.StreamOf(waiting).Wake();
  return Outcome::kDone;
}

std::string RecordMark::Describe() const {
  return fmt::format("event {}", mark_->event);
}

Outcome WaitForMark::Reach(LaneRun& lane, Stream& stream) {
  if (mark_->reached.load() == lane.run().number()) {
    stream.waiting().set_source(nullptr);
    if (auto* const observer = Observer()) observer->OnLearns(stream, mark_.get());
    return Outcome::kDone;
  }
  stream.waiting().set_source(&lane.run().StreamOf(mark_->lane));
  return Outcome::kSuspended;
}

std::string WaitForMark::Describe() const {
  return fmt::format("event {}", mark_->event);
}

}  // namespace foothold
