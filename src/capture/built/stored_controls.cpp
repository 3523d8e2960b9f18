// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/built/stored_controls.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "capture/built/lane_controls.h"
#include "capture/lane_run.h"
#include "device/memory_map.h"

namespace foothold {

Outcome StoredControl::Reach(LaneRun&, Stream& stream) {
  Fail(kRtModelExecute, "stream {} is run outside of the model this was queued for", stream.id());
}

std::shared_ptr<Control> StreamActivation::Resolve(const ModelMap& map, std::size_t) const {
  return std::make_shared<StartLane>(map.LaneOf(started_), started_->id());
}

std::string StreamActivation::Describe() const {
  return fmt::format("activeStream={}", started_->id());
}

StoredComparison::StoredComparison(void* left, Sign sign, void* right, std::size_t bytes)
    : left_(left),
      right_(right),
      bytes_(bytes),
      left_serial_(CheckDeviceRange(left, bytes, kRtParamInvalid, "leftValue", Use::kRead).serial),
      right_serial_(CheckDeviceRange(right, bytes, kRtParamInvalid, "rightValue", Use::kRead).serial),
      sign_(sign) {}

std::int64_t StoredComparison::Read(const void* address, std::uint64_t serial, const char* name) const {
  const void* there = RecheckRange(address, bytes_, Use::kRead, serial, name);
  if (bytes_ == sizeof(std::int32_t)) {
    std::int32_t value = 0;
    std::memcpy(&value, there, sizeof(value));
    return value;
  }
  std::int64_t value = 0;
  std::memcpy(&value, there, sizeof(value));
  return value;
}

bool StoredComparison::Holds() const {
  const std::int64_t left = Read(left_, left_serial_, "leftValue");
  const std::int64_t right = Read(right_, right_serial_, "rightValue");
  switch (sign_) {
    case Sign::kEqual:
      return left == right;
    case Sign::kNotEqual:
      return left != right;
    case Sign::kGreater:
      return left > right;
    case Sign::kGreaterOrEqual:
      return left >= right;
    case Sign::kLess:
      return left < right;
    case Sign::kLessOrEqual:
      return left <= right;
  }
  return false;
}

std::string StoredComparison::Describe() const {
  static constexpr const char* kSigns[] = {"==", "!=", ">", ">=", "<", "<="};
  return fmt::format("int{0} at {1} {2} int{0} at {3}", bytes_ * 8, left_, kSigns[static_cast<int>(sign_)],
                     right_);
}

void StoredComparison::ListAccesses(std::vector<Access>& list) const {
  list.push_back({left_, bytes_, Use::kRead, Extent::kExact, left_serial_});
  list.push_back({right_, bytes_, Use::kRead, Extent::kExact, right_serial_});
}

std::shared_ptr<Control> StreamSwitch::Resolve(const ModelMap& map, std::size_t lane) const {
  return std::make_shared<SwitchLane>(comparison_, map.LaneOf(chosen_), chosen_->id(), lane);
}

std::string StreamSwitch::Describe() const {
  return fmt::format("{}, trueStream={}", comparison_.Describe(), chosen_->id());
}

std::string LabelMark::Describe() const {
  return fmt::format("label {}", label_->id());
}

StoredChoice::StoredChoice(void* index, std::uint32_t count, std::shared_ptr<const LabelListState> list)
    : list_(std::move(list)),
      index_(index),
      serial_(CheckDeviceRange(index, sizeof(std::uint32_t), kRtParamInvalid, "ptr", Use::kRead).serial),
      count_(static_cast<std::uint32_t>(std::min<std::size_t>(count, list_->labels.size()))) {}

std::size_t StoredChoice::Index() const {
  std::uint32_t index = 0;
  std::memcpy(&index, RecheckRange(index_, sizeof(index), Use::kRead, serial_, "ptr"), sizeof(index));
  return std::min(index, count_ - 1);
}

std::string StoredChoice::Describe() const {
  return fmt::format("index at {}, {} labels", index_, count_);
}

void StoredChoice::ListAccesses(std::vector<Access>& list) const {
  list.push_back({index_, sizeof(std::uint32_t), Use::kRead, Extent::kExact, serial_});
}

std::shared_ptr<Control> LabelSwitch::Resolve(const ModelMap& map, std::size_t lane) const {
  std::vector<std::optional<LabelPlace>> places;
  for (std::size_t i = 0; i < choice_.count(); ++i)
    places.push_back(map.PlaceOf(choice_.label(i)));
  return std::make_shared<JumpToLabel>(choice_, std::move(places), lane);
}

Outcome ModelEnd::Reach(LaneRun& lane, Stream&) {
  lane.Leave();
  return Outcome::kDone;
}

}  // namespace foothold
