// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A stream's tasks in order: linked chunks, grown on demand and recycled, so an idle stream costs nothing and
// a busy one allocates nothing in the steady state. One producer at a time (the stream's push lock) and one
// consumer at a time (the thread that drains the stream); the two sides share only `pushed_` and the chunk
// links, so neither waits for the other (a lock-free single-producer single-consumer queue). What was written
// before a push happens-before what its task reads.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "device/task.h"

namespace foothold {

class TaskQueue {
 public:
  TaskQueue() = default;
  ~TaskQueue();
  TaskQueue(const TaskQueue&) = delete;
  TaskQueue& operator=(const TaskQueue&) = delete;

  // Producer. The place for the next task; not visible before Publish.
  Task& Reserve();
  void Publish() noexcept {
    pushed_.store(pushed_.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
  }

  // Consumer. The oldest task, or null.
  Task* Front() noexcept;
  // Consumer. Destroys the front task and counts it as done.
  void Pop() noexcept;

  // Consumer. Calls `visit` for every task there is by now, the oldest first.
  template <typename Visit>
  void ForEach(Visit&& visit) {
    seen_ = pushed_.load(std::memory_order_seq_cst);
    if (Front() == nullptr) return;
    Chunk* chunk = head_;
    unsigned used = head_used_;
    for (std::uint64_t left = seen_ - done_.load(std::memory_order_relaxed); left > 0; --left) {
      if (used == kChunkTasks) {
        chunk = chunk->next.load(std::memory_order_acquire);
        used = 0;
      }
      visit(chunk->tasks[used++]);
    }
  }

  // Any thread.
  std::uint64_t pushed() const noexcept { return pushed_.load(std::memory_order_seq_cst); }
  std::uint64_t done() const noexcept { return done_.load(std::memory_order_acquire); }

 private:
  static constexpr unsigned kChunkTasks = 63;
  struct Chunk {
    Task tasks[kChunkTasks];
    std::atomic<Chunk*> next{nullptr};
  };

  Chunk* NewChunk();
  void Retire(Chunk* chunk) noexcept;

  // Producer's side.
  alignas(64) Chunk* tail_ = nullptr;
  unsigned tail_used_ = 0;
  std::atomic<Chunk*> first_{nullptr};  // where the consumer starts
  alignas(64) std::atomic<std::uint64_t> pushed_{0};
  // Consumer's side.
  alignas(64) Chunk* head_ = nullptr;
  unsigned head_used_ = 0;
  std::uint64_t seen_ = 0;  // what pushed_ was when last looked at
  std::atomic<std::uint64_t> done_{0};
  alignas(64) std::atomic<Chunk*> spare_{nullptr};
};

}  // namespace foothold
