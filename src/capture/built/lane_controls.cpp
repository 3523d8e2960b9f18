// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/built/lane_controls.h"

#include <fmt/format.h>

#include "base/error.h"
#include "capture/instance.h"
#include "capture/lane_run.h"
#include "capture/run.h"

namespace foothold {
namespace {

std::size_t Checked(std::optional<std::size_t> lane, std::int32_t stream) {
  if (lane) return *lane;
  Fail(kRtModelExecute, "stream {} was not bound to the model when it was built, so it cannot be started",
       stream);
}

}  // namespace

Outcome BeginModel::Reach(LaneRun& lane, Stream&) {
  for (const auto& event : recorded_)
    event->mark().Update([](std::uint32_t& mark) { mark = 0; });
  for (const std::size_t head : heads_)
    lane.run().Start(head, "aclmdlRIBindStream");
  return Outcome::kDone;
}

std::string BeginModel::Describe() const {
  return fmt::format("{} head streams", heads_.size());
}

Outcome StartLane::Reach(LaneRun& lane, Stream&) {
  lane.run().Start(Checked(started_, stream_), "aclrtActiveStream");
  return Outcome::kDone;
}

std::string StartLane::Describe() const {
  return fmt::format("activeStream={}", stream_);
}

Outcome SwitchLane::Reach(LaneRun& lane, Stream&) {
  if (!comparison_.Holds()) return Outcome::kDone;
  const std::size_t chosen = Checked(chosen_, stream_);
  if (chosen == own_) {
    lane.Jump(0);
    return Outcome::kDone;
  }
  lane.run().Start(chosen, "aclrtSwitchStream");
  lane.Leave();
  return Outcome::kDone;
}

std::string SwitchLane::Describe() const {
  return fmt::format("{}, trueStream={}", comparison_.Describe(), stream_);
}

Outcome JumpToLabel::Reach(LaneRun& lane, Stream&) {
  const std::size_t index = choice_.Index();
  const auto& place = places_[index];
  if (!place) {
    Fail(kRtModelExecute,
         "label {}, number {} of the list, was never set in a stream of this model (aclrtSetLabel), so there "
         "is no "
         "place to go on at",
         choice_.label(index).id(), index);
  }
  if (place->lane == own_) {
    lane.Jump(lane.Find(*place->mark));
    return Outcome::kDone;
  }
  Run& run = lane.run();
  run.Start(place->lane, "aclrtSwitchLabelByIndex", run.instance().steps_of(place->lane).Find(*place->mark));
  lane.Leave();
  return Outcome::kDone;
}

}  // namespace foothold
