// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the library knows of a piece of memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

// One byte, so that it is not copied in one piece with what is stored beside it: see BlockHeap::Find.
enum class MemoryKind : std::uint8_t {
  kPageable,    // memory of the program the library knows nothing of
  kDevice,      // aclrtMalloc and its like
  kPinned,      // aclrtMallocHost
  kRegistered,  // memory of the program, registered with aclrtHostRegister
  kManaged,     // aclrtMemAllocManaged
  kMapped,      // virtual addresses with pages (aclrtMapMem)
  kReserved,    // virtual addresses without pages (aclrtReserveMemAddress)
  kDead,        // inside a range of the library where no allocation lives: freed, or never handed out
  kInherited,   // inside a range of the parent process, in a forked child
};

struct MemoryInfo {
  MemoryKind kind = MemoryKind::kPageable;
  int device = -1;            // owner; -1 for host memory
  std::uintptr_t base = 0;    // of the allocation, as programs know it; 0 where there is none
  std::size_t size = 0;       // as asked for
  std::uint64_t serial = 0;   // number of the allocation in the process; 0 where there is none
  const char* api = nullptr;  // the call that made it
  std::uintptr_t offset = 0;  // so far above its bytes on this machine are the addresses programs hold

  bool alive() const { return serial != 0; }
  bool Holds(std::uintptr_t address, std::size_t bytes) const {
    return address - base <= size && bytes <= size - (address - base);
  }
};

// Numbers allocations through the life of the process, from 1.
std::uint64_t NextAllocationSerial() noexcept;

}  // namespace foothold
