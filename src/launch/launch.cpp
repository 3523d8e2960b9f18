// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "launch/launch.h"

#include <mutex>
#include <optional>
#include <utility>

#include "device/current.h"
#include "device/executor.h"
#include "device/stream.h"
#include "device/task_form.h"
#include "device/user_code.h"
#include "launch/failed_nodes.h"
#include "launch/launch_join.h"

namespace foothold {
namespace {

// The one task of graphs, models and operators.
class LaunchTask {
 public:
  explicit LaunchTask(LaunchPtr<> launch) : launch_(std::move(launch)) {}
  LaunchTask(LaunchTask&&) noexcept = default;
  LaunchTask(const LaunchTask& other) : launch_(other.launch_->Clone().release()) {}

  Outcome Run(Stream& stream) {
    try {
      std::optional<InsideUserCode> inside;
      if (launch_->scope.dumps()) inside.emplace(stream, Holds::kStream);
      launch_->Run();
    } catch (const NodeFailure& failure) {
      FailedNodes::Get().Remember(stream, failure);
      throw;
    }
    if (launch_->delivers()) Deliver(stream);
    return Outcome::kDone;
  }
  std::string Describe() const { return launch_->Describe(); }
  Place place() const {
    if (launch_->calls_program()) return {Place::kWorker};
    return launch_->is_short() ? Place{Place::kAnywhere, nullptr, true} : Place{Place::kUnhurried};
  }
  void ListAccesses(std::vector<Access>& to) const { launch_->ListAccesses(to); }
  static std::unique_ptr<JoinedTasks> Join(std::span<Task> tasks) {
    LaunchJoin join;
    for (const Task& task : tasks)
      if (!join.Append(*task.As<LaunchTask>().launch_)) break;
    return join.Finish();
  }
  static constexpr bool kReplays = true;
  static const TaskForm kForm;

 private:
  void Deliver(Stream& stream) {
    const Executor::UserCode on_a_worker;
    const InsideUserCode inside(stream, Holds::kStream);
    const CurrentContextScope context(stream.context());
    launch_->Deliver();
  }

  LaunchPtr<> launch_;
};
const TaskForm LaunchTask::kForm{TaskKind::kKernel, nullptr, nullptr, nullptr, &LaunchTask::Join};

}  // namespace

void Launch::RunsOn(const Stream& stream) {
  scope.stream = stream.id();
  scope.overflow = stream.overflow_switch.load(std::memory_order_relaxed) != 0;
  scope.overflowing_device = stream.device();
}

void Queue(LaunchPtr<> launch, const StreamRef& stream, const char* api) {
  stream.Push(api, LaunchTask(std::move(launch)));
}

// Nobody else uses it any more, and no lock: in a forked child a thread of the parent may have it for ever.
IdleLaunches::~IdleLaunches() {
  while (first_ != nullptr)
    delete std::exchange(first_, first_->next_idle_);
}

std::unique_ptr<Launch> IdleLaunches::Take() noexcept {
  std::lock_guard<SpinLock> lock(lock_);
  std::unique_ptr<Launch> launch(first_);
  if (!launch) return nullptr;
  first_ = std::exchange(launch->next_idle_, nullptr);
  --count_;
  return launch;
}

void IdleLaunches::Give(std::unique_ptr<Launch> launch) noexcept {
  std::lock_guard<SpinLock> lock(lock_);
  if (count_ == kMost) return;
  launch->next_idle_ = first_;
  first_ = launch.release();
  ++count_;
}

}  // namespace foothold
