// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Bytes of an encoder in memory of a device, where programs copy them from like from any other. The device
// may be reset before they are given back; what is at their address then is somebody else's. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {
class Device;
}

namespace foothold::video {

class DevicePacket {
 public:
  // `api` is a literal, kept for messages. Throws where the device has no room.
  DevicePacket(Device& device, const std::uint8_t* bytes, std::size_t count, const char* api);
  ~DevicePacket();
  DevicePacket(const DevicePacket&) = delete;
  DevicePacket& operator=(const DevicePacket&) = delete;

  void* address() const { return address_; }

 private:
  Device& device_;
  const char* const api_;
  void* const address_;
  std::uint64_t serial_ = 0;
};

}  // namespace foothold::video
