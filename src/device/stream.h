// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A stream: a queue of tasks run in order, one at a time, by whichever thread may and has reason to: a
// worker, a caller that synchronises, or a report thread that has just answered a callback of the stream.
// Streams are pooled and never freed, so a Stream* stays valid for ever; whether it is still the stream that
// was meant is for Push to say. All functions may be called from any thread unless a comment says otherwise.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "base/handle_pool.h"
#include "base/spin.h"
#include "base/thread_id.h"
#include "device/mailbox.h"
#include "device/runner.h"
#include "device/task.h"
#include "device/task_queue.h"
#include "device/timers.h"
#include "device/wake_cost.h"
#include "trace/trace.h"

namespace foothold {

class Completion;
class Context;
class Executor;
struct StreamAllocator;
enum class Holds;

enum StreamFlags : std::uint32_t {
  kStreamFastLaunch = 1,
  kStreamFastSync = 2,
  kStreamPersistent = 4,
  kStreamHuge = 8,
  kStreamCpuSchedule = 16,
  kStreamDeviceUseOnly = 32,
};

class Stream : public Handled {
 public:
  enum class FailureMode : std::uint64_t { kContinue = 0, kStop = 1 };

  struct Settings {
    std::int32_t id = 0;
    std::uint32_t priority = 0;
    std::uint32_t flags = 0;
    bool is_default = false;
  };

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

  // Waits until everything queued so far is done, callbacks included. False when the deadline passed first.
  // Does not report failures. Throws if waiting could never end, e.g. from inside a task of this stream.
  // If the stream is aborted meanwhile, `aborted` receives the reason.
  bool Wait(Nanoseconds deadline, Failure* aborted = nullptr);
  // Waits for all that runs, also where synchronising is immediate.
  void Finish();
  // Wait, then throws what the stream failed with since the last report, if anything.
  bool Synchronize(Nanoseconds deadline);
  // Waits until nothing that was queued so far runs any more, dropped or not, functions of the program
  // excepted.
  bool WaitQuiet(Nanoseconds deadline);
  // The same for the task with this number.
  bool WaitForTask(std::uint32_t id, Nanoseconds deadline);
  bool IsIdle() const noexcept;
  // How many tasks were ever queued.
  std::uint64_t queued() const noexcept { return queue_.pushed(); }
  // Nothing runs, and the next task waits for an event, a value or a thread of the program.
  bool IsStuck() const noexcept;
  // Runs the stream on this thread, as far as it may, until `completion` is done or there is nothing it may
  // run.
  void RunUntilDone(const Completion& completion, Nanoseconds deadline);

  // The first failure since the last call of this function, or null.
  Failure TakeFailure() noexcept;
  Failure PeekFailure() const noexcept;
  // The task being run waits for this stream, or null: for recognising threads that would wait for
  // themselves.
  void set_waits_for(Stream* stream) noexcept { waits_for_.store(stream); }
  // The stream waits for a callback that only this thread can execute.
  bool NeedsThisThread() const noexcept;
  [[noreturn]] void FailWaitsForThisThread() const;
  // Throws if it waits for another stream that does, or that waits for the function this thread is in.
  void CheckChainForThisThread() const;
  // Takes over what failed elsewhere, e.g. in the stream an event came from.
  void Adopt(const Failure& failure) noexcept;

  // A task was suspended and its condition may have changed. Spurious calls are harmless.
  void Wake() noexcept;
  // The same, and a stream that waits for some thread to run it goes to the workers.
  void WakeOrSubmit() noexcept;
  // Arranges an OnTimer at `time`. Throws if there is no thread to do it.
  void WakeAt(Nanoseconds time);
  // WakeOrSubmit, unless the thread the stream was given to is getting on with it.
  void OnTimer() noexcept;

  // Drops everything queued so far; waiting callers leave with `failure`.
  void Abort(const Failure& failure);
  // Ends the task that is suspended or running, as far as that is possible, and keeps the rest.
  void StopRunningTask(const Failure& failure);
  // After a failure in stop mode: drops everything, takes nothing any more.
  void StopForGood(const Failure& failure);
  void ClearPersistent(const Failure& failure);

  // The thread the stream was given to may be busy for long: if it is, a worker takes over.
  void CallWorkerSoon() noexcept;
  // The stream is ready: hands it to the workers.
  void SubmitReady() noexcept;
  // Takes ownership for draining if the stream is ready and nobody has it.
  bool TryClaim() noexcept;
  // Precondition: claimed by this thread. Throws nothing, but a function of the program may end the thread:
  // then the workers go on with the stream.
  void Drain(Runner& runner);

  // Takes no more tasks; drops what is queued and waits until no kernel runs, or leaves it to be done. False
  // if `handle` has ended already. The pool recycles the object once its queue is empty and nobody runs a
  // task or callback of it any more.
  bool Close(const void* handle, bool drop, HandlePool<Stream>& pool);

  // Callback subscriptions, one thread each for report callbacks and host functions.
  void Subscribe(const void* handle, Mailbox& mailbox);
  void Unsubscribe(const void* handle, std::uint64_t thread, Mailbox::Kind kind);
  struct Subscription {
    Mailbox* mailbox = nullptr;
    std::uint64_t number = 0;
  };
  Subscription subscription(Mailbox::Kind kind) const noexcept;
  bool IsSubscription(Mailbox::Kind kind, std::uint64_t number) const noexcept;

  // Called by whoever runs tasks and letters.
  const Task& front_task() noexcept { return *queue_.Front(); }
  std::uint64_t front_number() const noexcept { return queue_.done(); }
  // Grows with every task and letter that is over.
  std::uint64_t progress() const noexcept { return queue_.done() + letters_done_.load(); }
  bool IsDropped(std::uint64_t number) const noexcept { return number < abort_until_.load(); }
  void EnterLetters() noexcept { letters_running_.fetch_add(1, std::memory_order_relaxed); }
  void LeaveLetters() noexcept { letters_running_.fetch_sub(1, std::memory_order_relaxed); }
  // By the thread that drains the stream, so there is only one at a time.
  void EnterUserTask() noexcept {
    user_tasks_.store(user_tasks_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  void LeaveUserTask() noexcept {
    user_tasks_.store(user_tasks_.load(std::memory_order_relaxed) - 1, std::memory_order_release);
  }
  void FailTask(const char* api, const std::string& what, std::uint32_t task, std::uint32_t thread,
                const Error& error, Holds holds);
  // By the thread that drains the stream: a callback beside it leaves, at the latest before the stream runs
  // something else or is given up.
  void Send(const Letter& letter, Mailbox& to) noexcept;
  void LetterSent() noexcept {
    letters_sent_.store(letters_sent_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  void LetterDone() noexcept;

  Context& context() const noexcept { return *context_.load(std::memory_order_relaxed); }
  Executor& executor() const noexcept { return *executor_.load(std::memory_order_relaxed); }
  int device() const noexcept { return device_.load(std::memory_order_relaxed); }
  std::int32_t id() const noexcept { return id_.load(std::memory_order_relaxed); }
  std::uint32_t priority() const noexcept { return priority_.load(std::memory_order_relaxed); }
  std::uint32_t flags() const noexcept { return flags_.load(std::memory_order_relaxed); }
  bool is_default() const noexcept { return is_default_.load(std::memory_order_relaxed); }
  // Tasks are stored, not run, and synchronising is immediate.
  bool is_stored() const noexcept { return flags() & kStreamPersistent; }
  bool skips_sync() const noexcept {
    return flags() & (kStreamPersistent | kStreamCpuSchedule | kStreamDeviceUseOnly);
  }

  FailureMode failure_mode() const noexcept { return failure_mode_.load(); }
  void set_priority(std::uint32_t priority) noexcept { priority_.store(priority); }
  void set_failure_mode(FailureMode mode) noexcept { failure_mode_.store(mode); }

  // Settings that only later calls read back or later work looks at.
  std::atomic<std::uint32_t> overflow_switch{0};
  std::atomic<std::uint32_t> custom_tag{0};
  std::atomic<std::uint32_t> cache_op_info{0};
  std::atomic<std::uint32_t> res_limit[2] = {};
  std::atomic<bool> failure_mode_set{false};

  // The program's allocator for work on this stream (aclrtAllocatorRegister), or null.
  std::shared_ptr<const StreamAllocator> allocator() const;
  void set_allocator(std::shared_ptr<const StreamAllocator> allocator);

  // The executor's list.
  Stream* next_ready = nullptr;
  bool in_ready_list = false;
  Timers::Entry timer;
  // The mailbox this stream was put into last and not yet taken from, by kind.
  std::atomic<Mailbox*> inbox[2] = {};

 private:
  enum State : std::uint32_t { kClosed, kIdle, kReady, kRunning, kRunningWoken, kBlocked };
  enum class WaitResult { kDone, kTimedOut, kAborted };
  class StopAfterwards;
  class Turn;
  struct Target {
    std::uint64_t tasks;                 // so many done
    std::uint64_t letters = UINT64_MAX;  // then so many callbacks; known once the tasks are done
  };

  template <typename Construct>
  std::uint32_t PushTask(const void* handle, const char* api, const TaskType& type, Construct&& construct) {
    const Nanoseconds begin = trace::Active() ? Now() : 0;
    push_lock_.lock();
    std::uint32_t id;
    Place place;
    try {
      CheckOpen(handle);
      Task& task = queue_.Reserve();
      id = static_cast<std::uint32_t>(queue_.pushed());
      task.type = &type;
      task.api = api;
      task.thread = KernelThreadId();
      task.id = id;
      construct(task.room);
      place = type.place(task);
    } catch (...) {
      push_lock_.unlock();
      throw;
    }
    queue_.Publish();
    // Under the lock: until it is released, the stream cannot be closed and used anew.
    const bool ready = state_.load(std::memory_order_seq_cst) == kIdle && BecomeReady(place);
    push_lock_.unlock();
    if (ready) Route(place);
    if (begin != 0) trace::Record({trace::Kind::kQueued, this->id(), api, nullptr, id, begin, begin});
    last_task_of_thread = id;
    return id;
  }

  void CheckOpen(const void* handle) const;
  [[noreturn]] void RefuseTask(const void* handle) const;
  bool BecomeReady(const Place& place) noexcept;
  void Route(const Place& place) noexcept;
  bool HandOver(const Place& place, Runner& runner) noexcept;
  bool Linger() noexcept;
  bool GoIdle() noexcept;
  bool GoBlocked() noexcept;
  bool RunFront(Task& task);
  bool TryFront(Task& task);
  void FailFront(Task& task, const Error& error);
  void LeaveFront(const Task& task) noexcept;
  Failure Interruption() noexcept;
  bool CancelIfInterrupted(Task& task) noexcept;
  [[noreturn]] void ThrowStopped() const;
  void StopContextIfChosen(const Failure& failure) noexcept;
  Failure MakeFailure(const char* api, const std::string& what, std::uint32_t task, std::uint32_t thread,
                      const Error& error) noexcept;
  void StoreFailure(const Failure& failure) noexcept;
  void KeepFirst(const Failure& failure) noexcept;
  void Nudge() noexcept;
  void SendLetters() noexcept;
  void DropSubscription(Mailbox::Kind kind, const Error& why) noexcept;
  void EndSubscription(Mailbox::Kind kind) noexcept;
  void LeaveMailbox(Mailbox& mailbox, const Error& why) noexcept;
  void WakeReached() noexcept;
  void WakeReachedBeforeLongTask() noexcept;
  void WakeSleepers() noexcept;
  bool LettersAnswered() const noexcept { return letters_done_.load() == letters_sent_.load(); }
  WaitResult Look(Target& target) const noexcept;
  WaitResult WaitUntil(std::uint64_t tasks, Nanoseconds deadline);
  bool RunMyself(std::uint64_t tasks, Nanoseconds deadline);
  void SleepUntilProgress(Target& target, bool may_claim, Nanoseconds deadline);
  void CheckMayWait() const;
  void CheckNotWaitingForThisThread(std::uint64_t tasks) const;
  void RecycleIfClosed() noexcept;

 public:
  // The number of the task this thread queued last, on any stream.
  static constinit thread_local std::uint32_t last_task_of_thread;

 private:
  // The producer's, the consumer's and the seldom written fields are kept on cache lines of their own: a busy
  // stream is fed and drained by two cores at once.
  // Set by Open. Atomic, because a thread with an outdated pointer may look while the object is used anew.
  std::atomic<Context*> context_{nullptr};
  std::atomic<Executor*> executor_{nullptr};
  std::atomic<Timers*> timers_{nullptr};
  std::atomic<int> device_{0};
  std::atomic<std::int32_t> id_{0};
  std::atomic<std::uint32_t> priority_{0};
  std::atomic<std::uint32_t> flags_{0};
  std::atomic<bool> is_default_{false};
  std::atomic<HandlePool<Stream>*> pool_{nullptr};  // set by Close
  struct SharedSubscription {                       // written under push_lock_, read without
    std::atomic<Mailbox*> mailbox{nullptr};
    std::atomic<std::uint64_t> number{0};
  };
  SharedSubscription subscriptions_[2];
  std::atomic<FailureMode> failure_mode_{FailureMode::kContinue};
  std::atomic<bool> failed_{false};  // TakeFailure has something to take; written under failure_lock_

  alignas(64) mutable SpinLock push_lock_;  // guards the queue's producer side
  TaskQueue queue_;

  alignas(64) std::atomic<std::uint32_t> state_{kClosed};
  std::atomic<Mailbox*> needs_{nullptr};            // while ready: whose thread the next task needs
  std::atomic<bool> stopped_{false};                // nothing is run or taken any more
  std::atomic<bool> interrupted_{false};            // look at the two below before running a task
  std::atomic<std::uint64_t> stop_at_{UINT64_MAX};  // this task ends early
  std::atomic<std::uint64_t> abort_until_{0};       // tasks before this one are dropped
  std::atomic<bool> closing_{false};
  std::atomic<bool> clearing_{false};  // stored tasks are being dropped

  // Written by the draining thread for every call of a function of the program.
  alignas(64) std::atomic<int> user_tasks_{0};  // functions of the program that hold up the stream now
  std::atomic<std::uint64_t> letters_sent_{0};
  RingBuffer<Letter> outgoing_;     // sent and not yet posted; of one subscription
  Mailbox* outgoing_to_ = nullptr;  // null if there are none

  // Written by the threads that run its callbacks.
  alignas(64) std::atomic<std::uint64_t> letters_done_{0};
  std::atomic<int> letters_running_{0};  // threads at it

  std::uint64_t done_at_timer_ = 0;  // by the timers' thread

  // Host threads asleep until the stream has come far enough: the nearest number of done tasks one waits for.
  alignas(64) std::atomic<std::uint64_t> wake_at_{UINT64_MAX};
  std::atomic<std::uint64_t> wake_letters_{UINT64_MAX};  // the same for answered callbacks
  std::atomic<Stream*> waits_for_{nullptr};
  std::atomic<std::uint32_t> progress_{0};  // futex
  Bed bed_;                                 // of the last one to fall asleep

  mutable SpinLock failure_lock_;  // guards the six below
  Failure failure_;
  Failure abort_failure_;
  Failure stop_failure_;
  Failure stop_task_failure_;
  std::shared_ptr<Error> spare_failure_;  // for a failure there is no memory for
  std::shared_ptr<const StreamAllocator> allocator_;
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
