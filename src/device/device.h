// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One device: a share of the machine that looks like an accelerator. Owns its memory, counts its users, and
// knows its default context. Lives from the first use of the runtime to the end of the process. Any thread.
#pragma once

#include <atomic>
#include <condition_variable>
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

  // Whether this device may reach into the memory of `peer`.
  void SetPeerAccess(const Device& peer, bool allowed);
  bool HasPeerAccess(const Device& peer) const;

  // One more user, whose context is the default one; `open` makes it if there is none. Waits while another
  // thread releases the device.
  template <typename Open>
  Context& AddUser(Open&& open) {
    std::unique_lock<std::mutex> lock(mutex_);
    AwaitRelease(lock);
    if (default_context_ == nullptr) default_context_ = &open();
    ++users_;
    return *default_context_;
  }
  // Runs `work` while nobody releases the device.
  template <typename Work>
  decltype(auto) WhileUsable(Work&& work) {
    std::unique_lock<std::mutex> lock(mutex_);
    AwaitRelease(lock);
    return work();
  }
  // One user less, or none at all. True if the caller must now release the device and call Released. Throws
  // 107000 if there is no user.
  bool RemoveUser(bool all);
  // The same for the end of the process's use: there may be no user, and true is always the answer.
  void RemoveAllUsers();
  Context* TakeDefaultContext();
  void Released();
  bool ReleasedByThisThread() const;

  // The default context exists.
  bool in_use() const;

  std::atomic<int> overflow_mode{0};             // aclrtFloatOverflowMode
  std::atomic<std::uint32_t> overflowed{0};      // 1: arithmetic left its range (device/overflow.h)
  std::atomic<std::uint32_t> res_limit[2] = {};  // core counts; 0 = not limited
  std::atomic<std::uint32_t> streams{0};         // live, default streams included
  std::atomic<std::uint32_t> events{0};
  std::atomic<std::uint32_t> notifies{0};

 private:
  void AwaitRelease(std::unique_lock<std::mutex>& lock);

  const int id_;
  const int physical_id_;
  const std::unique_ptr<DeviceMemory> memory_;
  std::atomic<std::uint64_t> peers_{0};  // a bit each

  mutable std::mutex mutex_;  // guards the four below
  std::condition_variable released_;
  int users_ = 0;  // aclrtSetDevice minus aclrtResetDevice
  Context* default_context_ = nullptr;
  std::uint64_t releasing_ = 0;  // the thread that releases the device, 0 if none
};

}  // namespace foothold
