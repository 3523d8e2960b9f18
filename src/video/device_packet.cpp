// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "video/device_packet.h"

#include <cstring>

#include "base/error.h"
#include "base/log.h"
#include "device/device.h"
#include "device/device_memory.h"
#include "device/memory_map.h"

namespace foothold::video {

DevicePacket::DevicePacket(Device& device, const std::uint8_t* bytes, std::size_t count, const char* api)
    : device_(device), api_(api), address_(device.memory().Allocate(count, api)) {
  const MemoryUse memory = CheckDeviceRange(address_, count);
  serial_ = memory.serial;
  std::memcpy(memory.kernel, bytes, count);
}

DevicePacket::~DevicePacket() {
  try {
    if (MemoryMap::Get().Find(address_).serial == serial_) device_.memory().Free(address_, api_);
  } catch (const Error& error) {
    Log(LogLevel::kInfo, "a packet of encoded video was gone before it was given back: {}", error.message());
  }
}

}  // namespace foothold::video
