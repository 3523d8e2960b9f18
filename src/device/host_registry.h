// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Memory of the program that it registered with aclrtHostRegister: it counts as pinned from then on. Any
// thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <shared_mutex>

#include "device/memory/memory_info.h"

namespace foothold {

class MemoryMap;

class HostRegistry {
 public:
  explicit HostRegistry(MemoryMap& map) : map_(map) {}

  // `mapped`: devices may use it too. Throws 507910 if some of it is registered or was made by
  // aclrtMallocHost, 107000 if the range is empty, not page-aligned, not the program's, or not there at all.
  void Register(void* address, std::size_t bytes, bool mapped, const char* api);
  // Throws 507911 if no registered range starts there.
  void Unregister(void* address);
  // The device's name for a registered address. Throws 507911 for others.
  void* DevicePointer(void* address) const;

  // The registered range that holds the address.
  std::optional<MemoryInfo> Find(std::uintptr_t address) const;

 private:
  struct Entry {
    std::size_t bytes;
    bool mapped;
    std::uint64_t serial;
    const char* api;
  };
  using Entries = std::map<std::uintptr_t, Entry>;

  Entries::const_iterator EntryAt(std::uintptr_t address) const;

  MemoryMap& map_;
  std::atomic<std::size_t> count_{0};  // so that programs without registrations never lock
  mutable std::shared_mutex mutex_;    // guards entries_
  Entries entries_;
};

}  // namespace foothold
