// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/device_charge.h"

#include "device/device_memory.h"
#include "device/runtime.h"

namespace foothold {

DeviceCharge::DeviceCharge(int device, std::uint64_t bytes, const char* api) : bytes_(bytes) {
  if (bytes == 0) return;
  DeviceMemory& memory = Runtime::Get().device(device).memory();
  memory.Charge(bytes, api);
  memory_ = &memory;
}

DeviceCharge::~DeviceCharge() {
  if (memory_ != nullptr) memory_->Refund(bytes_);
}

}  // namespace foothold
