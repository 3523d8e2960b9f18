// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/stream_memory_pool.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/per_process.h"
#include "device/device_memory.h"
#include "device/memory_map.h"
#include "device/observer.h"
#include "device/runtime.h"
#include "device/task.h"

namespace foothold {
namespace {

std::uint64_t SerialAt(const void* block) {
  return MemoryMap::Get().Find(block).serial;
}

}  // namespace

StreamMemoryPool::~StreamMemoryPool() {
  TrimTo(0, "aclrtMemPoolDestroy");
}

void* StreamMemoryPool::Take(std::size_t size, const char* api) {
  if (size == 0) Fail(kRtParamInvalid, "size must not be 0");
  if (void* const block = TakeIdle(size)) return block;
  if (limit_ != 0) TrimTo(limit_ > size ? limit_ - size : 0, api);
  Count(size);
  try {
    return Runtime::Get().device(device_).memory().Allocate(size, api);
  } catch (...) {
    std::lock_guard<std::mutex> lock(mutex_);
    numbers_.used -= size;
    numbers_.reserved -= size;
    throw;
  }
}

// One of just this size: what is larger would be counted as what it is not.
void* StreamMemoryPool::TakeIdle(std::size_t size) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (auto found = idle_.find(size); found != idle_.end() && found->first == size;
       found = idle_.find(size)) {
    const Idle idle = found->second;
    idle_.erase(found);
    if (SerialAt(idle.block) == idle.serial) {
      numbers_.used += size;
      numbers_.most_used = std::max(numbers_.most_used, numbers_.used);
      if (auto* const observer = Observer()) observer->OnMemoryTaken(idle.serial);
      return idle.block;
    }
    numbers_.reserved -= size;  // it went with a reset of the device
  }
  return nullptr;
}

void StreamMemoryPool::Count(std::size_t size) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (limit_ != 0 && (size > limit_ || numbers_.reserved > limit_ - size)) {
    Fail(kRtMemoryAllocation, "the pool may have {} bytes and has {}: there is no room for {}", limit_,
         numbers_.reserved, size);
  }
  numbers_.used += size;
  numbers_.reserved += size;
  numbers_.most_used = std::max(numbers_.most_used, numbers_.used);
  numbers_.most_reserved = std::max(numbers_.most_reserved, numbers_.reserved);
}

void StreamMemoryPool::Give(void* block, std::size_t size, std::uint64_t serial, const char* api) noexcept {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    numbers_.used -= size;
    if (numbers_.reserved <= numbers_.threshold) {
      try {
        idle_.emplace(size, Idle{block, serial});
        return;
      } catch (const std::bad_alloc&) {  // then it is not kept
      }
    }
    numbers_.reserved -= size;
  }
  Release(block, serial, api);
}

void StreamMemoryPool::TrimTo(std::size_t bytes, const char* api) noexcept {
  for (;;) {
    Idle idle;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      if (idle_.empty() || numbers_.reserved <= bytes) return;
      const auto largest = std::prev(idle_.end());
      idle = largest->second;
      numbers_.reserved -= largest->first;
      idle_.erase(largest);
    }
    Release(idle.block, idle.serial, api);
  }
}

void StreamMemoryPool::Release(void* block, std::uint64_t serial, const char* api) noexcept {
  if (SerialAt(block) != serial) return;  // it went with a reset of the device, or the program freed it
  try {
    Runtime::Get().device(device_).memory().Free(block, api);
  } catch (const Error&) {  // somebody else was faster
  }
}

StreamMemoryPool::Numbers StreamMemoryPool::numbers() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return numbers_;
}

void StreamMemoryPool::SetThreshold(std::size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  numbers_.threshold = bytes;
}

void StreamMemoryPool::ResetPeaks() {
  std::lock_guard<std::mutex> lock(mutex_);
  numbers_.most_reserved = numbers_.reserved;
  numbers_.most_used = numbers_.used;
}

int StreamMemoryPool::reuse_rule(int index) const {
  std::lock_guard<std::mutex> lock(mutex_);
  return reuse_rules_[static_cast<std::size_t>(index)];
}

void StreamMemoryPool::SetReuseRule(int index, int value) {
  std::lock_guard<std::mutex> lock(mutex_);
  reuse_rules_[static_cast<std::size_t>(index)] = value;
}

// Gives the block back when the stream has come so far; also when it never will.
class PooledFree {
 public:
  static constexpr bool kReplays = false;

  PooledFree(void* address, StreamMemoryPools::Block block)
      : state_(std::make_unique<State>(State{address, std::move(block)})) {}
  Outcome Run(Stream&) {
    state_->GiveBack();
    return Outcome::kDone;
  }
  void Cancel(const Failure&) noexcept { state_->GiveBack(); }
  std::string Describe() const { return fmt::format("ptr={}", state_->address); }
  void ListAccesses(std::vector<Access>& list) const {
    list.push_back({state_->address, state_->block.size, Use::kWrite, Extent::kExact, state_->block.serial});
  }

 private:
  struct State {
    void* address;
    StreamMemoryPools::Block block;

    void GiveBack() noexcept {
      if (block.pool == nullptr) return;
      block.pool->Give(address, block.size, block.serial, "aclrtMemPoolFreeAsync");
      block.pool = nullptr;
    }
  };
  std::unique_ptr<State> state_;
};

StreamMemoryPools& StreamMemoryPools::Get() {
  return PerProcess<StreamMemoryPools>::Get();
}

void* StreamMemoryPools::Create(int device, std::size_t limit) {
  auto pool = std::make_shared<StreamMemoryPool>(device, limit);
  auto& handle = pools_.Take();
  handle.set_state(std::move(pool));
  return pools_.Publish(handle);
}

std::shared_ptr<StreamMemoryPool> StreamMemoryPools::Find(const void* handle) {
  if (auto* found = pools_.Find(handle)) {
    if (auto pool = found->state(); pool && found->IsCurrent(handle)) return pool;
  }
  if (handle == nullptr) Fail(kRtParamInvalid, "the memory pool must not be null");
  if (IsHandleOf(HandleKind::kMemoryPool, handle))
    Fail(kRtParamInvalid, "memory pool {} does not exist: it was destroyed", handle);
  Fail(kRtParamInvalid, "{} is not a memory pool", DescribeHandle(handle));
}

void StreamMemoryPools::Destroy(const void* handle) {
  const auto pool = Find(handle);
  auto* const object = pools_.Find(handle);
  if (object == nullptr || !pools_.Retire(*object, handle))
    Fail(kRtParamInvalid, "memory pool {} was destroyed by another thread", handle);
  object->set_state(nullptr);
  pools_.Recycle(*object);
  pool->SetThreshold(0);  // what comes back later is not kept
  pool->TrimTo(0, "aclrtMemPoolDestroy");
}

void* StreamMemoryPools::Allocate(const void* handle, std::size_t size, const char* api) {
  const auto pool = Find(handle);
  void* const block = pool->Take(size, api);
  const std::uint64_t serial = SerialAt(block);
  try {
    std::lock_guard<std::mutex> lock(mutex_);
    blocks_.insert_or_assign(block, Block{pool, size, serial});
  } catch (...) {
    pool->Give(block, size, serial, api);
    throw;
  }
  return block;
}

// The block leaves the table before its task is queued: once the task has run, another thread may take the
// same block again, and what the table says of it is theirs. Taking a node out and putting it back allocates
// nothing.
void StreamMemoryPools::PushFree(const StreamRef& stream, const char* api, void* address) {
  auto freed = TakeOut(address);
  try {
    stream.Push(api, PooledFree(address, freed.mapped()));
  } catch (...) {
    std::lock_guard<std::mutex> lock(mutex_);
    blocks_.insert(std::move(freed));
    throw;
  }
}

StreamMemoryPools::Blocks::node_type StreamMemoryPools::TakeOut(void* address) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = blocks_.find(address);
  if (found == blocks_.end() || found->second.serial != SerialAt(address)) {
    Fail(kRtParamInvalid, "{} is no memory of a pool: it {}", address, MemoryMap::Get().Describe(address));
  }
  return blocks_.extract(found);
}

}  // namespace foothold
