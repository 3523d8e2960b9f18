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
#include <vector>

#include "ir/tensor_value.h"

namespace foothold {

class MemoryPool {
 public:
  // Gives at least that many bytes, or throws. Dropping the result gives the block back.
  using Take = std::function<SharedBytes(std::size_t bytes)>;

  // `identity` tells whether two registrations mean one allocator.
  MemoryPool(Take take, const void* identity) : take_(std::move(take)), identity_(identity) {}
  ~MemoryPool() { GiveBack(); }

  // Sizes are rounded up to 64; 0 bytes are not asked for. Before that, blocks that are over go back.
  SharedBytes Allocate(std::size_t bytes);
  // The same where kernels use it, for what the program never sees; `given` gets the program's address.
  SharedBytes AllocateForKernels(std::size_t bytes, std::byte** given = nullptr);
  const void* identity() const { return identity_; }

  // What is over goes back to the allocator, unless this thread gives back later; the second form to all.
  void GiveBack() const noexcept;
  static void GiveBackAll() noexcept;

  // While one lives, blocks of any pool that this thread is the last to hold are over but do not go back: the
  // program's allocator may know nothing of threads, so that happens when the program calls next.
  class Later {
   public:
    Later() noexcept;
    ~Later();
    Later(const Later&) = delete;
    Later& operator=(const Later&) = delete;
  };

 private:
  const Take take_;
  const void* const identity_;
};

// Which pool belongs to which stream, in one session. A session without a pool for a stream uses the one
// another session has registered last for it, as long as that session keeps it. A stream that ends takes its
// registrations with it.
class MemoryPools {
 public:
  MemoryPools();
  ~MemoryPools();
  MemoryPools(const MemoryPools&) = delete;
  MemoryPools& operator=(const MemoryPools&) = delete;

  // The last one counts. Throws 107017 for what is no stream; null is the default stream.
  void Register(const void* stream, std::shared_ptr<MemoryPool> pool);
  void Unregister(const void* stream);                         // nothing happens if there is none
  std::shared_ptr<MemoryPool> Find(const void* stream) const;  // null: none
  // Gives back what runs have left to all pools of the session.
  void GiveBack() const noexcept;

  // A run on `stream` that uses `pool` begins to wait there, and has ended. Begin throws kInvalidParam if
  // another stream has runs of the same allocator that have not ended: its memory would be used by both.
  void Begin(const MemoryPool& pool, const void* stream);
  void End(const MemoryPool& pool);

  // The pool of an ended stream, out of the session; null: none.
  std::shared_ptr<MemoryPool> Take(const void* stream);

 private:
  void Replace(const void* stream, std::shared_ptr<MemoryPool> pool);

  struct Use {
    const void* stream = nullptr;
    int runs = 0;
  };
  mutable std::mutex mutex_;  // guards both
  std::map<const void*, std::shared_ptr<MemoryPool>> pools_;
  std::map<const void*, Use> uses_;  // by identity
};

}  // namespace foothold
