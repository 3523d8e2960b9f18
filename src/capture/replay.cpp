// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/error.h"
#include "capture/built/built_model.h"
#include "device/current.h"
#include "device/observer.h"
#include "device/runtime.h"

namespace foothold {
namespace {

// One run of an instance: the state a task has no room for.
struct Replay {
  explicit Replay(std::shared_ptr<Instance> what) : instance(std::move(what)) {}
  ~Replay() { End(); }

  Outcome Go(Stream& stream) {
    if (!begun) {
      if (!instance->run().TryBegin(stream)) return Outcome::kSuspended;
      begun = true;
      lane.Begin(instance->run(), instance->first_steps(), LaneRun::Part::kFirst);
    }
    if (lane.Go(stream) == Outcome::kSuspended) return Outcome::kSuspended;
    End();
    return Outcome::kDone;
  }
  void End() noexcept {
    if (!std::exchange(begun, false)) return;
    lane.Drop();
    instance->run().End();
  }
  Place place() const {
    if (begun) return lane.place();
    const LaneSteps& steps = instance->first_steps();
    if (steps.is_short()) return {Place::kAnywhere, nullptr, true};
    return {steps.size() != 0 && steps[0].is_long ? Place::kUnhurried : Place::kAnywhere};
  }

  const std::shared_ptr<Instance> instance;
  LaneRun lane;
  bool begun = false;
};

// The instances this thread has come to while it lists what a task touches: one may run itself, and one that
// others run several times is enough once.
class Listing {
 public:
  explicit Listing(const Instance& instance)
      : outer_(seen_.empty()), first_time_(std::find(seen_.begin(), seen_.end(), &instance) == seen_.end()) {
    if (first_time_) seen_.push_back(&instance);
  }
  ~Listing() {
    if (outer_) seen_.clear();
  }
  Listing(const Listing&) = delete;
  Listing& operator=(const Listing&) = delete;
  bool first_time() const { return first_time_; }

 private:
  static inline thread_local std::vector<const Instance*> seen_;
  const bool outer_, first_time_;
};

class ReplayTask {
 public:
  static constexpr bool kReplays = true;
  static constexpr bool kSuspends = true;
  static constexpr bool kRunsInner = true;

  explicit ReplayTask(std::shared_ptr<Instance> instance)
      : replay_(std::make_unique<Replay>(std::move(instance))) {}
  ReplayTask(ReplayTask&&) noexcept = default;
  ReplayTask(const ReplayTask& other) : ReplayTask(other.replay_->instance) {}

  Outcome Run(Stream& stream) { return replay_->Go(stream); }
  void Cancel(const Failure& failure) noexcept {
    if (!replay_->begun) return;
    replay_->instance->run().Cancel(failure);
    replay_->End();
  }
  Place place() const { return replay_->place(); }
  std::string Describe() const { return fmt::format("model instance {}", replay_->instance->id()); }
  void ListAccesses(std::vector<Access>& list) const {
    const Listing listing(*replay_->instance);
    if (!listing.first_time()) return;
    for (const auto& lane : replay_->instance->lanes())
      lane->tasks.ForEach([&](const Task& task) { task.type->accesses(task, list); });
  }

 private:
  std::unique_ptr<Replay> replay_;
};

// What is freed is gone for all runs to come.
void TellRun(DeviceObserver& observer, const Instance& instance) {
  std::vector<const Task*> tasks;
  for (const auto& lane : instance.lanes())
    lane->tasks.ForEach([&](const Task& task) { tasks.push_back(&task); });
  observer.OnInstanceRuns(instance.id(), tasks);
}

}  // namespace

void QueueRun(std::shared_ptr<Instance> instance, const StreamRef& stream, const char* api) {
  instance->CheckReady();
  if (instance->built() != nullptr) instance = instance->built()->ContentToRun();
  if (auto* const observer = Observer()) TellRun(*observer, *instance);
  stream.Push(api, ReplayTask(std::move(instance)));
}

bool RunToEnd(std::shared_ptr<Instance> instance, const char* api, Nanoseconds deadline) {
  instance->CheckReady();
  if (instance->built() != nullptr) instance = instance->built()->ContentToRun();
  if (auto* const observer = Observer()) TellRun(*observer, *instance);
  Runtime& runtime = Runtime::Get();
  const StreamRef stream = runtime.OpenHiddenStream(CurrentContext(), 0);
  struct Closer {
    const StreamRef& stream;
    ~Closer() { Runtime::Get().CloseHiddenStream(stream, false); }
  } closer{stream};
  stream.Push(api, ReplayTask(std::move(instance)));
  return stream->Synchronize(deadline);
}

}  // namespace foothold
