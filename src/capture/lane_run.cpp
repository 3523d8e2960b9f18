// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/lane_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/broken_rule.h"
#include "base/error.h"
#include "base/thread_pool.h"
#include "capture/instance.h"
#include "capture/run.h"
#include "device/core_limits.h"
#include "device/observer.h"
#include "device/runner.h"
#include "device/stream.h"
#include "device/task_form.h"
#include "device/user_code.h"
#include "trace/trace.h"

namespace foothold {
namespace {

// While it lives, the stream says that this task runs.
class InnerTask {
 public:
  InnerTask(Stream& stream, const Task& task) : stream_(stream) { stream_.set_inner_task(&task); }
  ~InnerTask() { stream_.set_inner_task(nullptr); }
  InnerTask(const InnerTask&) = delete;
  InnerTask& operator=(const InnerTask&) = delete;

 private:
  Stream& stream_;
};

// For the lanes of a child whose parent is ended. Made at load: it cannot fail for want of memory.
const Failure ended_at_load =
    std::make_shared<const Error>(kRtStreamAbort, "the run of the model instance was ended");

// Each call gets an equal share of the time: what single ones took nobody knows.
void TraceJoined(const LaneStep& step, Stream& stream, Nanoseconds begin) {
  const Nanoseconds end = Now();
  const auto count = static_cast<Nanoseconds>(step.last - step.first);
  const char* const detail = trace::Keep(fmt::format("one of {} calls that are run as one", count));
  for (Nanoseconds i = 0; i < count; ++i) {
    const Task& task = step.first[i];
    trace::Record({trace::Kind::kTask, stream.id(), task.api, detail, task.id,
                   begin + (end - begin) * i / count, begin + (end - begin) * (i + 1) / count});
  }
}

// The thread that drains the stream looks again at what comes next.
bool LookAgain(Stream& stream) noexcept {
  stream.Wake();
  return false;
}

}  // namespace

void LaneRun::Begin(Run& run, const LaneSteps& steps, Part part) {
  frames_.clear();
  frames_.push_back({&run, &steps, 0, nullptr, part == Part::kFirst, true, nullptr, nullptr});
  GoTo(frames_.back(), 0);
}

void LaneRun::Drop() noexcept {
  DropScratch();
  for (; !frames_.empty(); frames_.pop_back()) {
    if (!frames_.back().child || !frames_.back().begun) continue;
    frames_.back().run->Cancel(ended_at_load);
    frames_.back().run->End();
  }
}

void LaneRun::GoTo(Frame& frame, std::size_t step) noexcept {
  frame.at = step;
  frame.task = step < frame.steps->size() ? (*frame.steps)[step].first : nullptr;
}

void LaneRun::Jump(std::size_t step) {
  GoTo(frames_.back(), step);
}

void LaneRun::Leave() {
  GoTo(frames_.back(), frames_.back().steps->size());
}

void LaneRun::Enter(std::shared_ptr<const void> owner, const LaneSteps& steps) {
  frames_.push_back({&run(), &steps, 0, nullptr, false, true, nullptr, std::move(owner)});
  GoTo(frames_.back(), 0);
}

void LaneRun::Enter(std::shared_ptr<Instance> child, bool again) {
  child->CheckReady();
  if (again) Jump(frames_.back().at - 1);
  Run& run = child->run();
  const LaneSteps& steps = child->first_steps();
  frames_.push_back({&run, &steps, 0, nullptr, true, false, std::move(child), nullptr});
  GoTo(frames_.back(), 0);
}

Outcome LaneRun::Go(Stream& stream) {
  std::optional<CoreLimit> cores;
  if (const int most = CoreLimitOf(stream)) cores.emplace(most);
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    if (!frame.begun && !(frame.begun = frame.run->TryBegin(stream))) return Outcome::kSuspended;
    const bool goes_on =
        frame.at < frame.steps->size() ? RunStep((*frame.steps)[frame.at], stream) : LeaveFrame(stream);
    if (!goes_on) return Outcome::kSuspended;
  }
  return Outcome::kDone;
}

bool LaneRun::LeaveFrame(Stream& stream) {
  if (IsInterrupted(stream)) return LookAgain(stream);
  const Frame& frame = frames_.back();
  if (frame.ends_run && frame.run->others_run()) {  // the last one wakes the stream
    stream.waiting().set_source(frame.run->StreamThatRuns());
    return false;
  }
  if (frame.ends_run) {
    stream.waiting().set_source(nullptr);
    frame.run->LearnOthers();
  }
  if (frame.child) frame.run->End();
  frames_.pop_back();
  return true;
}

Place LaneRun::place() const {
  if (frames_.empty() || frames_.back().at == frames_.back().steps->size()) return {};
  const Frame& frame = frames_.back();
  const LaneStep& step = (*frame.steps)[frame.at];
  if (step.kind == LaneStep::Kind::kTight) return {step.is_long ? Place::kUnhurried : Place::kAnywhere};
  if (step.kind == LaneStep::Kind::kControl) return step.control().place();
  const Task& task = scratch_.live ? scratch_.task : *step.first;
  return task.type->place(task);
}

bool LaneRun::MayRun(const Place& place, Stream& stream) const noexcept {
  Runner* const runner = Runner::Current();
  if (runner == nullptr) return true;
  if (!runner->MayRun(place)) return LookAgain(stream);
  if (place.kind != Place::kAnywhere) {
    stream.waiting().LookBeforeLongTask(stream.done());
    runner->Flush();
  }
  return true;
}

bool LaneRun::IsInterrupted(Stream& stream) noexcept {
  return stream.failures().MayBeInterrupted() && stream.failures().Interruption(stream.done()) != nullptr;
}

bool LaneRun::RunStep(const LaneStep& step, Stream& stream) {
  if (!MayRun(place(), stream)) return false;
  if (step.kind == LaneStep::Kind::kControl) return ReachControl(step, stream);
  if (step.kind == LaneStep::Kind::kAlone) return RunAlone(step, stream);
  if (step.joined != nullptr && RunJoined(step, stream)) return true;
  return watch::Watching() != 0 ? RunWatched(step, stream) : RunTight(step, stream);
}

// False: none of the tasks has run, and they have to one by one.
bool LaneRun::RunJoined(const LaneStep& step, Stream& stream) {
  Frame& frame = frames_.back();
  if (frame.task != step.first || Observer() != nullptr || IsInterrupted(stream)) return false;
  for (const Task* task = step.first; task != step.last; ++task)
    if (!CanBeJoined(*task)) return false;  // disabled meanwhile
  const Nanoseconds begin = trace::Active() ? Now() : 0;
  std::optional<Error> error;
  try {
    if (!step.joined->Run()) return false;
  } catch (...) {
    error.emplace(CurrentError());
  }
  GoTo(frame, frame.at + 1);
  if (begin != 0) TraceJoined(step, stream, begin);
  if (error) FailInner(*step.first, *error, stream);
  return true;
}

bool LaneRun::RunTight(const LaneStep& step, Stream& stream) {
  Frame& frame = frames_.back();
  Task* task = frame.task;
  if (Observer() != nullptr)
    std::for_each(static_cast<const Task*>(task), static_cast<const Task*>(step.last), TellReplayed);
  for (std::optional<Error> error; task != step.last; error.reset(), ++task) {
    try {
      for (; task != step.last; ++task) {
        const bool stays = IsInterrupted(stream) ? !LookAgain(stream)
                                                 : task->type->run(*task, stream) == Outcome::kSuspended;
        if (stays) {
          frame.task = task;
          return false;
        }
      }
      break;
    } catch (...) {
      error.emplace(CurrentError());
    }
    FailInner(*task, *error, stream);
  }
  GoTo(frame, frame.at + 1);
  return true;
}

bool LaneRun::RunWatched(const LaneStep& step, Stream& stream) {
  Frame& frame = frames_.back();
  const std::size_t at = frame.at;
  while (frame.at == at) {
    if (IsInterrupted(stream)) return LookAgain(stream);  // what does not run is not told of
    Task* const task = frame.task;
    const LaneStep one{LaneStep::Kind::kTight, step.is_long, task, task + 1};
    const Nanoseconds begin = trace::Active() ? Now() : 0;
    if (!TellBegins(*task, stream)) {
      GoTo(frame, at + 1);
    } else if (!RunTight(one, stream)) {
      return false;
    }
    if (begin != 0)
      trace::Record({trace::Kind::kTask, stream.id(), task->api, nullptr, task->id, begin, Now()});
    if (task + 1 == step.last) break;
    frame.at = at;
    frame.task = task + 1;
  }
  return true;
}

// False: it must not run because of what the checking mode has found, and has failed.
bool LaneRun::TellBegins(const Task& task, Stream& stream) {
  DeviceObserver* const observer = Observer();
  if (observer == nullptr || task.type->runs_inner) return true;
  if (observer->OnInnerBegins(stream, task, run().instance().id(), run().number())) return true;
  FailInner(task, {kRtSysDma, "the memory is in use elsewhere, and nothing orders that with this task"},
            stream);
  return false;
}

Task& LaneRun::TaskToRun(Task& task) {
  if (!task.type->suspends || task.type->clone == nullptr) return task;
  if (!scratch_.live) {
    task.type->clone(task, scratch_.task);
    scratch_.live = true;
  }
  return scratch_.task;
}

void LaneRun::DropScratch() noexcept {
  if (std::exchange(scratch_.live, false)) scratch_.task.type->destroy(scratch_.task);
}

bool LaneRun::RunAlone(const LaneStep& step, Stream& stream) {
  if (IsInterrupted(stream)) return LookAgain(stream);
  const Nanoseconds begin = trace::Active() ? Now() : 0;
  std::optional<Error> error;
  if (!scratch_.live && !TellBegins(*step.first, stream)) {
    GoTo(frames_.back(), frames_.back().at + 1);
    return true;
  }
  try {
    Task& task = TaskToRun(*step.first);
    const InnerTask inner(stream, *step.first);
    TellReplayed(task);
    if (task.type->run(task, stream) == Outcome::kSuspended) return false;
  } catch (...) {
    error.emplace(CurrentError());
  }
  const Task& task = *step.first;
  if (begin != 0) trace::Record({trace::Kind::kTask, stream.id(), task.api, nullptr, task.id, begin, Now()});
  DropScratch();
  GoTo(frames_.back(), frames_.back().at + 1);
  if (error) FailInner(task, *error, stream);
  return true;
}

bool LaneRun::ReachControl(const LaneStep& step, Stream& stream) {
  if (IsInterrupted(stream)) return LookAgain(stream);
  Frame& frame = frames_.back();
  const std::size_t depth = frames_.size();
  const std::size_t at = frame.at;
  GoTo(frame, at + 1);
  std::optional<Error> error;
  try {
    if (step.control().Reach(*this, stream) == Outcome::kDone) return true;
    GoTo(frames_[depth - 1], at);
    return false;
  } catch (...) {
    error.emplace(CurrentError());
  }
  FailInner(*step.first, *error, stream);
  return true;
}

void LaneRun::FailInner(const Task& task, const Error& error, Stream& stream) {
  TakeBrokenRule();  // told when the memory was freed or the run was queued, not by whoever waits
  std::string what;
  try {
    what = task.type->describe(task);
  } catch (...) {  // no memory: told without
  }
  const auto kernel = KernelOf(task);
  stream.FailTask(task.api, what, task.id, task.thread, error, Holds::kStream, run().instance().id(),
                  kernel ? &*kernel : nullptr);
  for (const Frame& frame : frames_)
    frame.run->CountFailure();
  run().TakeFailure(stream);
}

}  // namespace foothold
