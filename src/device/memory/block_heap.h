// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Blocks of memory in an address range of their own, each with what is known of it: small ones side by side
// in slabs of one size, large ones as runs of pages. Freed memory stays with the process up to a limit. All
// addresses that go in and out are those the program holds, which may lie off those of the bytes. Any thread;
// Find takes no lock, so every copy can afford it.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "check/guards.h"
#include "device/memory/address_range.h"
#include "device/memory/freed_blocks.h"
#include "device/memory/memory_info.h"
#include "device/memory/page_heap.h"
#include "device/memory/shared_spans.h"

namespace foothold {

class BlockHeap {
 public:
  static constexpr std::size_t kAlignment = 64;
  // Bytes behind the end of every block that may be read: kernels load whole vectors.
  static constexpr std::size_t kReadableTail = 32;
  static constexpr int kOwnerIsTag = -2;

  struct Settings {
    MemoryKind kind;
    int device;                    // -1 for host memory; kOwnerIsTag: each block's tag is its device
    std::size_t reservation;       // bytes of addresses
    std::uintptr_t preferred = 0;  // where they should start; 0 is anywhere
    std::uintptr_t offset = 0;     // what programs hold lies so far above; a multiple of kHugePage
    // What programs hold is apart from the bytes while they are checked: without access, or closed now and
    // then.
    enum class Sides { kOne, kHidden, kTwice } sides = Sides::kOne;
  };

  explicit BlockHeap(const Settings& settings);
  ~BlockHeap();
  BlockHeap(const BlockHeap&) = delete;
  BlockHeap& operator=(const BlockHeap&) = delete;

  // Null when addresses or pages are used up. `api` is a literal: the call that wants the block. `tag` is
  // kept for the owner.
  void* Allocate(std::size_t size, const char* api, std::uint32_t tag = 0);

  struct Freed {
    std::size_t size;
    std::uint32_t tag;
  };
  // Frees the block that starts at `address`; nothing if there is none.
  std::optional<Freed> Free(const void* address, const char* api);
  // Frees all blocks, calling `freed` for each.
  template <typename OnFreed>
  void FreeAll(const char* api, OnFreed&& freed) {
    std::unique_lock<std::mutex> lock(mutex_);
    Place place;
    while (Record* record = NextLive(place)) {
      AwaitMove(*record, lock);
      if (record->serial.load() == 0) continue;  // freed meanwhile
      const Freed block{record->size.load(), record->tag.load()};
      FreeLocked(*record, api);
      freed(block);
    }
    TrimLocked();
  }

  // The pages of the live block `serial` that holds `address`, in a memory file that other processes can be
  // given: they are put there now, with what they hold and while others use them, unless they are there
  // already, and stay until the block is freed. Small blocks come with their neighbours. `fresh`: nobody uses
  // the block yet, its content need not be kept. Throws 107000 if there is no such block, 207001 if there is
  // no memory.
  SharedPages Share(std::uintptr_t address, std::uint64_t serial, bool fresh = false);
  // The same for one that was shared before; nothing if it is gone.
  std::optional<SharedPages> FindShared(std::uintptr_t address, std::uint64_t serial) const;

  // What lives at `address`, which lies in this heap's range; kDead if nothing does.
  MemoryInfo Find(std::uintptr_t address) const noexcept;
  // The freed block that held `address` last, if it is remembered.
  std::optional<FreedBlock> FindFreed(std::uintptr_t address) const;
  // The largest live blocks, largest first.
  std::vector<MemoryInfo> Largest(std::size_t count) const;

  // Whether the bytes around live blocks are as they were; tells check/guards.h where they are not.
  void LookAtGuards();

  // How much freed memory may stay with the process.
  void set_cache_limit(std::uint64_t bytes) { cache_limit_.store(bytes, std::memory_order_relaxed); }
  std::uint64_t cached_bytes() const;

  MemoryKind kind() const { return settings_.kind; }
  int device() const { return settings_.device; }
  std::uintptr_t base() const { return base_; }
  std::size_t size() const { return range_.size(); }
  bool Contains(std::uintptr_t address) const { return address - base_ < range_.size(); }

 private:
  friend struct Slab;

  // What is known of one block. Records are recycled, never freed. Written under the lock, read without: a
  // reader takes the fields between two looks at the serial, which is 0 while no block lives here.
  struct Record {
    std::atomic<std::uint64_t> serial{0};
    std::atomic<std::uintptr_t> base{0};  // as programs know it
    std::atomic<std::size_t> size{0};
    std::atomic<const char*> api{nullptr};
    std::atomic<std::uint32_t> tag{0};
    std::uint32_t next_free = 0;  // index, guarded by the lock
  };

  void TellMade(std::uint64_t serial, std::uintptr_t base, std::size_t size,
                std::uint32_t tag) const noexcept;
  Record* TakeRecord(std::size_t footprint);
  Slab* OpenSlab(std::size_t size_class, std::size_t bytes, std::size_t align);
  void CloseSlab(Slab& slab);
  Slab& NewSlab(std::size_t size_class);
  void Link(Slab& slab);
  void Unlink(Slab& slab);
  Slab& SlabOf(const Record& record) const;
  std::size_t RoomFor(std::size_t size) const noexcept;
  void Prepare(std::uintptr_t base, std::size_t size) const noexcept;
  void PaintGuards(std::uintptr_t base, std::size_t size) const noexcept;
  void LookAtGuardsOf(const Record& record) const noexcept;
  void FreeLocked(Record& record, const char* api);
  void Recycle(Record& record) noexcept;
  void EmptyQuarantine(std::size_t most) noexcept;
  // A block that is being moved is not freed before that is over.
  void AwaitMove(const Record& record, std::unique_lock<std::mutex>& lock);
  Record* LiveRecord(std::uintptr_t address, std::uint64_t serial) const noexcept;
  SharedPages SharedPagesAt(std::uintptr_t address, const Record& record) const;
  void KeepForItself(Record& record) noexcept;
  void CloseHidden(std::size_t offset, std::size_t bytes) const noexcept;
  void TrimLocked();
  Record* FindRecord(std::uintptr_t address) const noexcept;
  MemoryInfo InfoOf(const Record& record) const noexcept;
  std::vector<Record*> LiveRecords() const;
  struct Place {
    std::size_t slab = 0;
    std::uint32_t record = 0;
  };
  Record* NextLive(Place& place) const noexcept;  // null behind the last

  const Settings settings_;
  AddressRange range_;
  const std::uintptr_t base_;    // of the range, as programs know it
  const std::uintptr_t offset_;  // so far above lies that
  const check::BlockCare care_;
  std::atomic<std::uint64_t> cache_limit_{UINT64_MAX};
  mutable std::mutex mutex_;  // guards everything below
  PageHeap pages_;
  FreedBlocks freed_;
  SharedSpans shared_{range_};
  std::condition_variable moved_;          // a span was
  std::deque<Record*> quarantine_;         // freed and not handed out again yet, the oldest first
  std::size_t quarantined_ = 0;            // bytes of those
  std::vector<Slab*> open_;                // by class: a list of slabs with free places
  std::vector<std::vector<Slab*>> spare_;  // by class: slabs without pages, for reuse
  std::vector<Slab*> slabs_;               // all there are
};

}  // namespace foothold
