// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Queues of buffers, and routes that pass on what comes into one to others. There is no thread for that: who
// puts something in, or makes room, moves on what can move. Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/spin.h"
#include "transfer/bounded_queue.h"
#include "transfer/codes.h"

namespace foothold {

class TransferQueue {
 public:
  using Sources = std::vector<std::weak_ptr<TransferQueue>>;
  using Targets = std::vector<std::shared_ptr<TransferQueue>>;

  TransferQueue(std::string name, std::uint32_t depth) : name_(std::move(name)), buffers_(depth) {}
  ~TransferQueue();  // ends the buffers inside

  const std::string& name() const { return name_; }

  // The buffer is the queue's once it is in. Answers success or 207014 at the deadline; throws 100000 for
  // what is no buffer of the program, 100032 for a queue that is destroyed meanwhile.
  Code Enqueue(void* buffer, Nanoseconds deadline);
  // The buffer is the caller's. 207013 at the deadline. `fits` may throw, and nothing is taken then.
  template <typename Fits>
  Code Dequeue(void*& buffer, Nanoseconds deadline, Fits&& fits) {
    const QueueOutcome outcome = buffers_.Pop(buffer, deadline, fits);
    return Taken(outcome, buffer);
  }
  // Who waits returns.
  void Close() { buffers_.Close(); }

  // Where things go from here, and where they come from: changed by the table of routes only.
  void SetRoutes(std::shared_ptr<const Sources> sources, std::shared_ptr<const Targets> targets);
  // Moves what can move along the routes. Needs no memory, but for copies to second targets.
  void PassOn() noexcept;

 private:
  Code Taken(QueueOutcome outcome, void* buffer);
  void MoveAll();
  bool MoveOne(const Targets& targets);
  static void Deliver(void* buffer, const Targets& targets);
  void CallSources() noexcept;

  const std::string name_;
  BoundedQueue<void*> buffers_;
  std::atomic<std::uint32_t> calls_{0};  // of PassOn, since one of them began to move
  SpinLock lock_;                        // guards the two below
  std::shared_ptr<const Sources> sources_;
  std::shared_ptr<const Targets> targets_;
};

}  // namespace foothold
