// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/mailbox.h"

#include <mutex>
#include <utility>

#include "base/futex.h"
#include "device/stream.h"
#include "device/user_code.h"
#include "device/wake_cost.h"

namespace foothold {

void Mailbox::Deliver(Stream& stream) {
  {
    std::lock_guard<SpinLock> lock(lock_);
    bool& present = stream.in_inbox[static_cast<int>(kind_)];
    if (!present) {
      present = true;
      inbox_.Push(&stream);
    }
  }
  Signal();
}

void Mailbox::Post(const Letter& letter) {
  {
    std::lock_guard<SpinLock> lock(lock_);
    letters_.Push(letter);
  }
  Signal();
}

void Mailbox::Signal() noexcept {
  something_.store(true);
  if (sleeping_.load() == 0) return;
  word_.fetch_add(1);
  FutexWake(word_, 1);
  NoteWakeUp();
}

void Mailbox::Interrupt() {
  interrupts_.fetch_add(1);
  word_.fetch_add(1);
  FutexWakeAll(word_);
}

void Mailbox::DropLetters(Stream& stream, const Error& why) {
  RingBuffer<Letter> dropped;
  {
    std::lock_guard<SpinLock> lock(lock_);
    letters_.RemoveIf([&](const Letter& letter) { return letter.stream == &stream; },
                      [&](const Letter& letter) { dropped.Push(letter); });
  }
  while (!dropped.empty())
    FailLetter(dropped.Pop(), why);
}

void Mailbox::Forget(Stream& stream) {
  std::lock_guard<SpinLock> lock(lock_);
  inbox_.RemoveIf([&](Stream* entry) { return entry == &stream; }, [](Stream*) {});
  stream.in_inbox[static_cast<int>(kind_)] = false;
}

void Mailbox::SetAlive(bool alive) {
  if (alive_.exchange(alive) == alive || alive) return;
  const Error why(kRtThreadSubscribe, "the thread subscribed to the stream has ended");
  RingBuffer<Letter> letters;
  RingBuffer<Stream*> streams;
  {
    std::lock_guard<SpinLock> lock(lock_);
    std::swap(letters, letters_);
    std::swap(streams, inbox_);
    for (std::size_t left = streams.size(); left > 0; --left) {
      Stream* stream = streams.Pop();
      stream->in_inbox[static_cast<int>(kind_)] = false;
      streams.Push(stream);
    }
  }
  while (!letters.empty())
    FailLetter(letters.Pop(), why);
  while (!streams.empty())
    streams.Pop()->SubmitReady();  // a worker fails the callbacks at their heads
}

Code Mailbox::Process(Nanoseconds deadline) {
  entered_.store(true, std::memory_order_relaxed);
  const std::uint32_t interrupts = interrupts_.load();
  for (;;) {
    if (ProcessReady()) return kSuccess;
    if (interrupts_.load() != interrupts && subscriptions() == 0) return kRtThreadSubscribe;
    if (deadline != kForever && Now() >= deadline)
      return subscriptions() > 0 ? kRtReportTimeout : kRtThreadSubscribe;
    WaitForSignal(deadline);
  }
}

void Mailbox::WaitForSignal(Nanoseconds deadline) noexcept {
  for (SpinPlace place; place.Spin();) {
    if (something_.load(std::memory_order_relaxed)) return;
  }
  const std::uint32_t word = word_.load();
  sleeping_.fetch_add(1);
  if (!something_.load()) FutexWait(word_, word, deadline);
  sleeping_.fetch_sub(1);
}

// Handles what is there now, but not what keeps coming meanwhile, so that the owner gets back to its loop.
// False if there was nothing.
bool Mailbox::ProcessReady() {
  if (!something_.load(std::memory_order_relaxed)) return false;
  something_.store(false);
  std::size_t left;
  {
    std::lock_guard<SpinLock> lock(lock_);
    left = letters_.size() + inbox_.size();
  }
  const bool any = left > 0;
  while (left > 0 && ProcessOne()) {
    --left;
  }
  std::lock_guard<SpinLock> lock(lock_);
  if (!letters_.empty() || !inbox_.empty()) something_.store(true);
  return any;
}

bool Mailbox::ProcessOne() {
  Letter letter;
  Stream* stream = nullptr;
  {
    std::lock_guard<SpinLock> lock(lock_);
    if (!letters_.empty()) {
      letter = letters_.Pop();
    } else if (!inbox_.empty()) {
      stream = inbox_.Pop();
      stream->in_inbox[static_cast<int>(kind_)] = false;
    } else {
      return false;
    }
  }
  if (stream == nullptr) {
    RunLetter(letter);
  } else {
    RunStream(*stream);
  }
  return true;
}

void Mailbox::RunStream(Stream& stream) {
  if (!stream.TryClaim()) return;
  Runner runner(Runner::Role::kReporter, this);
  runner.target = stream.queued();
  stream.Drain(runner);
  runner.Flush();
  RunBatch();
}

void Mailbox::RunBatch() {
  while (!batch_.empty())
    RunLetter(batch_.Pop());
}

void Mailbox::RunLetter(const Letter& letter) {
  Stream& stream = *letter.stream;
  if (!stream.IsSubscription(kind_, letter.subscription)) {
    return FailLetter(letter, Error(kRtStreamNoCallbackThread,
                                    "the stream was unsubscribed before this callback could run"));
  }
  try {
    CallUserFunction(letter.function, letter.argument, stream);
    stream.LetterDone();
  } catch (...) {
    FailLetter(letter, CurrentError());
  }
}

void Mailbox::FailLetter(const Letter& letter, const Error& error) noexcept {
  letter.stream->FailTask(letter.api, "", letter.task, letter.thread, error);
  letter.stream->LetterDone();
}

void Mailbox::RemoveSubscription() {
  subscriptions_.fetch_sub(1);
  Interrupt();
}

}  // namespace foothold
