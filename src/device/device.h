// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One device: a share of the machine that looks like an accelerator. Owns its memory, counts its users, and
// knows its default context. Lives from the first use of the runtime to the end of the process. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

namespace foothold {

class Context;
class DeviceMemory;

class Device {
 public:
  Device(int id, int physical_id, std::unique_ptr<DeviceMemory> memory);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  int id() const { return id_; }
  int physical_id() const { return physical_id_; }
  DeviceMemory& memory() const { return *memory_; }

  std::atomic<int> overflow_mode{0};             // aclrtFloatOverflowMode
  std::atomic<std::uint32_t> overflowed{0};      // 1: arithmetic left its range (device/overflow.h)
  std::atomic<std::uint32_t> res_limit[2] = {};  // core counts; 0 = not limited
  std::atomic<std::uint64_t> peers{0};           // devices this one enabled peer access to, a bit each
  std::atomic<std::uint32_t> streams{0};         // live, default streams included
  std::atomic<std::uint32_t> events{0};
  std::atomic<std::uint32_t> notifies{0};

  // Guards users and default_context.
  std::mutex mutex;
  int users = 0;  // aclrtSetDevice minus aclrtResetDevice
  Context* default_context = nullptr;

 private:
  const int id_;
  const int physical_id_;
  const std::unique_ptr<DeviceMemory> memory_;
};

}  // namespace foothold
