// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/condition.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "base/per_process.h"
#include "capture/lane_run.h"
#include "capture/run.h"
#include "device/executor.h"
#include "device/stream.h"

namespace foothold {
namespace {

constexpr std::uint32_t kRoundsOfATurn = 64;

const char* Name(Condition::Kind kind) {
  static constexpr const char* kNames[] = {"IF", "WHILE", "SWITCH"};
  return kNames[static_cast<int>(kind)];
}

}  // namespace

std::shared_ptr<Instance> Condition::Chosen() const {
  const std::uint64_t value = cell_->Load();
  switch (kind_) {
    case Kind::kIf:
      if (value != 0) return children_[0];
      return children_.size() > 1 ? children_[1] : nullptr;
    case Kind::kWhile:
      return value != 0 ? children_[0] : nullptr;
    case Kind::kSwitch:
      return value < children_.size() ? children_[value] : nullptr;
  }
  return nullptr;
}

// A loop whose child fails would not end: nothing says that its value still changes.
Outcome Condition::Reach(LaneRun& lane, Stream& stream) {
  const auto child = Chosen();
  if (!child) {
    rounds_ = 0;
    return Outcome::kDone;
  }
  if (kind_ != Kind::kWhile) {
    if (child->state() != Instance::State::kEmpty) lane.Enter(child, false);
    return Outcome::kDone;
  }
  if (child->state() == Instance::State::kEmpty) {
    Fail(kRtModelExecute,
         "nothing was captured into the child of a WHILE condition, so its loop would never end");
  }
  if (std::exchange(run_, lane.run().number()) != lane.run().number()) rounds_ = 0;
  const std::uint64_t failures = child->run().failed_tasks();
  if (rounds_ != 0 && failures != failures_before_) {
    Log(LogLevel::kWarning, "a task inside the child of a WHILE condition failed, so its loop is left");
    rounds_ = 0;
    return Outcome::kDone;
  }
  if (IsOthersTurn(stream)) return Outcome::kSuspended;
  failures_before_ = failures;
  ++rounds_;
  lane.Enter(child, true);
  return Outcome::kDone;
}

// Streams that wait for a thread come first, now and then.
bool Condition::IsOthersTurn(Stream& stream) {
  if (rounds_ % kRoundsOfATurn != kRoundsOfATurn - 1 || !stream.executor().OthersWait()) return false;
  try {
    stream.WakeAt(Now());
  } catch (const Error&) {  // there is nobody who could wake it
    return false;
  }
  ++rounds_;
  return true;
}

std::string Condition::Describe() const {
  return fmt::format("{}, {} children, value at {}", Name(kind_), children_.size(), cell_->address());
}

void Condition::ListAccesses(std::vector<Access>& list) const {
  list.push_back(cell_->AsRead());
}

ConditionHandles& ConditionHandles::Get() {
  return PerProcess<ConditionHandles>::Get();
}

void* ConditionHandles::Add(std::shared_ptr<ConditionHandle> condition) {
  Slot& slot = pool_.Take();
  slot.set_state(std::move(condition));
  return pool_.Publish(slot);
}

std::shared_ptr<ConditionHandle> ConditionHandles::Find(const void* handle) const {
  if (Slot* const slot = pool_.Find(handle)) {
    auto condition = slot->state();
    if (condition && slot->IsCurrent(handle)) return condition;
  }
  if (handle == nullptr) Fail(kRtParamInvalid, "the condition handle must not be null");
  if (IsHandleOf(HandleKind::kCondition, handle))
    Fail(kRtParamInvalid, "condition handle {} does not exist: its model instance was destroyed", handle);
  Fail(kRtParamInvalid, "{} is not a condition handle", DescribeHandle(handle));
}

void ConditionHandles::Remove(const void* handle) noexcept {
  Slot* const slot = pool_.Find(handle);
  if (slot == nullptr || !pool_.Retire(*slot, handle)) return;
  slot->set_state(nullptr);
  pool_.Recycle(*slot);
}

void ConditionHandles::RemoveOf(const Instance& instance) noexcept {
  pool_.ForEach([&](Slot& slot) {
    const void* handle = slot.handle();
    const auto condition = slot.state();
    if (condition && condition->instance.lock().get() == &instance) Remove(handle);
  });
}

}  // namespace foothold
