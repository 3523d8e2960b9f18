// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/mailbox.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "base/futex.h"
#include "base/thread_end.h"
#include "device/observer.h"
#include "device/runtime.h"
#include "device/stream.h"
#include "device/user_code.h"
#include "device/wake_cost.h"

namespace foothold {
namespace {

// How long a thread without subscription waits for one, however long it wants to wait for callbacks.
constexpr Nanoseconds kLongestUnsubscribed = 100 * kMillisecond;
// How long callbacks wait for memory, or for a place that becomes free, before they fail.
constexpr Nanoseconds kPatienceWithoutMemory = kSecond;

class Attendance {
 public:
  explicit Attendance(std::atomic<int>& count) : count_(count) { count_.fetch_add(1); }
  ~Attendance() { count_.fetch_sub(1); }

 private:
  std::atomic<int>& count_;
};

Error Unsubscribed() {
  return {kRtStreamNoCallbackThread, "the stream was unsubscribed before this callback could run"};
}

Error ThreadEnded(std::uint64_t thread) noexcept try {
  return {
      kRtThreadSubscribe,
      fmt::format("thread {:#x}, subscribed to the stream, ended before this callback could run", thread)};
} catch (...) {
  return CurrentError();
}

Error EndedByCallback() {
  return {kRtAicpuException,
          "the callback ended the thread it was called on (pthread_exit or pthread_cancel)"};
}

// The letter is over when it goes, also if a function that is told of its failure ends the thread.
class LetterEnd {
 public:
  explicit LetterEnd(Stream& stream) : stream_(stream) {}
  ~LetterEnd() { stream_.LetterDone(); }
  LetterEnd(const LetterEnd&) = delete;
  LetterEnd& operator=(const LetterEnd&) = delete;

 private:
  Stream& stream_;
};

// While it lives, this thread runs letters of the stream.
class LettersOf {
 public:
  explicit LettersOf(Stream& of) : stream(of) { stream.callbacks().EnterLetters(); }
  ~LettersOf() { stream.callbacks().LeaveLetters(); }
  LettersOf(const LettersOf&) = delete;
  LettersOf& operator=(const LettersOf&) = delete;

  Stream& stream;
};

}  // namespace

Mailbox::Mailbox(std::uint64_t thread, Kind kind) : thread_(thread), kind_(kind) {
  letters_.Reserve(kBatch);
  batch_.Reserve(kBatch);
}

void Mailbox::AddSubscription() {
  std::lock_guard<SpinLock> lock(lock_);
  inbox_.Reserve(static_cast<std::size_t>(subscriptions_.load()) + 1);
  subscriptions_.fetch_add(1);
}

// There is room for all subscribed streams. One that is just being unsubscribed may come on top of them.
Mailbox::Delivery Mailbox::Deliver(Stream& stream) noexcept {
  {
    std::lock_guard<SpinLock> lock(lock_);
    // Under the lock: SetAlive empties the inbox after it has said so.
    if (!alive_.load() || !inbox_.TryReserve(1)) return Delivery::kRefused;
    if (stream.inbox[static_cast<int>(kind_)].exchange(this) != this) inbox_.Push(&stream);
  }
  return Signal() ? Delivery::kAwaited : Delivery::kQueued;
}

void Mailbox::Post(Stream& stream, RingBuffer<Letter>& letters) noexcept {
  try {
    const std::uint64_t subscription = letters.front().subscription;
    Stream& subscribed = *letters.front().subscribed;
    if (!Take(letters)) throw ThreadEnded(thread_);
    // Whoever ends a subscription does so before dropping letters: one of the two sees the other.
    if (!subscribed.callbacks().IsSubscription(kind_, subscription)) {
      const Error why = Unsubscribed();
      DropLetters(stream, &why);
    }
  } catch (...) {
    const Error why = CurrentError();
    while (!letters.empty())
      FailLetterElsewhere(letters.Pop(), why);
  }
  Signal();
}

// False if the owner has ended. Without memory for all of them, as many as there is room for; then the owner
// makes room by taking them.
bool Mailbox::Take(RingBuffer<Letter>& letters) {
  for (Nanoseconds end = 0;;) {
    {
      std::lock_guard<SpinLock> lock(lock_);
      if (!alive_.load()) return false;
      letters_.TryReserve(letters.size());
      while (!letters.empty() && letters_.TryReserve(1))
        letters_.Push(letters.Pop());
    }
    if (letters.empty()) return true;
    if (end == 0) end = Now() + kPatienceWithoutMemory;
    if (Now() >= end) throw std::bad_alloc();
    Signal();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

// True if the owner was asleep, so that it looks at once.
bool Mailbox::Signal() noexcept {
  something_.store(true);
  if (sleeping_.load() == 0) return false;
  word_.fetch_add(1);
  bed_.Disturb();
  FutexWake(word_, 1);
  return true;
}

void Mailbox::Interrupt() {
  interrupts_.fetch_add(1);
  word_.fetch_add(1);
  FutexWakeAll(word_);
}

void Mailbox::DropLetters(Stream& stream, const Error* why) noexcept {
  const auto goes = [&](const Letter& letter) {
    if (letter.stream != &stream) return false;
    return why == nullptr ? stream.failures().IsDropped(letter.number)
                          : !letter.subscribed->callbacks().IsSubscription(kind_, letter.subscription);
  };
  Letter dropped[16];
  while (const std::size_t count = TakeBack(dropped, goes)) {
    for (std::size_t i = 0; i < count; ++i)
      why != nullptr ? FailLetterElsewhere(dropped[i], *why) : stream.LetterDone();
  }
}

// The first of those that go, as many as there is room for.
template <std::size_t kRoom, typename Goes>
std::size_t Mailbox::TakeBack(Letter (&taken)[kRoom], const Goes& goes) noexcept {
  std::size_t count = 0;
  std::lock_guard<SpinLock> lock(lock_);
  letters_.RemoveIf([&](const Letter& letter) { return count < kRoom && goes(letter); },
                    [&](const Letter& letter) { taken[count++] = letter; });
  return count;
}

void Mailbox::Forget(Stream& stream) {
  std::lock_guard<SpinLock> lock(lock_);
  inbox_.RemoveIf([&](Stream* entry) { return entry == &stream; }, [](Stream*) {});
  Mailbox* expected = this;
  stream.inbox[static_cast<int>(kind_)].compare_exchange_strong(expected, nullptr);
}

void Mailbox::SetAlive(bool alive) noexcept {
  if (alive_.exchange(alive) == alive || alive) return;
  Letter dropped[16];
  while (const std::size_t count = TakeBack(dropped, [this](const Letter&) { return !alive_.load(); })) {
    for (std::size_t i = 0; i < count; ++i)
      FailLetterElsewhere(dropped[i], ThreadEnded(thread_));
  }
  while (Stream* stream = TakeStream())
    stream->SubmitReady();  // a worker fails the callback at its head
}

Code Mailbox::Process(Nanoseconds deadline) {
  const Attendance attendance(attended_);
  if (!ever_attended()) ever_attended_.store(true);
  const std::uint32_t interrupts = interrupts_.load();
  const Nanoseconds unsubscribed_deadline = std::min(deadline, Now() + kLongestUnsubscribed);
  for (;;) {
    const std::uint32_t word = word_.load();
    if (ProcessReady()) return kSuccess;
    const bool subscribed = subscriptions() > 0;
    const Nanoseconds limit = subscribed || deadline != kForever ? deadline : unsubscribed_deadline;
    const bool interrupted = !subscribed && interrupts_.load() != interrupts;
    if (interrupted || (limit != kForever && Now() >= limit))
      return subscribed ? kRtReportTimeout : kRtThreadSubscribe;
    WaitForSignal(word, limit);
  }
}

void Mailbox::WaitForSignal(std::uint32_t word, Nanoseconds deadline) noexcept {
  if (vigil_.Keep([this] { return something_.load(std::memory_order_relaxed); })) return;
  bed_.LieDown();
  sleeping_.fetch_add(1);
  if (auto* const observer = Observer()) {
    WaitWatched(*observer, word, deadline);
  } else if (!something_.load()) {
    FutexWait(word_, word, deadline);
  }
  sleeping_.fetch_sub(1);
  bed_.GetUp();
  vigil_.WakeUp();
}

// Threads and streams that wait for one another can be told from those that wait for this one.
void Mailbox::WaitWatched(DeviceObserver& observer, std::uint32_t word, Nanoseconds deadline) noexcept {
  std::unique_ptr<DeviceObserver::Wait> watched;
  try {
    watched = observer.OnHostWaits(DeviceObserver::WaitsFor::kReports, nullptr, deadline != kForever);
  } catch (...) {  // no memory: it counts as a thread that may do anything
  }
  if (!something_.load()) FutexWait(word_, word, deadline);
}

// Handles what is there now, but not what keeps coming meanwhile, so that the owner gets back to its loop.
// False if there was nothing.
bool Mailbox::ProcessReady() {
  bool any = RunBatch();  // of a call this one is nested in: those callbacks are older
  if (!something_.load(std::memory_order_relaxed)) return any;
  something_.store(false);
  std::size_t streams = TakeLetters();
  if (streams > (batch_.empty() ? 1 : 0)) CallWorkersSoon(streams);
  any = RunBatch() || any;
  for (; streams > 0 && ProcessStream(); --streams)
    any = true;
  std::lock_guard<SpinLock> lock(lock_);
  if (!letters_.empty() || !inbox_.empty()) something_.store(true);
  return any;
}

// Makes all letters the batch to run next, and says how many streams wait.
std::size_t Mailbox::TakeLetters() {
  std::lock_guard<SpinLock> lock(lock_);
  std::swap(batch_, letters_);
  return inbox_.size();
}

// What is called before them may last, or wait for them.
void Mailbox::CallWorkersSoon(std::size_t streams) {
  for (; streams > 0; --streams) {
    Stream* stream = nullptr;
    {
      std::lock_guard<SpinLock> lock(lock_);
      if (inbox_.empty()) return;
      stream = inbox_.Pop();
      inbox_.Push(stream);
    }
    stream->CallWorkerSoon();
  }
}

bool Mailbox::ProcessStream() {
  Stream* stream = TakeStream();
  if (stream != nullptr) RunStream(*stream);
  return stream != nullptr;
}

Stream* Mailbox::TakeStream() noexcept {
  std::lock_guard<SpinLock> lock(lock_);
  if (inbox_.empty()) return nullptr;
  Stream* stream = inbox_.Pop();
  Mailbox* expected = this;
  stream->inbox[static_cast<int>(kind_)].compare_exchange_strong(expected, nullptr);
  return stream;
}

FOOTHOLD_HANDLES_END_OF_THREAD void Mailbox::RunStream(Stream& stream) {
  if (!stream.TryClaim()) return;
  TakeLettersOf(stream);
  Runner runner(Runner::Role::kReporter, this);
  runner.target = stream.queued();
  try {
    stream.Drain(runner);
  } catch (const EndOfThread&) {
    FailBatch();
    throw;
  }
  runner.Flush();
  RunBatch();
}

// Callbacks that left the stream on another thread are older than what is found in it now.
void Mailbox::TakeLettersOf(Stream& stream) {
  {
    std::lock_guard<SpinLock> lock(lock_);
    if (letters_.empty()) return;
    if (batch_.TryReserve(letters_.size())) {
      letters_.RemoveIf([&](const Letter& letter) { return letter.stream == &stream; },
                        [&](const Letter& letter) { batch_.Push(letter); });
      return;
    }
  }
  RunBatch();
  RunLettersOf(stream);
}

// Where there is no memory to put them into the batch.
void Mailbox::RunLettersOf(Stream& stream) {
  Letter first[1];
  while (TakeBack(first, [&](const Letter& letter) { return letter.stream == &stream; }) > 0) {
    const LettersOf running(stream);
    RunLetter(first[0]);
  }
}

FOOTHOLD_HANDLES_END_OF_THREAD bool Mailbox::RunBatch() {
  const bool any = !batch_.empty();
  try {
    while (!batch_.empty()) {
      const LettersOf running(*batch_.front().stream);
      while (!batch_.empty() && batch_.front().stream == &running.stream)
        RunLetter(batch_.Pop());
    }
  } catch (const EndOfThread&) {
    FailBatch();
    throw;
  }
  return any;
}

// The owner's thread ends: nobody will run them.
void Mailbox::FailBatch() noexcept {
  while (!batch_.empty())
    FailLetterElsewhere(batch_.Pop(), ThreadEnded(thread_));
}

FOOTHOLD_HANDLES_END_OF_THREAD void Mailbox::RunLetter(const Letter& letter) {
  Stream& stream = *letter.stream;
  if (stream.failures().IsDropped(letter.number)) return stream.LetterDone();
  if (!letter.subscribed->callbacks().IsSubscription(kind_, letter.subscription))
    return FailLetter(letter, Unsubscribed());
  std::optional<Error> error;
  try {
    CallUserFunction(letter.function, letter.argument, stream, Holds::kNothing);
  } catch (const EndOfThread&) {
    FailLetterElsewhere(letter, EndedByCallback());
    throw;
  } catch (...) {
    error.emplace(CurrentError());
  }
  error ? FailLetter(letter, *error) : stream.LetterDone();
}

void Mailbox::FailLetter(const Letter& letter, const Error& error) {
  const LetterEnd end(*letter.stream);
  letter.stream->FailTask(letter.api, "", static_cast<std::uint32_t>(letter.number), letter.thread, error,
                          Holds::kNothing);
}

// Where this thread cannot be ended by the functions of the program that are told of failures.
void Mailbox::FailLetterElsewhere(const Letter& letter, const Error& error) noexcept {
  if (!Runtime::Get().exception_callbacks.any()) return FailLetter(letter, error);
  CallOnThreadOfItsOwn([&] { FailLetter(letter, error); });
}

bool Mailbox::HoldsLetterOf(const Stream& stream) {
  const auto is_of_stream = [&](const Letter& letter) { return letter.stream == &stream; };
  if (batch_.AnyOf(is_of_stream)) return true;
  std::lock_guard<SpinLock> lock(lock_);
  return letters_.AnyOf(is_of_stream);
}

void Mailbox::RemoveSubscription() {
  subscriptions_.fetch_sub(1);
  Interrupt();
}

}  // namespace foothold
