// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/memory_pool.h"

#include "base/error.h"

namespace foothold {
namespace {

// What all sessions have registered, by stream. Each pool belongs to its session.
class AllPools {
 public:
  static AllPools& Get() {
    static auto* const all = new AllPools;
    return *all;
  }
  void Put(const void* stream, const std::shared_ptr<MemoryPool>& pool) {
    std::lock_guard<std::mutex> lock(mutex_);
    pools_[stream] = pool;
  }
  void Remove(const void* stream, const std::shared_ptr<MemoryPool>& pool) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = pools_.find(stream);
    if (found != pools_.end() && found->second.lock() == pool) pools_.erase(found);
  }
  std::shared_ptr<MemoryPool> Find(const void* stream) {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = pools_.find(stream);
    return found == pools_.end() ? nullptr : found->second.lock();
  }

 private:
  std::mutex mutex_;  // guards pools_
  std::map<const void*, std::weak_ptr<MemoryPool>> pools_;
};

}  // namespace

SharedBytes MemoryPool::Allocate(std::size_t bytes) const {
  if (bytes == 0) return nullptr;
  return take_((bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment);
}

MemoryPools::~MemoryPools() {
  for (const auto& [stream, pool] : pools_)
    AllPools::Get().Remove(stream, pool);
}

void MemoryPools::Register(const void* stream, std::shared_ptr<MemoryPool> pool) {
  std::shared_ptr<MemoryPool> before;  // the program's destructor runs after the lock is gone
  std::lock_guard<std::mutex> lock(mutex_);
  std::shared_ptr<MemoryPool>& place = pools_[stream];  // an empty one is as none
  AllPools::Get().Put(stream, pool);
  before = std::exchange(place, std::move(pool));
}

void MemoryPools::Unregister(const void* stream) {
  std::shared_ptr<MemoryPool> before;
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = pools_.find(stream);
  if (found == pools_.end()) return;
  AllPools::Get().Remove(stream, found->second);
  before = std::move(found->second);
  pools_.erase(found);
}

std::shared_ptr<MemoryPool> MemoryPools::Find(const void* stream) const {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = pools_.find(stream);
    if (found != pools_.end() && found->second) return found->second;
  }
  return AllPools::Get().Find(stream);
}

void MemoryPools::Begin(const MemoryPool& pool, const void* stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  Use& use = uses_[pool.identity()];
  if (use.runs > 0 && use.stream != stream)
    Fail(kInvalidParam,
         "one allocator is registered for the streams {} and {}, and {} runs on the first have not ended; "
         "synchronise it before the next stream uses the same memory",
         use.stream, stream, use.runs);
  use.stream = stream;
  ++use.runs;
}

void MemoryPools::End(const MemoryPool& pool) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = uses_.find(pool.identity());
  if (found != uses_.end() && --found->second.runs == 0) uses_.erase(found);
}

}  // namespace foothold
