// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The memory of one device: a fixed capacity, handed out in blocks from an address range of the device's own.
// What is free and what is used always add up to the capacity. Addresses that go in and out are the
// program's: who wants to touch what is there asks memory_map.h. Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/memory/block_heap.h"
#include "device/memory/module_usage.h"

namespace foothold {

class DeviceMemory {
 public:
  DeviceMemory(int device, std::uint64_t capacity);
  // Nobody may use the device's memory any more.
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  // At least `size` bytes at a multiple of 64, followed by 32 more that may be read. `api` is a literal, kept
  // for messages; `module` is the program's own number for whom the memory is. Throws 107000 for size 0 and
  // 207001 when the device has no room.
  void* Allocate(std::size_t size, const char* api, std::uint16_t module = 0);
  // The same for memory that is meant for others: a large block is in a memory file from the start, so that
  // sharing it moves nothing.
  void* AllocateToShare(std::size_t size, const char* api, std::uint16_t module = 0);
  // Throws 107000 for everything that is not the start of a live block of this device.
  void Free(void* address, const char* api);

  // The pages of the live block `serial` that holds `address`, to be given to other processes: block_heap.h.
  SharedPages Share(const void* address, std::uint64_t serial);
  // Those of a block that was shared before; nothing if it is gone.
  std::optional<SharedPages> FindShared(const void* address, std::uint64_t serial) const;

  // Frees every block of the device, its managed memory and its physical memory, whoever made them, as a
  // reset does. Pointers that other threads still hold are stale from then on: calls and tasks that use them
  // fail, and code that follows them itself reads memory that may be handed out again.
  void ReleaseAll(const char* api = "aclrtResetDevice");

  // Memory of this device that lives elsewhere (managed, physical) counts too. Charge throws 207001.
  void Charge(std::uint64_t bytes, const char* api);
  void Refund(std::uint64_t bytes) noexcept;

  // Called with a device that has no room, before that becomes a failure: who keeps some of its memory for
  // later lets go of it. On the thread that wants the memory, which may hold locks of folders above.
  using MakeRoom = void (*)(int device) noexcept;
  static void SetMakeRoom(MakeRoom make_room) noexcept { make_room_.store(make_room); }

  int device() const { return device_; }
  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  std::vector<ModuleUsage> usage() const { return modules_.Read(); }

 private:
  void TraceUse(std::uint64_t used) const noexcept;
  bool TryCharge(std::uint64_t bytes) noexcept;
  // False if there is no room and nobody makes some.
  bool Take(std::uint64_t bytes) noexcept;
  void Return(std::uint64_t bytes) noexcept;
  [[noreturn]] void FailFull(std::uint64_t bytes) const;
  std::string LargestBlocks() const;

  static inline std::atomic<MakeRoom> make_room_{nullptr};

  const int device_;
  const std::uint64_t capacity_;
  std::atomic<std::uint64_t> used_{0};
  std::atomic<bool> has_descriptors_{true};  // for blocks that are in files before anybody shares them
  ModuleUsages modules_;
  BlockHeap heap_;
};

// What each of `devices` devices has unless FOOTHOLD_DEVICE_MEMORY says otherwise: together most of the
// memory this process may use.
std::uint64_t DefaultDeviceMemory(int devices);

std::unique_ptr<DeviceMemory> MakeDeviceMemory(int device, std::uint64_t capacity);

// Frees device or managed memory, whichever device owns it. Throws 107000 with what the address is instead.
void FreeDevicePointer(void* address, const char* api);

}  // namespace foothold
