// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// A stream's binding to the threads that execute its callbacks.
#include <mutex>

#include "device/runtime.h"
#include "device/stream.h"

namespace foothold {
namespace {

std::atomic<std::uint64_t> next_subscription{0};

}  // namespace

void Stream::Subscribe(const void* handle, Mailbox& mailbox) {
  std::lock_guard<SpinLock> lock(push_lock_);
  if (!IsCurrent(handle))
    Fail(kRtInvalidHandle, "stream {} was destroyed by another thread during this call", handle);
  SharedSubscription& mine = subscriptions_[static_cast<int>(mailbox.kind())];
  if (const Mailbox* other = mine.mailbox.load()) {
    Fail(kRtStreamSubscribe,
         "stream {} already has thread {:#x} subscribed; a stream has one thread at a time, unsubscribe that "
         "one first",
         id(), other->thread());
  }
  mine.mailbox.store(&mailbox);
  mine.number.store(next_subscription.fetch_add(1) + 1);
}

void Stream::Unsubscribe(const void* handle, std::uint64_t thread, Mailbox::Kind kind) {
  const Error why(kRtStreamNoCallbackThread, "the stream was unsubscribed before this callback could run");
  Mailbox* mailbox;
  {
    std::lock_guard<SpinLock> lock(push_lock_);
    if (!IsCurrent(handle))
      Fail(kRtInvalidHandle, "stream {} was destroyed by another thread during this call", handle);
    mailbox = subscriptions_[static_cast<int>(kind)].mailbox.load();
    if (mailbox == nullptr) Fail(kRtStreamSubscribe, "stream {} has no thread subscribed", id());
    if (mailbox->thread() != thread) {
      Fail(kRtThreadSubscribe, "stream {} is subscribed to thread {:#x}, not to thread {:#x}", id(),
           mailbox->thread(), thread);
    }
    EndSubscription(kind);
  }
  LeaveMailbox(*mailbox, why);
}

void Stream::DropSubscription(Mailbox::Kind kind, const Error& why) noexcept {
  Mailbox* mailbox;
  {
    std::lock_guard<SpinLock> lock(push_lock_);
    mailbox = subscriptions_[static_cast<int>(kind)].mailbox.load();
    if (mailbox == nullptr) return;
    EndSubscription(kind);
  }
  LeaveMailbox(*mailbox, why);
}

// Precondition: push_lock_ is held.
void Stream::EndSubscription(Mailbox::Kind kind) noexcept {
  SharedSubscription& mine = subscriptions_[static_cast<int>(kind)];
  mine.number.store(0);
  mine.mailbox.store(nullptr);
}

void Stream::LeaveMailbox(Mailbox& mailbox, const Error& why) noexcept {
  mailbox.Forget(*this);
  mailbox.DropLetters(*this, &why);
  Runtime::Get().mailboxes.Unsubscribe(mailbox);
  Nudge();  // a callback at the head has lost its thread
}

void Stream::Send(const Letter& letter, Mailbox& to) noexcept {
  if (!outgoing_.empty() && outgoing_.front().subscription != letter.subscription) SendLetters();
  if (!outgoing_.TryReserve(1)) SendLetters();  // then there is room
  outgoing_.Push(letter);
  outgoing_to_ = &to;
}

void Stream::SendLetters() noexcept {
  if (outgoing_to_ == nullptr) return;
  outgoing_to_->Post(*this, outgoing_);
  outgoing_to_ = nullptr;
}

Stream::Subscription Stream::subscription(Mailbox::Kind kind) const noexcept {
  const SharedSubscription& mine = subscriptions_[static_cast<int>(kind)];
  const std::uint64_t number = mine.number.load();
  Mailbox* mailbox = mine.mailbox.load();
  // Numbers are never used twice: if it still stands, the mailbox read between belongs to it.
  if (number == 0 || mine.number.load() != number) return {};
  return {mailbox, number};
}

bool Stream::IsSubscription(Mailbox::Kind kind, std::uint64_t number) const noexcept {
  return subscriptions_[static_cast<int>(kind)].number.load() == number;
}

}  // namespace foothold
