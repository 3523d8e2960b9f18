// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "launch/work_memory.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <new>

#include "base/error.h"
#include "base/per_process.h"
#include "device/device_memory.h"

namespace foothold {
namespace {

constexpr std::size_t kSmallestBlock = 64 * 1024;  // below it, nothing is worth counting
constexpr std::size_t kPage = 4096;

}  // namespace

struct AllWorkMemory {
  AllWorkMemory() { DeviceMemory::SetMakeRoom(&WorkMemory::DropIdleOf); }

  // Found without a lock: every run that needs memory asks.
  static constexpr std::size_t kFew = 64;
  std::atomic<WorkMemory*> first[kFew] = {};
  std::mutex mutex;  // guards what is made
  std::map<int, std::unique_ptr<WorkMemory>> pools;

  WorkMemory& Of(int device) {
    const auto index = static_cast<std::size_t>(device);
    if (index < kFew)
      if (WorkMemory* const known = first[index].load(std::memory_order_acquire)) return *known;
    std::lock_guard<std::mutex> lock(mutex);
    auto& pool = pools[device];
    if (!pool) pool.reset(new WorkMemory(device));
    if (index < kFew) first[index].store(pool.get(), std::memory_order_release);
    return *pool;
  }
};

WorkMemory& WorkMemory::Of(int device) {
  return PerProcess<AllWorkMemory>::Get().Of(device);
}

// The smallest that is large enough: a larger one may be what somebody else looks for.
WorkMemory::Memory WorkMemory::Take(std::size_t bytes) {
  const std::size_t size = std::max(kSmallestBlock, (bytes + kPage - 1) / kPage * kPage);
  std::unique_lock<std::mutex> lock(mutex_);
  std::size_t best = idle_.size();
  for (std::size_t i = idle_.size(); i-- > 0;)
    if (idle_[i].size >= size && (best == idle_.size() || idle_[i].size < idle_[best].size)) best = i;
  Memory memory;
  if (best < idle_.size()) {
    memory = std::move(idle_[best]);
    idle_.erase(idle_.begin() + static_cast<std::ptrdiff_t>(best));
    idle_bytes_ -= memory.size;
  } else {
    lock.unlock();
    memory = Make(size);
    lock.lock();
    idle_.reserve(++blocks_);  // giving back never fails
  }
  used_bytes_ += memory.size;
  most_used_ = std::max(most_used_, used_bytes_);
  return memory;
}

// What is kept for other sizes must not be in the way of this one.
WorkMemory::Memory WorkMemory::Make(std::size_t size) {
  const auto make = [&] {
    DeviceCharge charge;
    if (size > kSmallestBlock) charge = DeviceCharge(device_, size, "a run");
    return Memory{AllocateBytes(size), size, std::move(charge)};
  };
  try {
    return make();
  } catch (const Error&) {
    DropIdle();
    return make();
  }
}

void WorkMemory::Give(Memory memory) noexcept {
  std::lock_guard<std::mutex> lock(mutex_);
  used_bytes_ -= memory.size;
  idle_bytes_ += memory.size;
  idle_.push_back(std::move(memory));
  while (idle_bytes_ + used_bytes_ > most_used_) {
    idle_bytes_ -= idle_.front().size;
    idle_.erase(idle_.begin());
    --blocks_;
  }
}

// One after the other, so that no list of them is needed.
void WorkMemory::DropIdle() noexcept {
  for (;;) {
    Memory dropped;
    std::lock_guard<std::mutex> lock(mutex_);
    if (idle_.empty()) return;
    dropped = std::move(idle_.back());
    idle_.pop_back();
    --blocks_;
    idle_bytes_ -= dropped.size;
  }
}

void WorkMemory::DropIdleOf(int device) noexcept {
  try {
    Of(device).DropIdle();
  } catch (const std::bad_alloc&) {  // it would have to be made: nothing is idle there
  }
}

SharedBytes WorkMemory::Share(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  auto block = std::make_shared<Block>(*this, bytes);
  std::byte* const address = block->address();
  return SharedBytes(std::move(block), address);
}

WorkMemory::Block::Block(WorkMemory& pool, std::size_t bytes) {
  if (bytes == 0) return;
  memory_ = pool.Take(bytes);
  pool_ = &pool;
}

WorkMemory::Block::~Block() {
  if (pool_ == nullptr) return;
  if (pool_->process_ == ProcessNumber::Now())
    pool_->Give(std::move(memory_));
  else
    memory_.charge.Forget();  // it counts in the parent, which has the block too
}

}  // namespace foothold
