// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A stream: a queue of tasks run in order, one at a time, by whichever thread may and has reason to: a
// worker, a caller that synchronises, or a report thread that has just answered a callback of the stream.
// Streams are pooled and never freed, so a Stream* stays valid for ever; whether it is still the stream that
// was meant is for Push to say. All functions may be called from any thread unless a comment says otherwise.
// What it has beside a queue is in parts: who waits for it, what failed, which functions it calls.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "base/handle_pool.h"
#include "base/spin.h"
#include "base/thread_id.h"
#include "base/watch.h"
#include "device/runner.h"
#include "device/stream_callbacks.h"
#include "device/stream_failures.h"
#include "device/stream_settings.h"
#include "device/stream_waiting.h"
#include "device/task.h"
#include "device/task_queue.h"
#include "device/task_sink.h"
#include "device/timers.h"

namespace foothold {

enum class Holds;
struct StreamFacts;
struct TaskKernel;

class Stream : public Handled, public StreamSettings {
 public:
  // Sets up a pooled object before it is published. Throws if there is no memory or thread for what must not
  // fail later; the object is as it was then.
  void Open(Context& context, Executor& executor, Timers& timers, const Settings& settings);

  // Queues a task and returns its number. `handle` is the handle the caller found the stream by.
  // Throws if the stream was destroyed meanwhile or takes no more tasks after a failure.
  template <typename Body>
  std::uint32_t Push(const void* handle, const char* api, Body body) {
    return PushTask(handle, api, TaskTypeOf<Body>::kType,
                    [&](void* room) { ::new (room) Body(std::move(body)); });
  }
  // While the result lives nothing is queued, and the stream is not closed.
  std::unique_lock<SpinLock> Hold() const { return std::unique_lock<SpinLock>(push_lock_); }
  void CheckCurrent(const void* handle) const;  // throws if it was closed

  // Tasks go to a sink in place of the queue while the stream has one; null without. Attach throws 107027 if
  // it has one already. Detach is for whoever attached it; false if it was taken away before.
  void Attach(const void* handle, std::shared_ptr<TaskSink> sink);
  bool Detach(const TaskSink& sink) noexcept;
  std::shared_ptr<TaskSink> sink() const noexcept;
  bool is_diverted() const noexcept { return failures_.diverted(); }
  // An event recorded where the tasks go, or null where they are queued.
  std::shared_ptr<CapturePoint> RecordInSink(const void* handle, std::uint32_t event);
  // Throws 107024 if the stream may not wait for an event of outside.
  void CheckMayWaitOutside(const void* handle, std::uint32_t event);
  // Throws 107027 where waiting for the stream would be waiting for tasks that are not run.
  void CheckNotDiverted() const {
    if (is_diverted()) RefuseWhileDiverted();
  }

  StreamWaiting& waiting() noexcept { return waiting_; }
  const StreamWaiting& waiting() const noexcept { return waiting_; }
  StreamFailures& failures() noexcept { return failures_; }
  const StreamFailures& failures() const noexcept { return failures_; }
  StreamCallbacks& callbacks() noexcept { return callbacks_; }

  // Wait until everything queued so far, or the task with this number, is done, callbacks included. False
  // when the deadline passed first. Report no failures; if the stream is aborted, `aborted` receives the
  // reason.
  bool Wait(Nanoseconds deadline, Failure* aborted = nullptr);
  bool WaitForTask(std::uint32_t id, Nanoseconds deadline);
  // Wait, then throws what the stream failed with since the last report, if anything.
  bool Synchronize(Nanoseconds deadline);
  // Waits for all that runs, also where synchronising is immediate.
  void Finish();

  // Tasks ever queued; those over (the number of the one at the head); tasks and letters that are over.
  std::uint64_t queued() const noexcept { return queue_.pushed(); }
  std::uint64_t done() const noexcept { return queue_.done(); }
  std::uint64_t progress() const noexcept { return queue_.done() + callbacks_.answered(); }
  bool IsIdle() const noexcept;
  // Nothing runs, and the next task waits for an event, a value or a thread of the program.
  bool IsStuck() const noexcept;
  bool IsReady() const noexcept { return state_.load(std::memory_order_relaxed) == kReady; }
  bool IsBlocked() const noexcept { return state_.load() == kBlocked; }
  // The stream waits for a callback that only this thread can execute.
  bool NeedsThisThread() const noexcept;

  StreamFacts Facts() const noexcept;

  // A task was suspended and its condition may have changed. Spurious calls are harmless.
  void Wake() noexcept;
  // Arranges an OnTimer at `time`. Throws if there is no thread to do it.
  void WakeAt(Nanoseconds time);
  // Wake, and a stream its thread does not get on with goes to the workers.
  void OnTimer() noexcept;
  // Wake, and one that is ready goes to the workers at once; those who wait for it look again too.
  void Nudge() noexcept;

  // Takes over what failed elsewhere, e.g. in the stream an event came from.
  void Adopt(const Failure& failure) noexcept;
  // A task or letter failed: keeps that and tells the program.
  // Inside a run of captured tasks, `instance` is the number of what was captured, and the task's is its
  // number there. `kernel` is that of a task that runs one of the program (task_form.h).
  void FailTask(const char* api, const std::string& what, std::uint32_t task, std::uint32_t thread,
                const Error& error, Holds holds, std::uint32_t instance = 0,
                const TaskKernel* kernel = nullptr);
  // Drops everything queued so far; waiting callers leave with `failure`.
  void Abort(const Failure& failure);
  // Ends the task that is suspended or running, as far as that is possible, and keeps the rest.
  void StopRunningTask(const Failure& failure);
  // After a failure in stop mode: drops everything, takes nothing any more.
  void StopForGood(const Failure& failure);
  void ClearPersistent(const Failure& failure);
  // Calls `visit(Task&)` for every task a stored stream keeps, in order, one such caller at a time and under
  // no lock; tasks may come meanwhile, but none goes. False if they are being dropped, or the stream was
  // closed.
  template <typename Visit>
  bool VisitStored(const void* handle, Visit&& visit) {
    if (!ClaimStored(handle)) return false;
    struct Leave {
      Stream& stream;
      ~Leave() { stream.GoIdle(); }
    } leave{*this};
    queue_.ForEach(visit);
    return true;
  }

  // The thread the stream was given to may be busy for long: if it is, a worker takes over.
  void CallWorkerSoon() noexcept;
  // The stream is ready: hands it to the workers.
  void SubmitReady() noexcept;
  // Takes ownership for draining if the stream is ready and nobody has it.
  bool TryClaim() noexcept;
  // Precondition: claimed by this thread. Throws nothing, but a function of the program may end the thread:
  // then the workers go on with the stream.
  void Drain(Runner& runner);
  // By the thread that drains it: the task that runs now. One that runs others says which.
  const Task& running_task() noexcept { return inner_ != nullptr ? *inner_ : *queue_.Front(); }
  void set_inner_task(const Task* task) noexcept { inner_ = task; }
  // By whoever answered a letter or took it back, as the last it does with the stream.
  void LetterDone() noexcept;

  // Takes no more tasks; drops what is queued and waits until no kernel runs, or leaves it to be done. False
  // if `handle` has ended already. The pool recycles the object once its queue is empty and nobody runs a
  // task or callback of it any more.
  bool Close(const void* handle, bool drop, HandlePool<Stream>& pool);

  Stream* next_ready = nullptr;  // these two are the executor's
  bool in_ready_list = false;
  Timers::Entry timer;
  std::atomic<Mailbox*> inbox[2] = {};  // by kind, the mailbox it was put into last and not yet taken from
  std::uint64_t done_at_timer = 0;      // the timers'
  // The number of the task this thread queued last, on any stream.
  static constinit thread_local std::uint32_t last_task_of_thread;

 private:
  enum State : std::uint32_t { kClosed, kIdle, kReady, kRunning, kRunningWoken, kBlocked };

  template <typename Construct>
  std::uint32_t PushTask(const void* handle, const char* api, const TaskType& type, Construct&& construct) {
    std::uint32_t id;
    Place place;
    bool ready;
    {
      const std::lock_guard<SpinLock> lock(push_lock_);
      if (!IsCurrent(handle) || !failures_.queues_tasks()) [[unlikely]]
        return PushElsewhere(handle, api, type, construct);
      Task& task = queue_.Reserve();
      id = static_cast<std::uint32_t>(queue_.pushed());
      task.type = &type;
      task.api = api;
      task.thread = KernelThreadId();
      task.id = id;
      construct(task.room);
      if (watch::Watching() != 0) TellQueued(task);
      place = type.place(task);
      queue_.Publish();
      // Under the lock: until it is released, the stream cannot be closed and used anew.
      ready = state_.load(std::memory_order_seq_cst) == kIdle && BecomeReady(place);
    }
    if (ready) Route(place);
    last_task_of_thread = id;
    return id;
  }

  void TellQueued(const Task& task) noexcept;
  // Precondition: push_lock_ is held, and the task is refused or diverted.
  template <typename Construct>
  [[gnu::noinline]] std::uint32_t PushElsewhere(const void* handle, const char* api, const TaskType& type,
                                                Construct& construct) {
    CheckTakesTasks(handle);
    Task& task = sink_->Reserve(type);
    task.type = &type;
    task.api = api;
    task.thread = KernelThreadId();
    construct(task.room);
    return last_task_of_thread = sink_->Commit(task);
  }

  void CheckTakesTasks(const void* handle) const;
  void RefuseWhileDiverted() const;
  bool BecomeReady(const Place& place) noexcept;
  void Route(const Place& place) noexcept;
  bool RunAtOnce() noexcept;
  bool HoldBack() noexcept;
  bool HandOver(const Place& place, Runner& runner) noexcept;
  bool Linger() noexcept;
  bool GoIdle() noexcept;
  bool GoBlocked() noexcept;
  bool CancelIfInterrupted(Task& task) noexcept;
  bool RunFront(Task& task);
  bool TryFront(Task& task, std::uint32_t watched);
  void LeaveFront(const Task& task) noexcept;
  void RecycleIfClosed() noexcept;
  bool ClaimStored(const void* handle) noexcept;

  // The producer's, the consumer's and the seldom written fields are kept on cache lines of their own: a busy
  // stream is fed and drained by two cores at once.
  alignas(64) mutable SpinLock push_lock_;  // guards the queue's producer side
  TaskQueue queue_;

  alignas(64) std::atomic<std::uint32_t> state_{kClosed};
  std::atomic<Mailbox*> needs_{nullptr};            // while ready: whose thread the next task needs
  std::atomic<HandlePool<Stream>*> pool_{nullptr};  // set by Close
  std::atomic<bool> closing_{false};
  std::atomic<bool> clearing_{false};  // stored tasks are being dropped
  StreamFailures failures_;            // begins on this line

  StreamCallbacks callbacks_{*this};
  StreamWaiting waiting_{*this};
  std::shared_ptr<TaskSink> sink_;  // guarded by push_lock_
  const Task* inner_ = nullptr;     // the draining thread's
};

// A stream as a call names it.
struct StreamRef {
  Stream* stream;
  const void* handle;

  template <typename Body>
  std::uint32_t Push(const char* api, Body body) const {
    return stream->Push(handle, api, std::move(body));
  }
  Stream* operator->() const { return stream; }
};

}  // namespace foothold
