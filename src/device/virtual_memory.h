// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Device memory with addresses and pages apart: ranges are reserved, pages allocated, and the one mapped to
// the other piece by piece, so that a program can grow a buffer in place. Pages count against their device
// while they exist. All addresses that go in and out are those the program holds, which may lie off those of
// the bytes. Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>

#include "base/handle_pool.h"
#include "device/memory/address_offset.h"
#include "device/memory/memory_file.h"
#include "device/memory/memory_info.h"
#include "device/memory/page_file.h"

namespace foothold {

class DeviceMemory;

enum MemoryAccess : std::uint64_t { kNoAccess = 0, kReadAccess = 1, kReadWriteAccess = 3 };

// Pages. `properties` is what the program said of them, kept to be read back.
struct PhysicalMemory : Handled {
  struct Properties {
    int handle_type = 0;
    int allocation_type = 0;
    int attribute = 0;
    std::uint32_t location = 0;
    int location_type = 0;
    std::uint64_t reserve = 0;
  };
  DeviceMemory* owner = nullptr;
  std::size_t bytes = 0;
  std::uint64_t offset = 0;                // in the file of all pages
  std::shared_ptr<const MemoryFile> file;  // or all of a file of their own: shared, or another process's
  bool exported = false;
  bool imported = false;  // another process's: they do not count against a device
  int references = 0;     // handles the program has not freed yet
  int mappings = 0;
  Properties properties;
};

class VirtualMemory {
 public:
  static constexpr std::size_t kGranularity = std::size_t{2} << 20;
  static constexpr std::size_t kSmallGranularity = std::size_t{4} << 10;

  // What programs hold lies `offset` above where the pages are mapped.
  explicit VirtualMemory(std::uintptr_t offset = kDeviceAddressOffset) : offset_(offset) {}

  // `alignment` is 0 (the granularity) or a power of two; `expected` is where the program would like it, or
  // null.
  void* Reserve(std::size_t bytes, std::size_t alignment, void* expected, const char* api);
  // Throws 107000 while something is mapped in it.
  void Release(void* address);

  void* AllocatePages(DeviceMemory& owner, std::size_t bytes, const PhysicalMemory::Properties& properties,
                      const char* api);
  // Pages that are mapped stay until they are unmapped; the handle is gone at once.
  void FreePages(const void* handle);
  // One more handle for what is mapped at `address`; freed like the others.
  void* RetainPages(const void* address);
  PhysicalMemory::Properties PropertiesOf(const void* handle) const;

  // The file of the pages, for other processes; they move there now. Throws 107000 if it was asked for
  // before, unless that was forgotten since.
  std::shared_ptr<const MemoryFile> SharePages(const void* handle);
  void ForgetShared(const void* handle);
  // The same for pages that were shared before; nothing if the handle is gone.
  std::shared_ptr<const MemoryFile> FindShared(const void* handle) const;
  // Pages of another process, as a handle like others; they look like those of `owner`.
  void* AdoptPages(DeviceMemory& owner, std::shared_ptr<const MemoryFile> file,
                   const PhysicalMemory::Properties& properties);
  // `bytes` of another process's file, from anywhere in it, at an address of their own, which is the answer.
  void* MapImported(DeviceMemory& owner, const MemoryFile& file, std::uint64_t offset, std::size_t bytes,
                    const char* api);
  // False if nothing imported starts there (any more).
  bool UnmapImported(void* address);

  // All of the pages of `handle` at `address`, accessible to their own device, or to nobody yet.
  void Map(void* address, std::size_t bytes, const void* handle, bool accessible, const char* api);
  void Unmap(void* address);
  // `bytes` must be those of the mapping at `address`.
  void SetAccess(void* address, std::size_t bytes, int device, MemoryAccess access);
  MemoryAccess AccessOf(const void* address, int device) const;

  // Unmaps and frees all pages of `owner`.
  void ReleasePagesOf(const DeviceMemory& owner);

  // What the address is, if it is in a reserved range.
  std::optional<MemoryInfo> Find(std::uintptr_t address) const;
  // The newest serial of the mappings that hold the bytes; nothing if some are not mapped or not accessible
  // that way.
  std::optional<MemoryInfo> FindRange(std::uintptr_t address, std::size_t bytes, bool write) const;
  // True if some of the bytes lie in a reserved range.
  bool Meets(std::uintptr_t address, std::size_t bytes) const;
  // Bytes from the address to the end of its reserved range; 0 if it lies in none.
  std::size_t ReachOf(std::uintptr_t address) const;

 private:
  struct Mapping {
    std::size_t bytes;
    PhysicalMemory* pages;
    std::map<int, MemoryAccess> access;  // by device
    std::uint64_t serial;
    const char* api;

    std::uint64_t AnyAccess() const;
    int protection() const;
  };
  struct Reservation {
    std::size_t bytes;
    std::uint64_t serial;
    const char* api;
    std::map<std::uintptr_t, Mapping> mappings;
    bool imported = false;  // made for the one mapping in it, and gone with it
  };
  using Reservations = std::map<std::uintptr_t, Reservation>;

  Reservations::const_iterator RangeAt(std::uintptr_t address) const;
  const Mapping* MappingAt(const Reservation& range, std::uintptr_t address, std::uintptr_t* base) const;
  Reservation& RangeFor(std::uintptr_t address, std::size_t bytes);
  Mapping& MappingStarting(std::uintptr_t address);
  PhysicalMemory& PagesOf(const void* handle) const;
  void CheckFree(const Reservation& range, std::uintptr_t address, std::size_t bytes) const;
  void Erase(Reservation& range, std::uintptr_t address);
  void DropIfUnused(PhysicalMemory& pages);
  PhysicalMemory& TakePages(DeviceMemory& owner, std::size_t bytes);
  void TellShared(const PhysicalMemory& pages) const;
  void MapPages(const PhysicalMemory& pages, std::uintptr_t address, int protection) const;
  void MovePages(PhysicalMemory& pages, std::shared_ptr<const MemoryFile> file);
  void EraseImported(Reservations::iterator range);

  void* PagesAt(std::uintptr_t address) const { return reinterpret_cast<void*>(address - offset_); }

  const std::uintptr_t offset_;
  std::atomic<std::size_t> count_{0};  // of ranges, so that programs without never lock
  mutable std::shared_mutex mutex_;    // guards everything below
  Reservations ranges_;
  PageFile file_;
  HandlePool<PhysicalMemory> pages_{HandleKind::kPhysicalMemory};
};

}  // namespace foothold
