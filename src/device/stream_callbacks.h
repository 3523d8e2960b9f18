// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The functions of the program a stream calls: the threads that are subscribed to execute them, one for
// report callbacks and one for host functions; those that left the stream as letters; and those that run now.
// A part of Stream. No letter is answered before it was sent, and letters wait here for one subscription at a
// time. Any thread, unless a comment says otherwise.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/ring_buffer.h"
#include "device/mailbox.h"

namespace foothold {

class StreamCallbacks {
 public:
  struct Subscription {
    Mailbox* mailbox = nullptr;
    std::uint64_t number = 0;
  };

  explicit StreamCallbacks(Stream& stream) : stream_(stream) {}

  // Before the stream is published. Throws if there is no memory for what must not fail later.
  void Open();

  // `handle` is the handle the caller found the stream by.
  void Subscribe(const void* handle, Mailbox& mailbox);
  void Unsubscribe(const void* handle, std::uint64_t thread, Mailbox::Kind kind);
  // By the thread that closes the stream.
  void DropSubscriptions(const Error& why) noexcept;
  Subscription subscription(Mailbox::Kind kind) const noexcept;
  bool IsSubscription(Mailbox::Kind kind, std::uint64_t number) const noexcept {
    return subscriptions_[static_cast<int>(kind)].number.load() == number;
  }

  // Takes back the letters of dropped tasks that have not begun.
  void DropLetters() noexcept;
  // A letter waits for this very thread.
  bool HaveLetterForThisThread() const;
  std::uint64_t sent() const noexcept { return sent_.load(); }
  std::uint64_t answered() const noexcept { return answered_.load(); }
  bool AllAnswered() const noexcept { return answered() == sent(); }
  // A function of the program runs: one that holds up the stream, or any.
  bool HoldUpStream() const noexcept { return holding_.load() > 0; }
  bool AnyRuns() const noexcept { return HoldUpStream() || letters_running_.load() > 0; }

  // The thread that letters on their way are for, while the stream itself has nothing to do; else null.
  const Mailbox* MailboxOfLetters() const noexcept;

  // By the thread that drains the stream, so there is only one at a time.
  void EnterTask() noexcept {
    holding_.store(holding_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  void LeaveTask() noexcept {
    holding_.store(holding_.load(std::memory_order_relaxed) - 1, std::memory_order_release);
  }
  // A callback beside the stream: leaves with the next Post, at the latest before the stream runs something
  // else or is given up.
  void Send(const Letter& letter, Mailbox& to) noexcept;
  void CountSent() noexcept {
    sent_.store(sent_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  void Post() noexcept {
    if (outgoing_to_ != nullptr) PostOutgoing();
  }
  void PostUnlessFor(const Mailbox* mailbox) noexcept {
    if (mailbox != outgoing_to_) Post();
  }

  // By the threads that run letters. CountAnswered says how many are over now: for Stream::LetterDone.
  void EnterLetters() noexcept { letters_running_.fetch_add(1, std::memory_order_relaxed); }
  void LeaveLetters() noexcept { letters_running_.fetch_sub(1, std::memory_order_relaxed); }
  std::uint64_t CountAnswered() noexcept { return answered_.fetch_add(1) + 1; }

 private:
  struct SharedSubscription {  // written under the lock of the queue, read without
    std::atomic<Mailbox*> mailbox{nullptr};
    std::atomic<std::uint64_t> number{0};
  };

  void EndSubscription(SharedSubscription& mine) noexcept;
  void LeaveMailbox(Mailbox& mailbox, const Error& why) noexcept;
  void PostOutgoing() noexcept;

  alignas(64) Stream& stream_;
  SharedSubscription subscriptions_[2];

  // Written by the draining thread for every call of a function of the program.
  alignas(64) std::atomic<int> holding_{0};  // functions that hold up the stream now
  std::atomic<std::uint64_t> sent_{0};
  RingBuffer<Letter> outgoing_;     // sent and not yet posted
  Mailbox* outgoing_to_ = nullptr;  // null if there are none

  // Written by the threads that run letters.
  alignas(64) std::atomic<std::uint64_t> answered_{0};
  std::atomic<int> letters_running_{0};  // threads at it
};

}  // namespace foothold
