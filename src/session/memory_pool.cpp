// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/memory_pool.h"

#include <optional>
#include <set>
#include <utility>

#include "base/broken_rule.h"
#include "base/error.h"
#include "base/graph_codes.h"
#include "base/per_process.h"
#include "device/current.h"
#include "device/run_memory.h"
#include "device/runtime.h"

namespace foothold {
namespace {

// What all sessions have registered, by stream. Each pool belongs to its session. Its lock comes before that
// of a session.
class AllPools {
 public:
  static AllPools& Get() { return PerProcess<AllPools>::Get(); }

  void Add(MemoryPools& session) {
    Runtime::SetStreamEndListener([](const void* stream) { Get().Forget(stream); });
    std::lock_guard<std::mutex> lock(mutex_);
    sessions_.insert(&session);
  }
  void Remove(MemoryPools& session) {
    std::lock_guard<std::mutex> lock(mutex_);
    sessions_.erase(&session);
    std::erase_if(pools_, [](const auto& pool) { return pool.second.expired(); });
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
  // The program's destructors run without the lock, and no memory is needed.
  void Forget(const void* stream) {
    while (TakeOne(stream) != nullptr) {
    }
  }
  std::shared_ptr<MemoryPool> TakeOne(const void* stream) {
    std::lock_guard<std::mutex> lock(mutex_);
    pools_.erase(stream);
    for (MemoryPools* session : sessions_)
      if (auto pool = session->Take(stream)) return pool;
    return nullptr;
  }

  std::mutex mutex_;  // guards both
  std::map<const void*, std::weak_ptr<MemoryPool>> pools_;
  std::set<MemoryPools*> sessions_;
};

// Blocks of all allocators that nobody holds any more and that have not gone back.
class OverBlocks {
 public:
  static OverBlocks& Get() { return PerProcess<OverBlocks>::Get(); }

  void Add(const void* allocator, SharedBytes block) noexcept {
    try {
      std::lock_guard<std::mutex> lock(mutex_);
      blocks_.push_back({allocator, std::move(block)});
    } catch (...) {  // no memory to remember it: it goes back now
    }
  }
  // Null: of all allocators.
  void GiveBack(const void* allocator) noexcept {
    while (Take(allocator) != nullptr) {
    }
  }

 private:
  struct Block {
    const void* allocator;
    SharedBytes bytes;
  };

  SharedBytes Take(const void* allocator) noexcept {
    std::lock_guard<std::mutex> lock(mutex_);
    for (Block& block : blocks_) {
      if (allocator != nullptr && block.allocator != allocator) continue;
      SharedBytes bytes = std::move(block.bytes);
      if (&block != &blocks_.back()) block = std::move(blocks_.back());
      blocks_.pop_back();
      return bytes;
    }
    return nullptr;
  }

  std::mutex mutex_;  // guards blocks_
  std::vector<Block> blocks_;
};

constinit thread_local int give_back_later = 0;

}  // namespace

MemoryPool::Later::Later() noexcept {
  ++give_back_later;
}
MemoryPool::Later::~Later() {
  --give_back_later;
}

SharedBytes MemoryPool::Allocate(std::size_t bytes) {
  GiveBack();
  if (bytes == 0) return nullptr;
  SharedBytes block = take_((bytes + kTensorAlignment - 1) / kTensorAlignment * kTensorAlignment);
  std::byte* const address = block.get();
  return SharedBytes(address, [block = std::move(block), allocator = identity_](std::byte*) mutable {
    if (give_back_later > 0) OverBlocks::Get().Add(allocator, std::move(block));
  });
}

SharedBytes MemoryPool::AllocateForKernels(std::size_t bytes, std::byte** given) {
  SharedBytes block = Allocate(bytes);
  if (given != nullptr) *given = block.get();
  const RunMemory memory(block.get(), bytes, Use::kWrite, RunMemory::Kind::kAny, kGeFailed,
                         [] { return std::string("memory of the program's allocator"); });
  std::byte* const address = memory.data();
  return SharedBytes(std::move(block), address);
}

void MemoryPool::GiveBack() const noexcept {
  if (give_back_later == 0) OverBlocks::Get().GiveBack(identity_);
}

void MemoryPool::GiveBackAll() noexcept {
  if (give_back_later == 0) OverBlocks::Get().GiveBack(nullptr);
}

MemoryPools::MemoryPools() {
  AllPools::Get().Add(*this);
}

MemoryPools::~MemoryPools() {
  AllPools::Get().Remove(*this);  // first: ends of streams no longer change the list
  for (const auto& [stream, pool] : pools_)
    AllPools::Get().Remove(stream, pool);
}

void MemoryPools::Register(const void* stream, std::shared_ptr<MemoryPool> pool) {
  if (stream != nullptr) FindStreamAnywhere(stream);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    pools_.try_emplace(stream);  // an empty one is as none: what can fail comes first
  }
  AllPools::Get().Put(stream, pool);
  Replace(stream, std::move(pool));
  if (stream == nullptr || Runtime::Get().streams.Find(stream) != nullptr) return;
  Unregister(stream);
  FindStreamAnywhere(stream);  // ended meanwhile: says so
}

void MemoryPools::Replace(const void* stream, std::shared_ptr<MemoryPool> pool) {
  std::shared_ptr<MemoryPool> before;  // the program's destructor runs after the lock is gone
  std::lock_guard<std::mutex> lock(mutex_);
  before = std::exchange(pools_[stream], std::move(pool));
}

std::shared_ptr<MemoryPool> MemoryPools::Take(const void* stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = pools_.find(stream);
  if (found == pools_.end()) return nullptr;
  auto taken = std::move(found->second);
  pools_.erase(found);
  return taken;
}

void MemoryPools::Unregister(const void* stream) {
  if (const auto pool = Take(stream)) AllPools::Get().Remove(stream, pool);
}

std::shared_ptr<MemoryPool> MemoryPools::Find(const void* stream) const {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = pools_.find(stream);
    if (found != pools_.end() && found->second) return found->second;
  }
  return AllPools::Get().Find(stream);
}

// One after the other, so that no list of them is needed: a graph that is gone must not be in want of memory.
void MemoryPools::GiveBack() const noexcept {
  std::optional<const void*> last;
  for (;;) {
    std::shared_ptr<MemoryPool> pool;
    {
      std::lock_guard<std::mutex> lock(mutex_);
      const auto next = last ? pools_.upper_bound(*last) : pools_.begin();
      if (next == pools_.end()) return;
      last = next->first;
      pool = next->second;
    }
    if (pool) pool->GiveBack();
  }
}

void MemoryPools::Begin(const MemoryPool& pool, const void* stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  Use& use = uses_[pool.identity()];
  if (use.runs > 0 && use.stream != stream) {
    BreaksRule("GE-ALLOC-006", stream);
    Fail(kInvalidParam,
         "one allocator is registered for the streams {} and {}, and {} runs on the first have not ended; "
         "synchronise it before the next stream uses the same memory",
         use.stream, stream, use.runs);
  }
  use.stream = stream;
  ++use.runs;
}

void MemoryPools::End(const MemoryPool& pool) {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = uses_.find(pool.identity());
  if (found != uses_.end() && --found->second.runs == 0) uses_.erase(found);
}

}  // namespace foothold
