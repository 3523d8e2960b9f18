// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "transfer/queue.h"

#include "base/log.h"
#include "transfer/buffer.h"

namespace foothold {
namespace {

[[noreturn]] void FailDestroyed(const std::string& name) {
  Fail(kInvalidQueueId, "queue \"{}\" was destroyed", name);
}

// A buffer for a further target: the same memory by another handle, and so for those that follow.
void* ShareChain(void* head) {
  void* const copy = ShareBuffer(head, kInvalidParam);
  try {
    for (void* follower : TransferBuffers::Get().Find(head).followers)
      AppendToChain(copy, ShareBuffer(follower, kInvalidParam), kInvalidParam);
  } catch (...) {
    EndQueuedBuffer(copy);
    throw;
  }
  return copy;
}

}  // namespace

TransferQueue::~TransferQueue() {
  void* buffer = nullptr;
  while (buffers_.Pop(buffer, 0) == QueueOutcome::kDone)
    EndQueuedBuffer(buffer);
}

Code TransferQueue::Enqueue(void* handle, Nanoseconds deadline) {
  TransferBuffer& buffer = FindBuffer(handle, kInvalidParam);
  if (buffer.head != nullptr)
    Fail(kInvalidParam, "shared buffer {} follows in the chain of {}: enqueue that one", handle, buffer.head);
  buffer.queued = true;  // before another thread can take it
  const QueueOutcome outcome = buffers_.Push(handle, deadline);
  if (outcome == QueueOutcome::kDone) {
    PassOn();
    return kSuccess;
  }
  buffer.queued = false;
  if (outcome == QueueOutcome::kClosed) FailDestroyed(name_);
  return kRtQueueFull;
}

Code TransferQueue::Taken(QueueOutcome outcome, void* handle) {
  if (outcome == QueueOutcome::kClosed) FailDestroyed(name_);
  if (outcome != QueueOutcome::kDone) return kRtQueueEmpty;
  TransferBuffers::Get().Find(handle).queued = false;
  CallSources();
  return kSuccess;
}

void TransferQueue::SetRoutes(std::shared_ptr<const Sources> sources,
                              std::shared_ptr<const Targets> targets) {
  std::lock_guard<SpinLock> lock(lock_);
  sources_.swap(sources);
  targets_.swap(targets);
}

// One thread at a time moves; calls that come meanwhile make it look again.
void TransferQueue::PassOn() noexcept {
  if (calls_.fetch_add(1) != 0) return;
  std::uint32_t seen = calls_.load();
  do {
    MoveAll();
  } while (!calls_.compare_exchange_strong(seen, 0));
}

void TransferQueue::MoveAll() {
  std::shared_ptr<const Targets> targets;
  {
    std::lock_guard<SpinLock> lock(lock_);
    targets = targets_;
  }
  while (targets != nullptr && MoveOne(*targets)) {
    for (const auto& target : *targets)
      target->PassOn();
    CallSources();
  }
}

bool TransferQueue::MoveOne(const Targets& targets) {
  std::size_t reserved = 0;
  while (reserved < targets.size() && targets[reserved]->buffers_.ReservePlace())
    ++reserved;
  void* buffer = nullptr;
  if (reserved == targets.size() && buffers_.Pop(buffer, 0) == QueueOutcome::kDone) {
    Deliver(buffer, targets);
    return true;
  }
  while (reserved > 0)
    targets[--reserved]->buffers_.GiveBackPlace();
  return false;
}

// The first target gets the buffer itself, last: until then it can be shared.
void TransferQueue::Deliver(void* buffer, const Targets& targets) {
  TransferBuffers::Get().Find(buffer).queued = false;
  for (std::size_t i = targets.size(); i-- > 0;) {
    void* delivered = buffer;
    try {
      if (i != 0) delivered = ShareChain(buffer);
    } catch (...) {
      Log(LogLevel::kError, "queue \"{}\" gets nothing of a buffer that was routed to it: {}",
          targets[i]->name(), CurrentError().message());
      targets[i]->buffers_.GiveBackPlace();
      continue;
    }
    TransferBuffers::Get().Find(delivered).queued = true;
    if (!targets[i]->buffers_.PushReserved(delivered)) EndQueuedBuffer(delivered);
  }
}

void TransferQueue::CallSources() noexcept {
  std::shared_ptr<const Sources> sources;
  {
    std::lock_guard<SpinLock> lock(lock_);
    sources = sources_;
  }
  if (sources == nullptr) return;
  for (const auto& one : *sources) {
    if (const auto source = one.lock()) source->PassOn();
  }
}

}  // namespace foothold
