// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The program's own memory, as sessions see it: one pool per registered allocator. The pool of a stream is
// used for what graphs on that stream need. Any thread; the program's functions are called with no lock held.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "ir/tensor_value.h"

namespace foothold {

class MemoryPool {
 public:
  // Gives at least that many bytes, or throws. Dropping the result gives the block back.
  using Take = std::function<SharedBytes(std::size_t bytes)>;

  // `identity` tells whether two registrations mean one allocator.
  MemoryPool(Take take, const void* identity) : take_(std::move(take)), identity_(identity) {}

  // Sizes are rounded up to 64; 0 bytes are not asked for.
  SharedBytes Allocate(std::size_t bytes) const;
  const void* identity() const { return identity_; }

 private:
  Take take_;
  const void* identity_;
};

// Which pool belongs to which stream, in one session. A session without a pool for a stream uses the one
// another session has registered last for it, as long as that session keeps it.
class MemoryPools {
 public:
  MemoryPools() = default;
  ~MemoryPools();
  void Register(const void* stream, std::shared_ptr<MemoryPool> pool);  // the last one counts
  void Unregister(const void* stream);                                  // nothing happens if there is none
  std::shared_ptr<MemoryPool> Find(const void* stream) const;           // null: none

  // A run on `stream` that uses `pool` begins to wait there, and has ended. Begin throws kInvalidParam if
  // another stream has runs of the same allocator that have not ended: its memory would be used by both.
  void Begin(const MemoryPool& pool, const void* stream);
  void End(const MemoryPool& pool);

 private:
  struct Use {
    const void* stream = nullptr;
    int runs = 0;
  };
  mutable std::mutex mutex_;  // guards both
  std::map<const void*, std::shared_ptr<MemoryPool>> pools_;
  std::map<const void*, Use> uses_;  // by identity
};

}  // namespace foothold
