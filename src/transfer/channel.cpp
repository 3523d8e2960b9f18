// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "transfer/channel.h"

#include "base/log.h"
#include "base/per_process.h"
#include "transfer/codes.h"

namespace foothold {
namespace {

[[noreturn]] void FailStopped(const std::string& name) {
  Fail(kFailure, "channel \"{}\" was stopped", name);
}

}  // namespace

Code Channel::Send(const TransferSet& set, Nanoseconds deadline) {
  if (messages_.closed()) FailStopped(name_);
  if (deadline <= Now() && messages_.full()) return kRtQueueFull;  // before anything is copied
  auto message = std::make_unique<std::vector<TransferItem>>();
  message->reserve(set.items.size());
  for (const void* item : set.items)
    message->push_back(TransferItems::Get().Find(item).Copy());
  const QueueOutcome outcome = messages_.Push(message, deadline);
  if (outcome == QueueOutcome::kClosed) FailStopped(name_);
  return outcome == QueueOutcome::kDone ? kSuccess : kRtQueueFull;
}

Code Channel::Receive(TransferSet& set, Nanoseconds deadline) {
  Message message;
  TransferSet came;
  // Objects for what comes next are made while it can still stay where it is.
  const auto prepare = [&](const Message& next) {
    came.items.reserve(next->size());
    came.received.reserve(next->size());
    while (came.received.size() < next->size())
      came.received.push_back(TransferItems::Get().Add({}));
    return true;
  };
  try {
    came.name = name_;
    const QueueOutcome outcome = messages_.Pop(message, deadline, prepare);
    if (outcome == QueueOutcome::kClosed) FailStopped(name_);
    if (outcome == QueueOutcome::kTimedOut) return kRtQueueEmpty;
  } catch (...) {
    came.Clear();
    throw;
  }
  for (std::size_t i = 0; i < message->size(); ++i)
    TransferItems::Get().Find(came.received[i]) = std::move((*message)[i]);
  came.items = came.received;
  set.Clear();
  set = std::move(came);
  return kSuccess;
}

Channels& Channels::Get() {
  return PerProcess<Channels>::Get();
}

void* Channels::Open(int device, const char* name, std::size_t capacity) {
  std::shared_ptr<Channel> channel = Join({device, name}, capacity);
  if (channel->capacity() != capacity) {
    Log(LogLevel::kWarning, "channel \"{}\" exists with a capacity of {}; {} has no effect", name,
        channel->capacity(), capacity);
  }
  try {
    HandledState<Channel>& handle = handles_.Take();
    handle.set_state(channel);
    return handles_.Publish(handle);
  } catch (...) {
    Leave(*channel);
    throw;
  }
}

// A name whose channel was stopped gets a fresh one: what waits in the old one is for those who have it.
std::shared_ptr<Channel> Channels::Join(const Key& key, std::size_t capacity) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<Channel>& channel = by_name_[key];
  if (channel == nullptr || channel->stopped()) channel = std::make_shared<Channel>(key.second, capacity);
  ++channel->handles_;
  return channel;
}

void Channels::Leave(Channel& channel) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (--channel.handles_ != 0) return;
  channel.Stop();
  std::erase_if(by_name_, [&](const auto& named) { return named.second.get() == &channel; });
}

std::shared_ptr<Channel> Channels::Find(const void* handle) {
  if (HandledState<Channel>* found = handles_.Find(handle)) {
    if (auto channel = found->state(); channel && found->IsCurrent(handle)) return channel;
  }
  if (handle == nullptr) Fail(kInvalidParam, "the channel must not be null");
  if (IsHandleOf(HandleKind::kTransferChannel, handle))
    Fail(kInvalidParam, "channel {} does not exist: it was destroyed", handle);
  Fail(kInvalidParam, "{} is not a channel", DescribeHandle(handle));
}

void Channels::Close(const void* handle) {
  const std::shared_ptr<Channel> channel = Find(handle);
  HandledState<Channel>* const object = handles_.Find(handle);
  if (object == nullptr || !handles_.Retire(*object, handle))
    Fail(kInvalidParam, "channel {} was destroyed by another thread", handle);
  object->set_state(nullptr);
  handles_.Recycle(*object);
  Leave(*channel);
}

}  // namespace foothold
