// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The way from streams to a thread of the program that executes their callbacks (aclrtSubscribeReport and
// aclrtProcessReport; aclrtSubscribeHostFunc and aclrtProcessHostFunc). A mailbox belongs to one thread,
// named by its pthread id, and exists as soon as either side mentions that id. Streams whose next task is a
// callback for this thread wait in the inbox; callbacks that do not hold up their stream arrive as letters.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/clock.h"
#include "base/ring_buffer.h"
#include "base/spin.h"
#include "device/task.h"
#include "device/wake_cost.h"

namespace foothold {

using UserFunction = void (*)(void*);

struct Letter {
  UserFunction function = nullptr;
  void* argument = nullptr;
  Stream* stream = nullptr;
  Stream* subscribed = nullptr;  // whose subscription it came by: that one, or one whose tasks it runs
  std::uint64_t subscription = 0;
  const char* api = nullptr;
  std::uint64_t number = 0;  // of its task among all of the stream
  std::uint32_t thread = 0;
};

class DeviceObserver;

class Mailbox {
 public:
  enum class Kind { kReport, kHostFunction };

  Mailbox(std::uint64_t thread, Kind kind);

  std::uint64_t thread() const { return thread_; }
  Kind kind() const { return kind_; }

  // Streams' side, any thread.
  // The stream waits for this thread. Refused if that has ended; awaited if it was asleep, so that it looks
  // at the stream at once or, if more has come meanwhile, sees to it that a worker will.
  enum class Delivery { kRefused, kQueued, kAwaited };
  Delivery Deliver(Stream& stream) noexcept;
  void Forget(Stream& stream);  // the stream waits no more
  // Callbacks beside the stream, in order; leaves `letters` empty. Those that cannot be taken fail.
  void Post(Stream& stream, RingBuffer<Letter>& letters) noexcept;
  // Takes back the stream's letters that have not begun. With a reason they fail, without they just do not
  // run.
  void DropLetters(Stream& stream, const Error* why) noexcept;

  // Owner's side: executes what is there; waits for the first until the deadline. The return value is the
  // public code: success, report time-out, or "this thread is not subscribed".
  Code Process(Nanoseconds deadline);

  // While collecting for the owner: a callback of a stream the owner is draining, to be run after the drain.
  // Precondition: the batch is not full, so there is room.
  void Keep(const Letter& letter) noexcept { batch_.Push(letter); }
  bool batch_full() const { return batch_.size() >= kBatch; }
  bool RunBatch();  // false if there was none

  // On the owner's thread: a callback of the stream waits here for this very thread.
  bool HoldsLetterOf(const Stream& stream);

  // Throws if there is no memory for what the stream delivers.
  void AddSubscription();
  void RemoveSubscription();
  int subscriptions() const { return subscriptions_.load(); }

  // The thread ended, or a new one with the same id appeared.
  void SetAlive(bool alive) noexcept;
  bool alive() const { return alive_.load(); }
  // Its thread is inside Process.
  bool attended() const { return attended_.load(std::memory_order_relaxed) > 0; }
  bool ever_attended() const { return ever_attended_.load(std::memory_order_relaxed); }

  // Wakes a waiting owner so that it looks at its subscriptions again.
  void Interrupt();

 private:
  static constexpr std::size_t kBatch = 64;

  bool Take(RingBuffer<Letter>& letters);
  template <std::size_t kRoom, typename Goes>
  std::size_t TakeBack(Letter (&taken)[kRoom], const Goes& goes) noexcept;
  bool ProcessReady();
  std::size_t TakeLetters();
  bool ProcessStream();
  Stream* TakeStream() noexcept;
  void CallWorkersSoon(std::size_t streams);
  void RunStream(Stream& stream);
  void TakeLettersOf(Stream& stream);
  void RunLettersOf(Stream& stream);
  void RunLetter(const Letter& letter);
  void FailBatch() noexcept;
  static void FailLetter(const Letter& letter, const Error& error);
  static void FailLetterElsewhere(const Letter& letter, const Error& error) noexcept;
  void WaitForSignal(std::uint32_t word, Nanoseconds deadline) noexcept;
  void WaitWatched(DeviceObserver& observer, std::uint32_t word, Nanoseconds deadline) noexcept;
  bool Signal() noexcept;

  const std::uint64_t thread_;
  const Kind kind_;
  std::atomic<int> subscriptions_{0};
  std::atomic<bool> alive_{true};
  std::atomic<bool> ever_attended_{false};
  std::atomic<std::uint32_t> interrupts_{0};

  alignas(64) std::atomic<bool> something_{false};  // inbox_ or letters_ may hold something
  std::atomic<std::uint32_t> word_{0};              // futex: bumped for every signal
  std::atomic<int> sleeping_{0};
  Bed bed_;
  SpinLock lock_;  // guards inbox_ and letters_
  RingBuffer<Stream*> inbox_;
  RingBuffer<Letter> letters_;

  // Written by the owner all the time, and away from what every launch of a callback reads.
  alignas(64) std::atomic<int> attended_{0};
  RingBuffer<Letter> batch_;  // owner's thread only, like vigil_
  Vigil vigil_;
};

}  // namespace foothold
