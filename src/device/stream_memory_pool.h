// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Device memory that is given back in the order of a stream (aclrtMemPool*): a block goes back to its pool
// when the stream has come to its end, and the pool keeps so much for the next ones as its threshold says.
// Any thread; a forked child begins with no pools.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "base/handled_state.h"
#include "device/current.h"

namespace foothold {

class StreamMemoryPool {
 public:
  static constexpr int kReuseRules = 3;

  // `limit` is the most it may have, 0 for no limit.
  StreamMemoryPool(int device, std::size_t limit) : device_(device), limit_(limit) {}
  ~StreamMemoryPool();  // gives back what nobody uses

  int device() const { return device_; }

  // Throws 207001 if the device has no room or the limit is reached.
  void* Take(std::size_t size, const char* api);
  // A block that was taken from here; `serial` tells whether it is still that one.
  void Give(void* block, std::size_t size, std::uint64_t serial, const char* api) noexcept;
  // Gives back what nobody uses, until no more than so many bytes are left.
  void TrimTo(std::size_t bytes, const char* api) noexcept;

  struct Numbers {
    std::size_t threshold = 0;
    std::size_t reserved = 0, most_reserved = 0;
    std::size_t used = 0, most_used = 0;
  };
  Numbers numbers() const;
  void SetThreshold(std::size_t bytes);
  void ResetPeaks();
  int reuse_rule(int index) const;
  void SetReuseRule(int index, int value);

 private:
  struct Idle {
    void* block;
    std::uint64_t serial;
  };

  void* TakeIdle(std::size_t size);
  void Count(std::size_t size);
  void Release(void* block, std::uint64_t serial, const char* api) noexcept;

  const int device_;
  const std::size_t limit_;
  mutable std::mutex mutex_;  // guards all below
  Numbers numbers_;
  std::multimap<std::size_t, Idle> idle_;  // by size
  std::array<int, kReuseRules> reuse_rules_ = {1, 1, 1};
};

class StreamMemoryPools {
 public:
  static StreamMemoryPools& Get();

  void* Create(int device, std::size_t limit);
  std::shared_ptr<StreamMemoryPool> Find(const void* handle);  // throws 107000
  // Blocks in use stay until they are freed.
  void Destroy(const void* handle);

  void* Allocate(const void* pool, std::size_t size, const char* api);
  // Queues it. Throws 107000 for what is no block of a pool.
  void PushFree(const StreamRef& stream, const char* api, void* block);

 private:
  friend class PooledFree;
  struct Block {
    std::shared_ptr<StreamMemoryPool> pool;
    std::size_t size;
    std::uint64_t serial;
  };
  using Blocks = std::map<void*, Block>;

  Blocks::node_type TakeOut(void* address);  // throws 107000

  HandlePool<HandledState<StreamMemoryPool>> pools_{HandleKind::kMemoryPool};
  std::mutex mutex_;  // guards blocks_
  Blocks blocks_;     // in use, and not yet freed by a call
};

}  // namespace foothold
