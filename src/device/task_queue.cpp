// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/task_queue.h"

namespace foothold {

TaskQueue::~TaskQueue() {
  while (Front() != nullptr)
    Pop();
  delete head_;
  if (head_ == nullptr) delete first_.load();
  delete spare_.load();
}

Task& TaskQueue::Reserve() {
  if (tail_ == nullptr) {
    tail_ = NewChunk();
    first_.store(tail_, std::memory_order_release);
  } else if (tail_used_ == kChunkTasks) {
    Chunk* fresh = NewChunk();
    tail_->next.store(fresh, std::memory_order_release);
    tail_ = fresh;
    tail_used_ = 0;
  }
  return tail_->tasks[tail_used_++];
}

Task* TaskQueue::Front() noexcept {
  const std::uint64_t done = done_.load(std::memory_order_relaxed);
  if (done == seen_) {
    seen_ = pushed_.load(std::memory_order_seq_cst);
    if (done == seen_) return nullptr;
  }
  if (head_ == nullptr) {
    head_ = first_.load(std::memory_order_acquire);
  } else if (head_used_ == kChunkTasks) {
    Chunk* next = head_->next.load(std::memory_order_acquire);
    Retire(head_);
    head_ = next;
    head_used_ = 0;
  }
  return &head_->tasks[head_used_];
}

void TaskQueue::Pop() noexcept {
  Task& task = head_->tasks[head_used_++];
  task.type->destroy(task);
  done_.store(done_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

TaskQueue::Chunk* TaskQueue::NewChunk() {
  Chunk* chunk = spare_.exchange(nullptr, std::memory_order_acquire);
  if (chunk == nullptr) return new Chunk;
  chunk->next.store(nullptr, std::memory_order_relaxed);
  return chunk;
}

void TaskQueue::Retire(Chunk* chunk) noexcept {
  delete spare_.exchange(chunk, std::memory_order_acq_rel);
}

}  // namespace foothold
