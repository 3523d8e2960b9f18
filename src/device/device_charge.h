// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Counts as memory of a device while it lives: for what the library keeps in host memory where the hardware
// would have it on the device. A reset of the device does not end it. Any thread.
#pragma once

#include <cstdint>
#include <utility>

namespace foothold {

class DeviceMemory;

class DeviceCharge {
 public:
  DeviceCharge() = default;
  // Throws 107001 for a device that is not there and 207001 when it has no room.
  DeviceCharge(int device, std::uint64_t bytes, const char* api);
  ~DeviceCharge();
  DeviceCharge(DeviceCharge&& other) noexcept
      : memory_(std::exchange(other.memory_, nullptr)), bytes_(other.bytes_) {}
  DeviceCharge& operator=(DeviceCharge&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  // Ends without counting.
  void Forget() noexcept { memory_ = nullptr; }

 private:
  DeviceMemory* memory_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace foothold
