// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/callbacks.h"

#include <fmt/format.h>

#include "base/broken_rule.h"
#include "base/error.h"
#include "device/current.h"
#include "device/executor.h"
#include "device/observer.h"
#include "device/runtime.h"
#include "device/stream.h"
#include "device/user_code.h"

namespace foothold {
namespace {

// A call on a subscribed thread. One that holds up its stream runs when that thread drains the stream; one
// that does not leaves as a letter.
class SubscribedCall {
 public:
  // Calls the function again, on the thread that was subscribed to its stream, whichever stream runs it.
  static constexpr bool kReplays = true;

  SubscribedCall(UserFunction function, void* argument, Stream& stream,
                 const StreamCallbacks::Subscription& subscription, bool blocking)
      : function_(function),
        argument_(argument),
        stream_(&stream),
        mailbox_(subscription.mailbox),
        number_and_blocking_(subscription.number << 1 | (blocking ? 1 : 0)) {}

  Outcome Run(Stream& stream) {
    CheckReachable();
    Runner* runner = Runner::Current();
    const bool on_its_thread = runner != nullptr && runner->mailbox == mailbox_;
    if (blocking() && !on_its_thread) FailEnded();  // came back after all, but too late
    if (!blocking()) {
      const Letter letter = MakeLetter(stream);
      if (auto* const observer = Observer()) observer->OnLetterLeaves(stream);
      on_its_thread ? mailbox_->Keep(letter) : stream.callbacks().Send(letter, *mailbox_);
      stream.callbacks().CountSent();
    } else {
      mailbox_->RunBatch();  // calls of this stream that came earlier
      CallUserFunction(function_, argument_, stream, Holds::kStream);
    }
    return Outcome::kDone;
  }

  Place place() const {
    if (!Reachable()) return {};
    return {blocking() ? Place::kMailbox : Place::kAnywhere, mailbox_};
  }

  std::string Describe() const {
    return fmt::format("fn={}, userData={}, {}", reinterpret_cast<void*>(function_), argument_,
                       blocking() ? "blocking" : "not blocking");
  }
  void ListAccesses(std::vector<Access>&) const {}

 private:
  bool blocking() const { return number_and_blocking_ & 1; }
  std::uint64_t number() const { return number_and_blocking_ >> 1; }
  bool Subscribed() const { return stream_->callbacks().IsSubscription(mailbox_->kind(), number()); }
  bool Reachable() const { return mailbox_->alive() && Subscribed(); }

  void CheckReachable() const {
    if (!Subscribed())
      Fail(kRtStreamNoCallbackThread, "the stream was unsubscribed before this callback could run");
    if (!mailbox_->alive()) FailEnded();
  }

  [[noreturn]] void FailEnded() const {
    Fail(kRtThreadSubscribe, "thread {:#x}, subscribed to the stream, ended before this callback could run",
         mailbox_->thread());
  }

  Letter MakeLetter(Stream& stream) const {
    const Task& task = stream.running_task();
    return {function_, argument_, &stream, stream_, number(), task.api, stream.done(), task.thread};
  }

  UserFunction function_;
  void* argument_;
  Stream* stream_;
  Mailbox* mailbox_;
  std::uint64_t number_and_blocking_;
};

class HostFunction {
 public:
  static constexpr bool kReplays = true;  // calls the function again

  HostFunction(UserFunction function, void* argument) : function_(function), argument_(argument) {}
  Outcome Run(Stream& stream) {
    Executor::UserCode scope;
    CallUserFunction(function_, argument_, stream, Holds::kStream);
    return Outcome::kDone;
  }
  Place place() const { return {Place::kWorker, nullptr}; }
  std::string Describe() const {
    return fmt::format("fn={}, args={}", reinterpret_cast<void*>(function_), argument_);
  }
  void ListAccesses(std::vector<Access>&) const {}

 private:
  UserFunction function_;
  void* argument_;
};

const char* ProcessName(Mailbox::Kind kind) {
  return kind == Mailbox::Kind::kReport ? "aclrtProcessReport" : "aclrtProcessHostFunc";
}

}  // namespace

void Subscribe(std::uint64_t thread, const StreamRef& stream, Mailbox::Kind kind) {
  if (auto* const observer = Observer()) observer->OnThreadSubscribed(thread);
  Mailboxes& mailboxes = Runtime::Get().mailboxes;
  Mailbox& mailbox = mailboxes.Subscribe(thread, kind, stream->device());
  try {
    stream->callbacks().Subscribe(stream.handle, mailbox);
  } catch (...) {
    mailboxes.Unsubscribe(mailbox);
    throw;
  }
}

void Unsubscribe(std::uint64_t thread, const StreamRef& stream, Mailbox::Kind kind) {
  stream->callbacks().Unsubscribe(stream.handle, thread, kind);
}

Code ProcessCallbacks(Mailbox::Kind kind, Nanoseconds deadline) {
  Mailboxes& mailboxes = Runtime::Get().mailboxes;
  mailboxes.NoteThread();
  static thread_local Mailbox* mine[2] = {};
  static thread_local const Mailboxes* from = nullptr;
  if (from != &mailboxes) {
    mine[0] = mine[1] = nullptr;
    from = &mailboxes;
  }
  Mailbox*& mailbox = mine[static_cast<int>(kind)];
  if (mailbox == nullptr) mailbox = &mailboxes.Get(SelfThread(), kind);
  return mailbox->Process(deadline);
}

void LaunchCallback(const StreamRef& stream, const char* api, UserFunction function, void* argument,
                    bool blocking) {
  const auto subscription = stream->callbacks().subscription(Mailbox::Kind::kReport);
  if (subscription.mailbox == nullptr) {
    Fail(kRtStreamNoCallbackThread,
         "no thread is subscribed to stream {}; call aclrtSubscribeReport(threadId, stream) before launching "
         "callbacks",
         stream->id());
  }
  if (!subscription.mailbox->alive()) {
    BreaksRule("ACL-CB-002", stream.handle);
    Fail(kRtThreadSubscribe,
         "thread {:#x}, subscribed to stream {}, has ended, so the callback could never run; keep it calling "
         "{} until "
         "the stream is synchronised",
         subscription.mailbox->thread(), stream->id(), ProcessName(Mailbox::Kind::kReport));
  }
  // Letters leave with the stream they were sent from. A captured or stored call runs in another, which it
  // holds up.
  const bool holds_up = blocking || stream->is_diverted() || stream->is_stored();
  stream.Push(api, SubscribedCall(function, argument, *stream.stream, subscription, holds_up));
  if (auto* const observer = Observer()) observer->OnFunctionQueued(*stream.stream);
}

void LaunchHostFunction(const StreamRef& stream, const char* api, UserFunction function, void* argument) {
  const auto subscription = stream->callbacks().subscription(Mailbox::Kind::kHostFunction);
  if (subscription.mailbox != nullptr && subscription.mailbox->alive()) {
    stream.Push(api, SubscribedCall(function, argument, *stream.stream, subscription, true));
  } else {
    stream.Push(api, HostFunction(function, argument));
  }
  if (auto* const observer = Observer()) observer->OnFunctionQueued(*stream.stream);
}

}  // namespace foothold
