// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "launch/device_block.h"

#include "base/error.h"
#include "device/device.h"
#include "device/device_memory.h"
#include "device/memory_map.h"

namespace foothold {

DeviceBlock::DeviceBlock(void* address, std::size_t bytes, const char* name)
    : given_(address),
      address_(static_cast<std::byte*>(CheckRange(address, bytes, Use::kWrite, name).kernel)),
      bytes_(bytes),
      name_(name) {}

DeviceBlock::~DeviceBlock() {
  if (give_back_) give_back_();
}

std::shared_ptr<const DeviceBlock> DeviceBlock::Allocate(Device& device, std::size_t bytes, const char* api) {
  void* const address = device.memory().Allocate(bytes, api);
  auto block = Adopt(address, bytes, [address, api] {
    try {
      FreeDevicePointer(address, api);
    } catch (const std::exception&) {  // the device was reset, and its memory with it
    }
  });
  block->name_ = "the work memory";
  block->serial_ = CheckDeviceRange(address, bytes).serial;
  return block;
}

std::shared_ptr<const DeviceBlock> DeviceBlock::Borrow(void* address, std::size_t bytes, std::size_t needed,
                                                       Code code, const char* name) {
  if (bytes < needed)
    Fail(code, "{} has {} bytes, and the model needs {} (aclmdlQuerySize says how many)", name, bytes,
         needed);
  const MemoryUse use = CheckDeviceRange(address, bytes, code, name);
  if (reinterpret_cast<std::uintptr_t>(address) % kTensorAlignment != 0)
    Fail(code, "{} is at {}; it must be at a multiple of {}, as aclrtMalloc gives it", name, address,
         kTensorAlignment);
  std::shared_ptr<DeviceBlock> block(new DeviceBlock(address, bytes, name));
  block->serial_ = use.serial;
  block->lent_ = true;
  return block;
}

std::shared_ptr<DeviceBlock> DeviceBlock::Adopt(void* address, std::size_t bytes,
                                                std::function<void()> give_back) try {
  std::shared_ptr<DeviceBlock> block(new DeviceBlock(address, bytes, "memory of the stream's allocator"));
  block->give_back_ = std::move(give_back);
  return block;
} catch (...) {
  give_back();
  throw;
}

std::optional<Access> DeviceBlock::lent() const {
  if (!lent_) return std::nullopt;
  return Access{given_, bytes_, Use::kWrite, Extent::kExact, serial_, MemoryRole::kModelWork};
}

void DeviceBlock::CheckAlive() const {
  if (bytes_ > 0) RecheckRange(given_, bytes_, Use::kWrite, serial_, name_);
}

SharedBytes BytesOf(std::shared_ptr<const DeviceBlock> block) {
  std::byte* const data = block->data();
  return SharedBytes(std::move(block), data);
}

}  // namespace foothold
