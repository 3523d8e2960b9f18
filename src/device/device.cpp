// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/device.h"

#include <utility>

#include "device/device_memory.h"

namespace foothold {

Device::Device(int id, int physical_id, std::unique_ptr<DeviceMemory> memory)
    : id_(id), physical_id_(physical_id), memory_(std::move(memory)) {}

Device::~Device() = default;

}  // namespace foothold
