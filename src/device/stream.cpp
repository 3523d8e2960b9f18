// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "base/futex.h"
#include "base/thread_end.h"
#include "base/thread_pool.h"
#include "device/context.h"
#include "device/core_limits.h"
#include "device/device.h"
#include "device/executor.h"
#include "device/runtime.h"
#include "device/timers.h"
#include "device/user_code.h"

namespace foothold {

namespace {

constexpr Nanoseconds kPatience = kMillisecond;
constexpr Nanoseconds kTurn = kMillisecond;
constexpr Nanoseconds kTurnBeforeLessUrgent = 16 * kTurn;
constexpr unsigned kBurst = 32;     // tasks in one go that make a stream busy
constexpr int kLingerRounds = 200;  // about 5 µs
constexpr std::size_t kLeastOutgoing = 16;

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

}  // namespace

constinit thread_local std::uint32_t Stream::last_task_of_thread = 0;

void Stream::Open(Context& context, Executor& executor, Timers& timers, const Settings& settings) {
  executor.EnsureWorker();
  timer.Prepare();
  outgoing_.Reserve(kLeastOutgoing);
  if (!spare_failure_) spare_failure_ = std::make_shared<Error>(kBadAlloc, "");
  context_ = &context;
  executor_ = &executor;
  timers_ = &timers;
  device_ = context.device().id();
  id_ = settings.id;
  priority_ = settings.priority;
  flags_ = settings.flags;
  is_default_ = settings.is_default;
  stopped_ = false;
  interrupted_ = false;
  stop_at_ = UINT64_MAX;
  waits_for_ = nullptr;
  failure_mode_ = FailureMode::kContinue;
  failure_mode_set = false;
  closing_ = false;
  overflow_switch = 0;
  custom_tag = 0;
  cache_op_info = 0;
  res_limit[0] = res_limit[1] = 0;
  set_allocator(nullptr);
  {
    std::lock_guard<SpinLock> lock(failure_lock_);
    failure_ = abort_failure_ = stop_failure_ = stop_task_failure_ = nullptr;
    failed_ = false;
  }
  state_.store(kIdle);
}

void Stream::CheckOpen(const void* handle) const {
  if (!IsCurrent(handle) || stopped_.load(std::memory_order_relaxed)) RefuseTask(handle);
}

void Stream::RefuseTask(const void* handle) const {
  if (!IsCurrent(handle))
    Fail(kRtInvalidHandle, "stream {} was destroyed by another thread during this call", handle);
  Failure why;
  {
    std::lock_guard<SpinLock> lock(failure_lock_);
    why = stop_failure_;
  }
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

void Stream::Route(const Place& place) noexcept {
  if (place.kind == Place::kMailbox) {
    // If that thread is gone, a worker finds out what becomes of the task.
    if (place.mailbox->Deliver(*this) == Mailbox::Delivery::kRefused) SubmitReady();
    return;
  }
  // A thread that will get the stream's letters anyway may as well run it, but the stream does not need it.
  auto delivery = Mailbox::Delivery::kRefused;
  if (place.mailbox != nullptr && place.mailbox->attended()) delivery = place.mailbox->Deliver(*this);
  if (delivery == Mailbox::Delivery::kRefused) SubmitReady();
  // If it is busy with something else for long, a worker takes over.
  if (delivery == Mailbox::Delivery::kQueued) CallWorkerSoon();
}

void Stream::CallWorkerSoon() noexcept {
  if (!timers_.load(std::memory_order_relaxed)->Arm(*this, timer, Now() + kPatience)) SubmitReady();
}

void Stream::SubmitReady() noexcept {
  executor().Submit(*this);
}

bool Stream::TryClaim() noexcept {
  std::uint32_t expected = kReady;
  return state_.load(std::memory_order_relaxed) == kReady &&
         state_.compare_exchange_strong(expected, kRunning);
}

void Stream::Wake() noexcept {
  std::uint32_t state = state_.load();
  for (;;) {
    if (state == kBlocked) {
      if (!state_.compare_exchange_weak(state, kReady)) continue;
      Runner* runner = Runner::Current();
      if (runner == nullptr || !runner->Keep(*this)) SubmitReady();
      return;
    }
    if (state != kRunning || state_.compare_exchange_weak(state, kRunningWoken)) return;
  }
}

void Stream::WakeOrSubmit() noexcept {
  Wake();
  if (state_.load() == kReady) SubmitReady();
}

void Stream::OnTimer() noexcept {
  Wake();
  if (state_.load() != kReady) return;
  if (std::exchange(done_at_timer_, queue_.done()) == queue_.done()) return SubmitReady();
  CallWorkerSoon();
}

void Stream::WakeAt(Nanoseconds time) {
  if (!timers_.load(std::memory_order_relaxed)->Arm(*this, timer, time))
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
  WakeReached();
  RecycleIfClosed();
  return true;
}

bool Stream::GoBlocked() noexcept {
  std::uint32_t expected = kRunning;
  needs_.store(nullptr, std::memory_order_relaxed);
  if (state_.compare_exchange_strong(expected, kBlocked)) {
    WakeReached();
    return true;
  }
  state_.store(kRunning);  // woken meanwhile: look again
  return false;
}

// False if something happened to the stream meanwhile: look again.
bool Stream::HandOver(const Place& place, Runner& runner) noexcept {
  SendLetters();
  needs_.store(place.kind == Place::kMailbox ? place.mailbox : nullptr, std::memory_order_relaxed);
  std::uint32_t expected = kRunning;
  if (!state_.compare_exchange_strong(expected, kReady)) {
    state_.store(kRunning);
    return false;
  }
  runner.handed_over = true;
  WakeReached();
  Route(place);
  return true;
}

// A stream that was fed faster than it ran is likely to be fed again: giving it up and being called back for
// each task would cost both sides more than looking again for a few microseconds.
bool Stream::Linger() noexcept {
  WakeReached();
  for (int i = 0; i < kLingerRounds; ++i) {
    CpuRelax();
    if (queue_.pushed() != queue_.done()) return true;
  }
  return false;
}

// A stream that is fed as fast as it runs leaves its worker to streams that wait: at once to more urgent
// ones, to others after a while, and to less urgent ones after a long while.
class Stream::Turn {
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

void Stream::Drain(Runner& runner) {
  Turn turn(*this, runner);
  for (unsigned ran = 1;; ++ran) {
    bool was_long = false;
    Task* task = queue_.Front();
    if (task == nullptr) {
      SendLetters();
      if (ran > kBurst && Linger()) continue;
      if (GoIdle()) return;
      continue;
    }
    const bool cancelled = CancelIfInterrupted(*task);
    if (!cancelled) {
      const Place place = task->type->place(*task);
      if (place.mailbox != outgoing_to_) SendLetters();
      if (!runner.MayRun(place)) {
        if (HandOver(place, runner)) return;
        continue;
      }
      was_long = place.kind != Place::kAnywhere;
      if (was_long) {
        WakeReachedBeforeLongTask();
        runner.Flush();
      }
      std::optional<CoreLimit> cores;
      if (was_long) {
        if (const int most = CoreLimitOf(*this)) cores.emplace(most);
      }
      if (!RunFront(*task)) {
        if (GoBlocked()) return;
        continue;
      }
    }
    queue_.Pop();
    if (queue_.done() >= wake_at_.load(std::memory_order_relaxed)) WakeReached();
    if (ran % 64 == 0) {
      SendLetters();
      runner.Flush();
      if (runner.deadline != kForever && Now() >= runner.deadline) runner.target = 0;
    }
    const bool is_over = queue_.done() >= runner.target || ((ran % 64 == 0 || was_long) && turn.IsOver());
    if (is_over && queue_.Front() != nullptr) {
      if (HandOver(queue_.Front()->type->place(*queue_.Front()), runner)) return;
    }
  }
}

FOOTHOLD_HANDLES_END_OF_THREAD bool Stream::RunFront(Task& task) {
  const Nanoseconds begin = trace::Active() ? Now() : 0;
  bool done = false;
  try {
    done = TryFront(task);
  } catch (const EndOfThread&) {
    LeaveFront(task);
    throw;
  }
  if (begin != 0 && done) trace::Record({trace::Kind::kTask, id(), task.api, nullptr, task.id, begin, Now()});
  return done;
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
    StoreFailure(failure);
    StopContextIfChosen(failure);
  } catch (...) {  // no memory to say so; the stream goes on all the same
  }
  queue_.Pop();
  SendLetters();
  needs_.store(nullptr, std::memory_order_relaxed);
  state_.store(kReady);
  WakeReached();
  SubmitReady();
}

bool Stream::TryFront(Task& task) {
  std::optional<Error> error;
  try {
    if (task.type->run(task, *this) == Outcome::kSuspended) return false;
    if (stop_at_.load(std::memory_order_relaxed) == queue_.done()) ThrowStopped();
  } catch (...) {
    error.emplace(CurrentError());
  }
  if (error) FailFront(task, *error);
  return true;
}

// Not while an exception is handled: the functions of the program it calls could not end the thread then.
void Stream::FailFront(Task& task, const Error& error) {
  std::string what;
  try {
    what = task.type->describe(task);
  } catch (...) {
  }
  FailTask(task.api, what, task.id, task.thread, error, Holds::kStream);
}

void Stream::ThrowStopped() const {
  std::lock_guard<SpinLock> lock(failure_lock_);
  throw Error(*stop_task_failure_);
}

// Also if a function that is told of the failure ends the thread.
class Stream::StopAfterwards {
 public:
  StopAfterwards(Stream& stream, const Failure& failure) : stream_(stream), failure_(failure) {}
  ~StopAfterwards() { stream_.StopContextIfChosen(failure_); }
  StopAfterwards(const StopAfterwards&) = delete;
  StopAfterwards& operator=(const StopAfterwards&) = delete;

 private:
  Stream& stream_;
  const Failure& failure_;
};

void Stream::FailTask(const char* api, const std::string& what, std::uint32_t task, std::uint32_t thread,
                      const Error& error, Holds holds) {
  const Failure failure = MakeFailure(api, what, task, thread, error);
  StoreFailure(failure);
  const StopAfterwards stop(*this, failure);
  const InsideUserCode inside(*this, holds);
  Runtime::Get().exception_callbacks.Notify({static_cast<std::uint32_t>(error.code()), task,
                                             static_cast<std::uint32_t>(id()), thread,
                                             static_cast<std::uint32_t>(device())});
}

// Without memory for the text, the failure is told in the words of its cause.
Failure Stream::MakeFailure(const char* api, const std::string& what, std::uint32_t task,
                            std::uint32_t thread, const Error& error) noexcept {
  try {
    return std::make_shared<const Error>(
        error.code(),
        fmt::format("{}({}), task {} of stream {} on device {}, queued by thread {}, failed: {}", api, what,
                    task, id(), device(), thread, error.message()));
  } catch (...) {
    std::lock_guard<SpinLock> lock(failure_lock_);
    std::shared_ptr<Error> spare = std::move(spare_failure_);
    if (!spare) return failure_ ? failure_ : Share(error);
    *spare = error;
    return spare;
  }
}

// The context of a closed stream may be another one by now.
void Stream::StopContextIfChosen(const Failure& failure) noexcept {
  if (failure_mode() == FailureMode::kStop && handle() != nullptr) context().StopAll(failure);
}

void Stream::StoreFailure(const Failure& failure) noexcept {
  std::lock_guard<SpinLock> lock(failure_lock_);
  KeepFirst(failure);
}

// Precondition: failure_lock_ is held.
void Stream::KeepFirst(const Failure& failure) noexcept {
  if (!failure_) failure_ = failure;
  failed_.store(true, std::memory_order_release);
}

void Stream::Adopt(const Failure& failure) noexcept {
  StoreFailure(failure);
  StopContextIfChosen(failure);
}

// A stream that was stopped for good stays failed.
Failure Stream::TakeFailure() noexcept {
  if (!failed_.load(std::memory_order_acquire)) return nullptr;
  std::lock_guard<SpinLock> lock(failure_lock_);
  Failure taken = std::exchange(failure_, nullptr);
  failed_.store(stopped_.load());
  return taken || !stopped_.load() ? taken : stop_failure_;
}

Failure Stream::PeekFailure() const noexcept {
  std::lock_guard<SpinLock> lock(failure_lock_);
  return failure_;
}

bool Stream::Close(const void* handle, bool drop, HandlePool<Stream>& pool) {
  const Failure gone = Destroyed(id());
  {
    std::lock_guard<SpinLock> push(push_lock_);
    if (!pool.Retire(*this, handle)) return false;
  }
  context().Remove(*this);
  if (drop) {
    Abort(gone);
    // The memory of a task that is running now is the program's again when this returns.
    if (!InsideUserFunctionOf(*this)) WaitQuiet(kForever);
  }
  for (auto kind : {Mailbox::Kind::kReport, Mailbox::Kind::kHostFunction})
    DropSubscription(kind, *gone);
  if (is_stored()) ClearPersistent(gone);
  set_allocator(nullptr);
  pool_ = &pool;
  closing_.store(true);
  RecycleIfClosed();
  return true;
}

// The last one to leave a closed stream returns it: its closer, its drainer or the thread of its last
// callback.
void Stream::RecycleIfClosed() noexcept {
  std::uint32_t expected = kIdle;
  while (closing_.load() && LettersAnswered() && state_.compare_exchange_strong(expected, kRunning)) {
    if (queue_.Front() != nullptr) {
      needs_.store(nullptr, std::memory_order_relaxed);
      state_.store(kReady);
      return SubmitReady();
    }
    if (LettersAnswered()) {
      state_.store(kClosed);
      return pool_.load()->Recycle(*this);
    }
    state_.store(kIdle);
    expected = kIdle;
  }
}

std::shared_ptr<const StreamAllocator> Stream::allocator() const {
  std::lock_guard<SpinLock> lock(failure_lock_);
  return allocator_;
}

void Stream::set_allocator(std::shared_ptr<const StreamAllocator> allocator) {
  std::lock_guard<SpinLock> lock(failure_lock_);
  allocator_.swap(allocator);
}

}  // namespace foothold
