// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What any address is: device memory (whose), pinned, registered or managed host memory, a virtual range with
// or without pages, or memory the library knows nothing of. Every call and every task that is about to touch
// a program's pointer asks here first, so a wrong one becomes an error and not a crash, and learns here where
// its bytes are: the address a program holds ("given") and the one that code on this machine follows
// ("kernel") may differ. One per process, made anew in a forked child, where the parent's ranges are known
// but dead. Any thread; looking up heap memory takes no lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/error_codes.h"
#include "device/access.h"
#include "device/host_registry.h"
#include "device/managed_memory.h"
#include "device/memory/block_heap.h"
#include "device/memory/memory_info.h"
#include "device/pinned_memory.h"
#include "device/virtual_memory.h"

namespace foothold {

class DeviceMemory;

class MemoryMap {
 public:
  static MemoryMap& Get();

  // A heap whose blocks are to be found. It must be removed before it is destroyed, when nobody uses its
  // blocks.
  void Add(BlockHeap& heap, DeviceMemory* owner);
  void Remove(const BlockHeap& heap);

  MemoryInfo Find(const void* address) const;
  // Whose range of device memory the address lies in, or null.
  DeviceMemory* OwnerOf(const void* address) const noexcept;
  // True if some of the bytes lie in a range of the library.
  bool Meets(const void* address, std::size_t bytes) const;
  // The bytes around all live blocks (check/guards.h).
  void LookAtGuards() const;
  // For messages: what the address is or was, which call made it, which call freed it.
  std::string Describe(const void* address) const;

  PinnedMemory pinned;
  ManagedMemory managed;
  HostRegistry registered;
  VirtualMemory virtual_memory;

 private:
  using Range = std::pair<std::uintptr_t, std::uintptr_t>;  // first, behind the last

  explicit MemoryMap(const MemoryMap* parent);
  const BlockHeap* HeapAt(std::uintptr_t address) const noexcept;
  bool IsInherited(std::uintptr_t address) const noexcept;

  static constexpr std::size_t kMaxHeaps = 256;
  struct Entry {
    std::atomic<BlockHeap*> heap{nullptr};
    std::atomic<DeviceMemory*> owner{nullptr};
  };
  Entry entries_[kMaxHeaps];
  std::atomic<std::size_t> used_{0};  // entries that were ever in use
  std::mutex mutex_;                  // guards changes of the entries
  std::vector<Range> inherited_;      // never changes
};

// A checked piece of memory.
struct MemoryUse {
  MemoryKind kind = MemoryKind::kPageable;
  int device = -1;
  std::uint64_t serial =
      0;                   // of the allocation (the latest, where several are joined); 0 for pageable memory
  void* kernel = nullptr;  // where the bytes are now; valid as long as the allocation lives

  bool on_device() const {
    return kind == MemoryKind::kDevice || kind == MemoryKind::kManaged || kind == MemoryKind::kMapped;
  }
  bool pageable() const { return kind == MemoryKind::kPageable; }
};

// The memory a call is going to use: `bytes` from `address`, called `name` in messages. Throws `code` for
// null, for freed, unmapped or foreign memory, and for bytes that leave their allocation. For 0 bytes only
// null is wrong.
MemoryUse CheckRange(const void* address, std::size_t bytes, Use use, const char* name,
                     Code code = kRtParamInvalid);
// The same, and the memory must be a device's (managed memory counts).
MemoryUse CheckDeviceRange(const void* address, std::size_t bytes, Code code = kRtParamInvalid,
                           const char* name = "devPtr", Use use = Use::kWrite);
// For a task that is about to use memory which was checked when it was queued as allocation `serial`: where
// the bytes are. Throws 507013 if the allocation is gone. Pageable memory (serial 0) is the program's own
// business.
void* RecheckRange(const void* address, std::size_t bytes, Use use, std::uint64_t serial, const char* name);
// The most bytes from `address` that one use may touch: to the end of the allocation, or of the reserved
// addresses.
std::size_t ReachOf(const void* address);

}  // namespace foothold
