// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// What a failed task brings with it, and what ends tasks early: aborts, stops and failures in stop mode.
#include <fmt/format.h>
#include <sched.h>

#include "device/context.h"
#include "device/runtime.h"
#include "device/stream.h"
#include "device/task_form.h"
#include "device/user_code.h"

namespace foothold {
namespace {

// Without memory for the text, the failure is told in the words of its cause.
Failure Describe(Stream& stream, const char* api, const std::string& what, std::uint32_t task,
                 std::uint32_t thread, const Error& error, std::uint32_t instance) noexcept try {
  std::string text = instance == 0
                         ? fmt::format("{}({}), task {} of stream {} on device {}, queued by thread {}", api,
                                       what, task, stream.id(), stream.device(), thread)
                         : fmt::format(
                               "{}({}), captured by thread {} as task {} of model instance {} and run in "
                               "stream {} on device {}",
                               api, what, thread, task, instance, stream.id(), stream.device());
  return std::make_shared<const Error>(error.code(), text + ", failed: " + error.message());
} catch (...) {
  return stream.failures().Undescribed(error);
}

// The context of a closed stream may be another one by now.
void StopContextIfChosen(Stream& stream, const Failure& failure) noexcept {
  if (stream.failures().mode() == StreamFailures::Mode::kStop && stream.handle() != nullptr)
    stream.context().StopAll(failure);
}

// Also if a function that is told of the failure ends the thread.
class StopAfterwards {
 public:
  StopAfterwards(Stream& stream, const Failure& failure) : stream_(stream), failure_(failure) {}
  ~StopAfterwards() { StopContextIfChosen(stream_, failure_); }
  StopAfterwards(const StopAfterwards&) = delete;
  StopAfterwards& operator=(const StopAfterwards&) = delete;

 private:
  Stream& stream_;
  const Failure& failure_;
};

}  // namespace

void Stream::FailTask(const char* api, const std::string& what, std::uint32_t task, std::uint32_t thread,
                      const Error& error, Holds holds, std::uint32_t instance, const TaskKernel* kernel) {
  const Failure failure = Describe(*this, api, what, task, thread, error, instance);
  failures_.Keep(failure);
  const StopAfterwards stop(*this, failure);
  const InsideUserCode inside(*this, holds);
  rtExceptionInfo info{static_cast<std::uint32_t>(error.code()), task, static_cast<std::uint32_t>(id()),
                       thread, static_cast<std::uint32_t>(device())};
  if (kernel != nullptr) {
    info.function = kernel->function;
    info.arguments = kernel->arguments;
    info.arguments_size = static_cast<std::uint32_t>(kernel->arguments_size);
    ExceptionCallbacks::Notify(info, kernel->exception_callback, kernel->user_data);
  }
  Runtime::Get().exception_callbacks.Notify(info);
}

void Stream::Adopt(const Failure& failure) noexcept {
  failures_.Keep(failure);
  StopContextIfChosen(*this, failure);
}

void Stream::Abort(const Failure& failure) {
  {
    const auto hold = Hold();
    const bool idle = queue_.done() == queue_.pushed() && callbacks_.AllAnswered();
    if (idle || is_stored()) return;
    failures_.Drop(queue_.pushed(), failure);
  }
  callbacks_.DropLetters();
  Nudge();
}

void Stream::StopRunningTask(const Failure& failure) {
  {
    const auto hold = Hold();
    const std::uint64_t running = queue_.done();
    if (running == queue_.pushed() || is_stored()) return;
    failures_.StopTask(running, failure);
  }
  Nudge();
}

void Stream::StopForGood(const Failure& failure) {
  if (const auto hold = Hold(); !failures_.StopForGood(failure)) return;
  Nudge();
}

// A blocked or waiting stream looks again at what interrupts it. One that waits for a report thread is taken
// over by the workers.
void Stream::Nudge() noexcept {
  Wake();
  if (state_.load() == kReady) SubmitReady();
  waiting_.WakeAll();
}

// As the one that drains it, not under a lock: memory of a task may go back to an allocator of the program.
void Stream::ClearPersistent(const Failure& failure) {
  if (clearing_.exchange(true)) return;  // another thread does it, or this one, further out
  for (std::uint32_t idle = kIdle; !state_.compare_exchange_strong(idle, kRunning); idle = kIdle)
    sched_yield();  // somebody looks at the tasks, or has just found out that there is nothing to drain
  while (Task* task = queue_.Front()) {
    task->type->cancel(*task, failure);
    queue_.Pop();
  }
  clearing_.store(false);
  GoIdle();
}

bool Stream::ClaimStored(const void* handle) noexcept {
  for (std::uint32_t idle = kIdle; !state_.compare_exchange_strong(idle, kRunning); idle = kIdle) {
    if (clearing_.load() || !IsCurrent(handle)) return false;
    sched_yield();
  }
  if (IsCurrent(handle)) return true;
  GoIdle();
  return false;
}

}  // namespace foothold
