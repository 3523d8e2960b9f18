// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/stream_callbacks.h"

#include "device/observer.h"
#include "device/runtime.h"
#include "device/stream.h"

namespace foothold {
namespace {

constexpr std::size_t kLeastOutgoing = 16;
std::atomic<std::uint64_t> next_subscription{0};

}  // namespace

void StreamCallbacks::Open() {
  outgoing_.Reserve(kLeastOutgoing);
}

void StreamCallbacks::Subscribe(const void* handle, Mailbox& mailbox) {
  const auto hold = stream_.Hold();
  stream_.CheckCurrent(handle);
  SharedSubscription& mine = subscriptions_[static_cast<int>(mailbox.kind())];
  if (const Mailbox* other = mine.mailbox.load()) {
    Fail(kRtStreamSubscribe,
         "stream {} already has thread {:#x} subscribed; a stream has one thread at a time, unsubscribe that "
         "one first",
         stream_.id(), other->thread());
  }
  mine.mailbox.store(&mailbox);
  mine.number.store(next_subscription.fetch_add(1) + 1);
}

void StreamCallbacks::Unsubscribe(const void* handle, std::uint64_t thread, Mailbox::Kind kind) {
  const Error why(kRtStreamNoCallbackThread, "the stream was unsubscribed before this callback could run");
  SharedSubscription& mine = subscriptions_[static_cast<int>(kind)];
  Mailbox* mailbox;
  {
    const auto hold = stream_.Hold();
    stream_.CheckCurrent(handle);
    mailbox = mine.mailbox.load();
    if (mailbox == nullptr) Fail(kRtStreamSubscribe, "stream {} has no thread subscribed", stream_.id());
    if (mailbox->thread() != thread) {
      Fail(kRtThreadSubscribe, "stream {} is subscribed to thread {:#x}, not to thread {:#x}", stream_.id(),
           mailbox->thread(), thread);
    }
    EndSubscription(mine);
  }
  if (auto* const observer = Observer()) {
    const char* const launch = kind == Mailbox::Kind::kReport ? "aclrtLaunchCallback" : "aclrtLaunchHostFunc";
    observer->OnThreadUnsubscribes(stream_, launch, kind == Mailbox::Kind::kReport ? sent() - answered() : 0);
  }
  LeaveMailbox(*mailbox, why);
}

void StreamCallbacks::DropSubscriptions(const Error& why) noexcept {
  for (SharedSubscription& mine : subscriptions_) {
    Mailbox* mailbox;
    {
      const auto hold = stream_.Hold();
      mailbox = mine.mailbox.load();
      if (mailbox == nullptr) continue;
      EndSubscription(mine);
    }
    LeaveMailbox(*mailbox, why);
  }
}

// Precondition: the queue's lock is held.
void StreamCallbacks::EndSubscription(SharedSubscription& mine) noexcept {
  mine.number.store(0);
  mine.mailbox.store(nullptr);
}

void StreamCallbacks::LeaveMailbox(Mailbox& mailbox, const Error& why) noexcept {
  mailbox.Forget(stream_);
  mailbox.DropLetters(stream_, &why);
  Runtime::Get().mailboxes.Unsubscribe(mailbox);
  stream_.Nudge();  // a callback at the head has lost its thread
}

StreamCallbacks::Subscription StreamCallbacks::subscription(Mailbox::Kind kind) const noexcept {
  const SharedSubscription& mine = subscriptions_[static_cast<int>(kind)];
  const std::uint64_t number = mine.number.load();
  Mailbox* mailbox = mine.mailbox.load();
  // Numbers are never used twice: if it still stands, the mailbox read between belongs to it.
  if (number == 0 || mine.number.load() != number) return {};
  return {mailbox, number};
}

void StreamCallbacks::DropLetters() noexcept {
  for (auto kind : {Mailbox::Kind::kReport, Mailbox::Kind::kHostFunction}) {
    if (Mailbox* mailbox = subscription(kind).mailbox) mailbox->DropLetters(stream_, nullptr);
  }
}

bool StreamCallbacks::HaveLetterForThisThread() const {
  for (auto kind : {Mailbox::Kind::kReport, Mailbox::Kind::kHostFunction}) {
    Mailbox* mailbox = subscription(kind).mailbox;
    if (mailbox != nullptr && mailbox->thread() == SelfThread() && mailbox->HoldsLetterOf(stream_))
      return true;
  }
  return false;
}

const Mailbox* StreamCallbacks::MailboxOfLetters() const noexcept {
  if (AllAnswered() || stream_.queued() != stream_.done()) return nullptr;
  return subscription(Mailbox::Kind::kReport).mailbox;
}

void StreamCallbacks::Send(const Letter& letter, Mailbox& to) noexcept {
  if (!outgoing_.empty() && outgoing_.front().subscription != letter.subscription) Post();
  if (!outgoing_.TryReserve(1)) Post();  // then there is room
  outgoing_.Push(letter);
  outgoing_to_ = &to;
}

void StreamCallbacks::PostOutgoing() noexcept {
  outgoing_to_->Post(stream_, outgoing_);
  outgoing_to_ = nullptr;
}

}  // namespace foothold
