// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "base/schedule.h"
#include "base/stream_facts.h"
#include "base/thread_end.h"
#include "base/thread_pool.h"
#include "device/context.h"
#include "device/core_limits.h"
#include "device/executor.h"
#include "device/observer.h"
#include "device/scheduler.h"
#include "device/task_faults.h"
#include "device/task_form.h"
#include "device/timers.h"
#include "device/user_code.h"
#include "trace/trace.h"

namespace foothold {

namespace {

constexpr Nanoseconds kPatience = kMillisecond;
constexpr Nanoseconds kTurn = kMillisecond;
constexpr Nanoseconds kTurnBeforeLessUrgent = 16 * kTurn;
constexpr unsigned kBurst = 32;     // tasks in one go that make a stream busy
constexpr int kLingerRounds = 200;  // about 5 µs

// Made at load: closing a stream cannot fail for want of memory.
const Failure& DestroyedInGeneral() {
  static const auto* const failure =
      new Failure(std::make_shared<const Error>(kRtStreamAbort, "the stream was destroyed"));
  return *failure;
}
[[maybe_unused]] const Failure& destroyed_at_load = DestroyedInGeneral();

Failure Destroyed(std::int32_t stream) noexcept try {
  return std::make_shared<const Error>(kRtStreamAbort, fmt::format("stream {} was destroyed", stream));
} catch (...) {
  return DestroyedInGeneral();
}

// Those of the library itself are in no context's list, and no rule of streams is theirs.
bool IsPrograms(const Stream& stream) noexcept {
  bool found = false;
  stream.context().ForEachStream([&](const Stream& one, const void*) { found = found || &one == &stream; });
  return found;
}

// Not while an exception is handled: the functions of the program it calls could not end the thread then.
[[gnu::noinline, gnu::cold]] void FailFront(Stream& stream, Task& task, const Error& error) {
  std::string what;
  try {
    what = task.type->describe(task);
  } catch (...) {
  }
  if (auto* const observer = Observer()) observer->OnTaskFailed(stream, task, what, error);
  const auto kernel = KernelOf(task);
  stream.FailTask(task.api, what, task.id, task.thread, error, Holds::kStream, 0,
                  kernel ? &*kernel : nullptr);
}

Outcome RunWatched(Stream& stream, Task& task, std::uint32_t watched) {
  if ((watched & watch::kCheck) != 0) device_observer->OnTaskBegins(stream, task);
  const std::uint32_t flips = (watched & watch::kFaults) != 0 ? MeetFaults(stream, task) : 0;
  const Outcome outcome = task.type->run(task, stream);
  if (outcome != Outcome::kSuspended && flips != 0) FlipBits(task, flips);
  return outcome;
}

void TellEnded(const Stream& stream, const Task& task, std::uint32_t watched, Nanoseconds begin) noexcept {
  if ((watched & watch::kCheck) != 0) device_observer->OnTaskEnds(stream, task.id);
  if (begin != 0) trace::Record({trace::Kind::kTask, stream.id(), task.api, nullptr, task.id, begin, Now()});
}

// Most tasks may run anywhere: that is no call.
inline bool MayRun(const Runner& runner, const Place& place) noexcept {
  const bool free =
      place.mailbox == nullptr && (place.kind == Place::kAnywhere || runner.role == Runner::Role::kWorker);
  return free || runner.MayRun(place);
}

// A stream that is fed as fast as it runs leaves its worker to streams that wait: at once to more urgent
// ones, to others after a while, and to less urgent ones after a long while.
class Turn {
 public:
  Turn(const Stream& stream, const Runner& runner)
      : executor_(stream.executor()),
        priority_(std::min(stream.priority(), 7u)),
        is_workers_(runner.role == Runner::Role::kWorker) {}

  bool IsOver() noexcept {
    if (!is_workers_ || !executor_.OthersWait()) return false;
    if (executor_.MoreUrgentWait(priority_)) return true;
    const Nanoseconds now = Now();
    if (since_ == 0) since_ = now;
    return now - since_ >= (executor_.AsUrgentWait(priority_) ? kTurn : kTurnBeforeLessUrgent);
  }

 private:
  const Executor& executor_;
  const std::uint32_t priority_;
  const bool is_workers_;
  Nanoseconds since_ = 0;  // others wait
};

}  // namespace

constinit thread_local std::uint32_t Stream::last_task_of_thread = 0;

void Stream::Open(Context& context, Executor& executor, Timers& timers, const Settings& settings) {
  executor.EnsureWorker();
  timer.Prepare();
  callbacks_.Open();
  failures_.Open();
  Set(context, executor, timers, settings);
  waiting_.set_source(nullptr);
  closing_ = false;
  state_.store(kIdle);
}

void Stream::CheckCurrent(const void* handle) const {
  if (!IsCurrent(handle))
    Fail(kRtInvalidHandle, "stream {} was destroyed by another thread during this call", handle);
}

// Before it can run, under the lock of the queue.
void Stream::TellQueued(const Task& task) noexcept {
  if (trace::Active()) trace::Moment({trace::Kind::kQueued, id(), task.api, nullptr, task.id, 0, 0});
  if (auto* const observer = Observer(); observer != nullptr && !is_stored())
    observer->OnTaskQueued(*this, task);
}

void Stream::CheckTakesTasks(const void* handle) const {
  CheckCurrent(handle);
  if (!failures_.stopped()) return;
  const Failure why = failures_.stopped_for();
  Fail(why ? why->code() : kRtStreamAbort,
       "stream {} takes no more tasks: it stops on failure and an earlier task failed: {}", id(),
       why ? why->message() : "unknown");
}

bool Stream::BecomeReady(const Place& place) noexcept {
  if (is_stored()) return false;
  needs_.store(place.kind == Place::kMailbox ? place.mailbox : nullptr, std::memory_order_relaxed);
  std::uint32_t expected = kIdle;
  return state_.compare_exchange_strong(expected, kReady);
}

// On the calling thread, which has just queued the only task: for what takes less time than telling another
// one.
bool Stream::RunAtOnce() noexcept {
  if (Runner::Current() != nullptr || !TryClaim()) return false;
  Runner runner(schedule::RunsEarly() ? Runner::Role::kCaller : Runner::Role::kTimedCaller);
  runner.target = queue_.pushed();
  Drain(runner);
  runner.Flush();
  return true;
}

void Stream::Route(const Place& place) noexcept {
  if (((place.at_once && !schedule::HoldsBack()) || schedule::RunsEarly()) && RunAtOnce()) return;
  if (place.kind == Place::kMailbox) {
    // If that thread is gone, a worker finds out what becomes of the task.
    if (place.mailbox->Deliver(*this) == Mailbox::Delivery::kRefused) SubmitReady();
    return;
  }
  // A thread that will get the stream's letters anyway may as well run it, but the stream does not need it.
  auto delivery = Mailbox::Delivery::kRefused;
  if (schedule::IsChosen() && place.kind == Place::kWorker) return executor().Submit(*this);
  if (place.mailbox != nullptr && place.mailbox->attended() && !schedule::HoldsBack())
    delivery = place.mailbox->Deliver(*this);
  if (delivery == Mailbox::Delivery::kRefused) SubmitReady();
  // If it is busy with something else for long, a worker takes over.
  if (delivery == Mailbox::Delivery::kQueued) CallWorkerSoon();
}

void Stream::CallWorkerSoon() noexcept {
  if (!timers().Arm(*this, timer, Now() + kPatience)) SubmitReady();
}

// By a schedule: until somebody waits for it, or it is chosen.
bool Stream::HoldBack() noexcept {
  if (!timers().Arm(*this, timer, Now() + schedule::LongestHold())) return false;
  if (schedule::IsChosen()) Scheduler::Get().Add(*this);
  return true;
}

void Stream::SubmitReady() noexcept {
  if (schedule::HoldsBack() && HoldBack()) return;
  executor().Submit(*this);
}

bool Stream::TryClaim() noexcept {
  std::uint32_t expected = kReady;
  return IsReady() && state_.compare_exchange_strong(expected, kRunning);
}

void Stream::Wake() noexcept {
  std::uint32_t state = state_.load();
  for (;;) {
    if (state == kBlocked) {
      if (!state_.compare_exchange_weak(state, kReady)) continue;
      Runner* runner = Runner::Current();
      if (runner == nullptr || schedule::HoldsBack() || !runner->Keep(*this)) SubmitReady();
      return;
    }
    if (state != kRunning || state_.compare_exchange_weak(state, kRunningWoken)) return;
  }
}

void Stream::OnTimer() noexcept {
  Wake();
  if (state_.load() != kReady) return;
  if (schedule::HoldsBack()) return executor().Submit(*this);
  if (std::exchange(done_at_timer, queue_.done()) == queue_.done()) return SubmitReady();
  CallWorkerSoon();
}

void Stream::WakeAt(Nanoseconds time) {
  if (!timers().Arm(*this, timer, time))
    Fail(kRtResourceAllocFail, "no thread could be started to wake stream {} later", id());
}

bool Stream::GoIdle() noexcept {
  state_.store(kIdle);
  if (queue_.pushed() != queue_.done()) {
    std::uint32_t expected = kIdle;
    if (!state_.compare_exchange_strong(expected, kRunning)) return true;
    if (!is_stored()) return false;
    state_.store(kIdle);  // closed meanwhile, and opened anew for tasks that are not run
  }
  waiting_.WakeReached(queue_.done());
  RecycleIfClosed();
  return true;
}

bool Stream::GoBlocked() noexcept {
  std::uint32_t expected = kRunning;
  needs_.store(nullptr, std::memory_order_relaxed);
  if (state_.compare_exchange_strong(expected, kBlocked)) {
    waiting_.WakeReached(queue_.done());
    return true;
  }
  state_.store(kRunning);  // woken meanwhile: look again
  return false;
}

// False if something happened to the stream meanwhile: look again.
bool Stream::HandOver(const Place& place, Runner& runner) noexcept {
  callbacks_.Post();
  needs_.store(place.kind == Place::kMailbox ? place.mailbox : nullptr, std::memory_order_relaxed);
  std::uint32_t expected = kRunning;
  if (!state_.compare_exchange_strong(expected, kReady)) {
    state_.store(kRunning);
    return false;
  }
  runner.handed_over = true;
  waiting_.WakeReached(queue_.done());
  Route(place);
  return true;
}

// A stream that was fed faster than it ran is likely to be fed again: giving it up and being called back for
// each task would cost both sides more than looking again for a few microseconds.
bool Stream::Linger() noexcept {
  waiting_.WakeReached(queue_.done());
  for (int i = 0; i < kLingerRounds; ++i) {
    CpuRelax();
    if (queue_.pushed() != queue_.done()) return true;
  }
  return false;
}

void Stream::Drain(Runner& runner) {
  Turn turn(*this, runner);
  if (schedule::IsChosen() && runner.role == Runner::Role::kWorker) {
    // A function of the program, and then it is chosen again; or nobody has come for it.
    const Task* const next = queue_.Front();
    const bool function = next != nullptr && next->type->place(*next).kind == Place::kWorker;
    runner.target = function ? queue_.done() + 1 : UINT64_MAX;
  }
  for (unsigned ran = 1;; ++ran) {
    bool was_long = false;
    Task* task = queue_.Front();
    if (task == nullptr) {
      callbacks_.Post();
      if (ran > kBurst && Linger()) continue;
      if (GoIdle()) return;
      continue;
    }
    const bool cancelled = failures_.MayBeInterrupted() && CancelIfInterrupted(*task);
    if (!cancelled) {
      const Place place = task->type->place(*task);
      callbacks_.PostUnlessFor(place.mailbox);
      if (!MayRun(runner, place)) {
        if (HandOver(place, runner)) return;
        continue;
      }
      was_long = place.kind != Place::kAnywhere;
      if (was_long) {
        waiting_.LookBeforeLongTask(queue_.done());
        runner.Flush();
      }
      std::optional<CoreLimit> cores;
      if (was_long) {
        if (const int most = CoreLimitOf(*this)) cores.emplace(most);
      }
      if (!RunFront(*task)) {
        if (GoBlocked()) return;
        if (turn.IsOver() && HandOver(task->type->place(*task), runner)) return;
        continue;
      }
    }
    queue_.Pop();
    waiting_.LookAfterTask(queue_.done());
    if (ran % 64 == 0) {
      callbacks_.Post();
      runner.Flush();
      if (runner.deadline != kForever && Now() >= runner.deadline) runner.target = 0;
    }
    const bool is_over = queue_.done() >= runner.target || ((ran % 64 == 0 || was_long) && turn.IsOver());
    if (is_over && queue_.Front() != nullptr) {
      if (HandOver(queue_.Front()->type->place(*queue_.Front()), runner)) return;
    }
  }
}

bool Stream::CancelIfInterrupted(Task& task) noexcept {
  const Failure failure = failures_.Interruption(queue_.done());
  if (!failure) return false;
  waiting_.set_source(nullptr);
  if (auto* const observer = Observer()) observer->OnTaskDropped(*this, task.id);
  task.type->cancel(task, failure);
  return true;
}

// One frame and one look for a task that nobody watches and that does not fail.
FOOTHOLD_HANDLES_END_OF_THREAD bool Stream::RunFront(Task& task) {
  std::optional<Error> error;
  try {
    if (const std::uint32_t watched = watch::Watching(); watched != 0) [[unlikely]]
      return TryFront(task, watched);
    if (task.type->run(task, *this) == Outcome::kSuspended) return false;
    failures_.CheckNotStopped(queue_.done());
    return true;
  } catch (const EndOfThread&) {
    LeaveFront(task);
    throw;
  } catch (...) {
    error.emplace(CurrentError());
  }
  try {
    FailFront(*this, task, *error);
  } catch (const EndOfThread&) {
    LeaveFront(task);
    throw;
  }
  return true;
}

// The thread ends inside the task. That is over, and others go on with the stream.
void Stream::LeaveFront(const Task& task) noexcept {
  try {
    const auto failure = std::make_shared<const Error>(
        kRtAicpuException,
        fmt::format(
            "{}, task {} of stream {} on device {}, failed: a function of the program ended the thread it "
            "was called on (pthread_exit or pthread_cancel)",
            task.api, task.id, id(), device()));
    Adopt(failure);
  } catch (...) {  // no memory to say so; the stream goes on all the same
  }
  if (auto* const observer = Observer()) observer->OnTaskEnds(*this, task.id);
  queue_.Pop();
  callbacks_.Post();
  needs_.store(nullptr, std::memory_order_relaxed);
  state_.store(kReady);
  waiting_.WakeReached(queue_.done());
  SubmitReady();
}

// The same for a task that is watched.
[[gnu::cold]] bool Stream::TryFront(Task& task, std::uint32_t watched) {
  const Nanoseconds begin = (watched & watch::kTrace) != 0 ? Now() : 0;
  std::optional<Error> error;
  try {
    if (RunWatched(*this, task, watched) == Outcome::kSuspended) return false;
    failures_.CheckNotStopped(queue_.done());
  } catch (...) {
    error.emplace(CurrentError());
  }
  if (error) FailFront(*this, task, *error);
  TellEnded(*this, task, watched, begin);
  return true;
}

bool Stream::IsIdle() const noexcept {
  const std::uint64_t target = queue_.pushed();
  executor().TryAgain();
  return is_stored() || failures_.IsAllDropped(target) ||
         (queue_.done() >= target && callbacks_.AllAnswered());
}

bool Stream::IsStuck() const noexcept {
  if (callbacks_.AnyRuns()) return false;
  const std::uint32_t state = state_.load();
  const bool only_letters_left = state == kIdle && queue_.done() == queue_.pushed();
  return state == kBlocked || (state == kReady && needs_.load() != nullptr) || only_letters_left;
}

StreamFacts Stream::Facts() const noexcept {
  const std::uint32_t state = state_.load();
  const Mailbox* const mailbox = state == kReady ? needs_.load() : nullptr;
  StreamFacts facts;
  facts.key = this;
  facts.id = id();
  facts.function = callbacks_.HoldUpStream();
  facts.runs = (state == kRunning || state == kRunningWoken) && !facts.function;
  facts.blocked = state == kBlocked;
  facts.letters = !callbacks_.AllAnswered();
  facts.progress = progress();
  const Mailbox* const due = mailbox != nullptr ? mailbox : callbacks_.MailboxOfLetters();
  if (due != nullptr && !callbacks_.AnyRuns()) {
    facts.needs = due->thread();
    facts.attended = due->attended();
    facts.ever_attended = due->ever_attended();
  }
  return facts;
}

bool Stream::NeedsThisThread() const noexcept {
  const Mailbox* mailbox = needs_.load();
  return mailbox != nullptr && state_.load() == kReady && mailbox->thread() == SelfThread();
}

void Stream::LetterDone() noexcept {
  waiting_.LookAfterLetter(callbacks_.CountAnswered());
  if (closing_.load()) RecycleIfClosed();
}

bool Stream::Close(const void* handle, bool drop, HandlePool<Stream>& pool) {
  const Failure gone = Destroyed(id());
  std::shared_ptr<TaskSink> sink;
  {
    std::lock_guard<SpinLock> push(push_lock_);
    if (!pool.Retire(*this, handle)) return false;
    sink.swap(sink_);
    failures_.set_diverted(false);
  }
  if (sink) sink->Break("a stream of it was destroyed");
  DeviceObserver* const observer = Observer();
  const bool told = observer != nullptr && IsPrograms(*this);
  context().Remove(*this);
  const std::uint64_t left = drop && !is_stored() ? queue_.pushed() - queue_.done() : 0;
  if (drop) {
    Abort(gone);
    // The memory of a task that is running now is the program's again when this returns.
    if (!InsideUserFunctionOf(*this)) waiting_.UntilQuiet(kForever);
  }
  if (observer != nullptr)
    observer->OnStreamEnds(*this, told && failures_.Peek() != nullptr, told ? left : 0);
  callbacks_.DropSubscriptions(*gone);
  if (is_stored()) ClearPersistent(gone);
  set_allocator(nullptr);
  Unbind();
  pool_ = &pool;
  closing_.store(true);
  RecycleIfClosed();
  return true;
}

// The last one to leave a closed stream returns it: its closer, its drainer or the thread of its last
// callback.
void Stream::RecycleIfClosed() noexcept {
  std::uint32_t expected = kIdle;
  while (closing_.load() && callbacks_.AllAnswered() && state_.compare_exchange_strong(expected, kRunning)) {
    if (queue_.Front() != nullptr) {
      needs_.store(nullptr, std::memory_order_relaxed);
      state_.store(kReady);
      return SubmitReady();
    }
    if (callbacks_.AllAnswered()) {
      state_.store(kClosed);
      return pool_.load()->Recycle(*this);
    }
    state_.store(kIdle);
    expected = kIdle;
  }
}

}  // namespace foothold
