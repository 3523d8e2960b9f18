// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/mailbox.h"

#include <cxxabi.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

#include "base/futex.h"
#include "device/stream.h"
#include "device/user_code.h"
#include "device/wake_cost.h"

namespace foothold {
namespace {

// How long a thread without subscription waits for one, however long it wants to wait for callbacks.
constexpr Nanoseconds kLongestUnsubscribed = 100 * kMillisecond;

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

Error ThreadEnded(std::uint64_t thread) {
  return {
      kRtThreadSubscribe,
      fmt::format("thread {:#x}, subscribed to the stream, ended before this callback could run", thread)};
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
  explicit LettersOf(Stream& of) : stream(of) { stream.EnterLetters(); }
  ~LettersOf() { stream.LeaveLetters(); }
  LettersOf(const LettersOf&) = delete;
  LettersOf& operator=(const LettersOf&) = delete;

  Stream& stream;
};

}  // namespace

Mailbox::Delivery Mailbox::Deliver(Stream& stream) {
  {
    std::lock_guard<SpinLock> lock(lock_);
    // Under the lock: SetAlive empties the inbox after it has said so.
    if (!alive_.load()) return Delivery::kRefused;
    if (stream.inbox[static_cast<int>(kind_)].exchange(this) != this) inbox_.Push(&stream);
  }
  return Signal() ? Delivery::kAwaited : Delivery::kQueued;
}

void Mailbox::Post(Stream& stream, RingBuffer<Letter>& letters) noexcept {
  try {
    const std::uint64_t subscription = letters.front().subscription;
    if (!Take(letters)) throw ThreadEnded(thread_);
    // Whoever ends a subscription does so before dropping letters: one of the two sees the other.
    if (!stream.IsSubscription(kind_, subscription)) {
      const Error why = Unsubscribed();
      DropLetters(stream, &why);
    }
  } catch (...) {
    const Error why = CurrentError();
    while (!letters.empty())
      FailLetter(letters.Pop(), why);
  }
  Signal();
}

// False if the owner has ended. Takes all or, when it throws, none.
bool Mailbox::Take(RingBuffer<Letter>& letters) {
  std::lock_guard<SpinLock> lock(lock_);
  if (!alive_.load()) return false;
  letters_.Reserve(letters.size());
  while (!letters.empty())
    letters_.Push(letters.Pop());
  return true;
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

void Mailbox::DropLetters(Stream& stream, const Error* why) {
  RingBuffer<Letter> dropped;
  {
    std::lock_guard<SpinLock> lock(lock_);
    const auto goes = [&](const Letter& letter) {
      if (letter.stream != &stream) return false;
      return why == nullptr ? stream.IsDropped(letter.number)
                            : !stream.IsSubscription(kind_, letter.subscription);
    };
    letters_.RemoveIf(goes, [&](const Letter& letter) { dropped.Push(letter); });
  }
  while (!dropped.empty()) {
    const Letter letter = dropped.Pop();
    why != nullptr ? FailLetter(letter, *why) : stream.LetterDone();
  }
}

void Mailbox::Forget(Stream& stream) {
  std::lock_guard<SpinLock> lock(lock_);
  inbox_.RemoveIf([&](Stream* entry) { return entry == &stream; }, [](Stream*) {});
  Mailbox* expected = this;
  stream.inbox[static_cast<int>(kind_)].compare_exchange_strong(expected, nullptr);
}

void Mailbox::SetAlive(bool alive) {
  if (alive_.exchange(alive) == alive || alive) return;
  RingBuffer<Letter> letters;
  RingBuffer<Stream*> streams;
  {
    std::lock_guard<SpinLock> lock(lock_);
    std::swap(letters, letters_);
    std::swap(streams, inbox_);
    for (std::size_t left = streams.size(); left > 0; --left) {
      Stream* stream = streams.Pop();
      Mailbox* expected = this;
      stream->inbox[static_cast<int>(kind_)].compare_exchange_strong(expected, nullptr);
      streams.Push(stream);
    }
  }
  while (!letters.empty())
    FailLetter(letters.Pop(), ThreadEnded(thread_));
  while (!streams.empty())
    streams.Pop()->SubmitReady();  // a worker fails the callbacks at their heads
}

Code Mailbox::Process(Nanoseconds deadline) {
  const Attendance attendance(attended_);
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
  if (!something_.load()) FutexWait(word_, word, deadline);
  sleeping_.fetch_sub(1);
  bed_.GetUp();
  vigil_.WakeUp();
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
  Stream* stream = nullptr;
  {
    std::lock_guard<SpinLock> lock(lock_);
    if (inbox_.empty()) return false;
    stream = inbox_.Pop();
    Mailbox* expected = this;
    stream->inbox[static_cast<int>(kind_)].compare_exchange_strong(expected, nullptr);
  }
  RunStream(*stream);
  return true;
}

void Mailbox::RunStream(Stream& stream) {
  if (!stream.TryClaim()) return;
  TakeLettersOf(stream);
  Runner runner(Runner::Role::kReporter, this);
  runner.target = stream.queued();
  stream.Drain(runner);
  runner.Flush();
  RunBatch();
}

// Callbacks that left the stream on another thread are older than what is found in it now.
void Mailbox::TakeLettersOf(Stream& stream) {
  std::lock_guard<SpinLock> lock(lock_);
  if (letters_.empty()) return;
  letters_.RemoveIf([&](const Letter& letter) { return letter.stream == &stream; },
                    [&](const Letter& letter) { batch_.Push(letter); });
}

bool Mailbox::RunBatch() {
  const bool any = !batch_.empty();
  try {
    while (!batch_.empty()) {
      const LettersOf running(*batch_.front().stream);
      while (!batch_.empty() && batch_.front().stream == &running.stream)
        RunLetter(batch_.Pop());
    }
  } catch (const abi::__forced_unwind&) {
    while (!batch_.empty())
      FailLetter(batch_.Pop(), ThreadEnded(thread_));
    throw;
  }
  return any;
}

void Mailbox::RunLetter(const Letter& letter) {
  Stream& stream = *letter.stream;
  if (stream.IsDropped(letter.number)) return stream.LetterDone();
  if (!stream.IsSubscription(kind_, letter.subscription)) return FailLetter(letter, Unsubscribed());
  std::optional<Error> error;
  try {
    CallUserFunction(letter.function, letter.argument, stream, Holds::kNothing);
  } catch (const abi::__forced_unwind&) {
    FailLetter(letter, EndedByCallback());
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
