// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/instance.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "capture/instances.h"
#include "capture/mark.h"
#include "capture/task_group.h"
#include "device/observer.h"

namespace foothold {
namespace {

// Several cores are worth their while from here on.
constexpr double kWorthLanes = 20'000;

std::uint32_t NextId() {
  static std::atomic<std::uint32_t> next{1};
  return next.fetch_add(1);
}

// A lane that came in by a wait starts there: nothing of it runs before.
const WaitForMark* EntryOf(const Lane& lane) {
  const WaitForMark* entry = nullptr;
  bool first = true;
  lane.tasks.ForEach([&](Task& task) {
    if (std::exchange(first, false)) entry = dynamic_cast<const WaitForMark*>(ControlTask::Of(task));
  });
  return entry;
}

}  // namespace

Instance::Instance() : Instance(NextId()) {}

Instance::Instance(std::uint32_t id) : id_(id) {}

std::string Instance::name() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return name_;
}

void Instance::set_name(std::string name) {
  const std::lock_guard<std::mutex> lock(mutex_);
  name_.swap(name);
}

void Instance::CheckReady() const {
  switch (state()) {
    case State::kReady:
      break;
    case State::kFilling:
      Fail(kRtModelCaptured, "model instance {} is still being captured or built", id_);
    case State::kEmpty:
      Fail(kRtParamInvalid, "model instance {} is empty: nothing was captured into it", id_);
  }
  for (const auto& child : children_) {
    if (child->state() == State::kFilling)
      Fail(kRtChildCapturing, "model instance {} has a child, {}, that is still being captured", id_,
           child->id());
  }
}

void Instance::BeginFilling() {
  State empty = State::kEmpty;
  if (state_.compare_exchange_strong(empty, State::kFilling)) return;
  if (empty == State::kFilling)
    Fail(kRtModelCaptured, "model instance {} is being captured or built already", id_);
  Fail(kRtParamInvalid, "model instance {} is complete: nothing can be captured into it any more", id_);
}

void Instance::BeginBuilding(std::shared_ptr<BuiltModel> built) {
  BeginFilling();
  built_ = std::move(built);
}

void Instance::GiveUp() noexcept {
  for (const auto& child : children_)
    Instances::Get().Remove(child->handle());
  children_.clear();
  lanes_.clear();
  state_.store(State::kEmpty, std::memory_order_release);
}

Lane& Instance::AddLane(const StreamRef& stream) {
  auto lane = std::make_unique<Lane>();
  lane->stream = stream;
  if (stream.stream != nullptr) lane->stream_id = stream->id();
  lanes_.push_back(std::move(lane));
  return *lanes_.back();
}

void Instance::ReserveChildren(std::size_t more) {
  children_.reserve(children_.size() + more);
}

void Instance::AddChild(std::shared_ptr<Instance> child) {
  child->is_child_.store(true);
  children_.push_back(std::move(child));
}

void Instance::KeepGroup(void* handle) {
  const std::lock_guard<std::mutex> lock(mutex_);
  groups_.push_back(handle);
}

Instance::~Instance() {
  for (const void* group : groups_)
    TaskGroups::Get().Remove(group);
}

void Instance::WriteLine(LaneSteps& line) const {
  std::vector<Task*> tasks;
  for (const auto& lane : lanes_) {
    lane->tasks.ForEach([&](Task& task) {
      const Control* const control = ControlTask::Of(task);
      if (control == nullptr || !control->orders_lanes()) tasks.push_back(&task);
    });
  }
  if (lanes_.size() > 1)
    std::sort(tasks.begin(), tasks.end(), [](const Task* a, const Task* b) { return a->id < b->id; });
  for (Task* const task : tasks)
    line.Append(*task);
}

void Instance::WriteLanes() {
  for (std::size_t index = 0; index < lanes_.size(); ++index) {
    Lane& lane = *lanes_[index];
    const WaitForMark* const entry = index == 0 ? nullptr : EntryOf(lane);
    if (entry != nullptr) entry->mark().started.push_back(index);
    lane.tasks.ForEach([&](Task& task) {
      const auto* const wait = dynamic_cast<const WaitForMark*>(ControlTask::Of(task));
      if (wait != nullptr && wait == entry) return;
      if (wait != nullptr && wait->mark().lane == index) return;  // in order as it is
      if (wait != nullptr) wait->mark().waiting.push_back(index);
      lane.steps.Append(task);
    });
  }
}

// One line, unless lanes may have to wait for each other, or are worth a core of their own.
bool Instance::FitsLine(const LaneSteps& line) const {
  if (lanes_.size() == 1) return true;
  if (!line.only_tight()) return false;
  if (Observer() != nullptr) return false;  // what one lane knows of the other is to be seen
  double longest = 0;
  double all = 0;
  for (const auto& lane : lanes_) {
    all += lane->steps.nanoseconds();
    longest = std::max(longest, lane->steps.nanoseconds());
  }
  return all - longest < kWorthLanes;
}

void Instance::Prepare() {
  LaneSteps line;
  WriteLine(line);
  if (lanes_.size() > 1) WriteLanes();
  is_line_ = FitsLine(line);
  line_ = std::move(line);
  if (is_line_) {
    line_.Join();
  } else {
    for (const auto& lane : lanes_)
      lane->steps.Join();
  }
  state_.store(State::kReady, std::memory_order_release);
}

}  // namespace foothold
