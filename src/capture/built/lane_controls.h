// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How the run of a built model goes on: the controls in its lanes, made from those its streams keep
// (stored_controls.h). Immutable. Reached by the threads that run the lanes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "capture/built/stored_controls.h"
#include "capture/control.h"
#include "device/event.h"

namespace foothold {

// What they have in common: lanes of a built model are never run as one.
class LaneControl : public Control {
 public:
  bool fits_line() const override { return false; }
};

// Begins a run: events that the model records count as not recorded, and the heads start.
class BeginModel final : public LaneControl {
 public:
  BeginModel(std::vector<std::size_t> heads, std::vector<std::shared_ptr<EventState>> recorded)
      : heads_(std::move(heads)), recorded_(std::move(recorded)) {}
  Outcome Reach(LaneRun& lane, Stream& stream) override;
  std::string Describe() const override;
  const std::vector<std::size_t>& heads() const { return heads_; }

 private:
  const std::vector<std::size_t> heads_;
  const std::vector<std::shared_ptr<EventState>> recorded_;
};

class StartLane final : public LaneControl {
 public:
  // Without a lane, the stream was not bound to the model when it was built.
  StartLane(std::optional<std::size_t> started, std::int32_t stream) : started_(started), stream_(stream) {}
  Outcome Reach(LaneRun& lane, Stream& stream) override;
  std::string Describe() const override;
  std::optional<std::size_t> started() const { return started_; }

 private:
  const std::optional<std::size_t> started_;
  const std::int32_t stream_;
};

class SwitchLane final : public LaneControl {
 public:
  SwitchLane(const StoredComparison& comparison, std::optional<std::size_t> chosen, std::int32_t stream,
             std::size_t own)
      : comparison_(comparison), chosen_(chosen), stream_(stream), own_(own) {}
  Outcome Reach(LaneRun& lane, Stream& stream) override;
  std::string Describe() const override;
  std::optional<std::size_t> chosen() const { return chosen_; }
  Place place() const override { return {Place::kUnhurried}; }  // it may be a loop without an end
  void ListAccesses(std::vector<Access>& list) const override { comparison_.ListAccesses(list); }

 private:
  const StoredComparison comparison_;
  const std::optional<std::size_t> chosen_;
  const std::int32_t stream_;
  const std::size_t own_;
};

class JumpToLabel final : public LaneControl {
 public:
  JumpToLabel(StoredChoice choice, std::vector<std::optional<LabelPlace>> places, std::size_t own)
      : choice_(std::move(choice)), places_(std::move(places)), own_(own) {}
  Outcome Reach(LaneRun& lane, Stream& stream) override;
  std::string Describe() const override { return choice_.Describe(); }
  Place place() const override { return {Place::kUnhurried}; }
  void ListAccesses(std::vector<Access>& list) const override { choice_.ListAccesses(list); }

 private:
  const StoredChoice choice_;
  const std::vector<std::optional<LabelPlace>> places_;
  const std::size_t own_;
};

}  // namespace foothold
