// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A piece of device memory that runs of a model use: taken from the device, or lent by the program. Lives
// until the last run that uses it has ended. Immutable; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "base/error_codes.h"
#include "device/access.h"
#include "ir/tensor_value.h"

namespace foothold {

class Device;

class DeviceBlock {
 public:
  // Throws kRtMemoryAllocation when the device has no room. `api` is a literal.
  static std::shared_ptr<const DeviceBlock> Allocate(Device& device, std::size_t bytes, const char* api);
  // Memory of the program; `name` is a literal, for messages. Throws `code` if it is no device
  // memory, too small or not aligned.
  static std::shared_ptr<const DeviceBlock> Borrow(void* address, std::size_t bytes, std::size_t needed,
                                                   Code code, const char* name);
  // Memory of an allocator of the program, which gets it back at the end, also if this throws.
  static std::shared_ptr<DeviceBlock> Adopt(void* address, std::size_t bytes,
                                            std::function<void()> give_back);
  ~DeviceBlock();
  DeviceBlock(const DeviceBlock&) = delete;
  DeviceBlock& operator=(const DeviceBlock&) = delete;

  std::byte* data() const { return address_; }
  std::size_t size() const { return bytes_; }
  // What the program lent, as tasks say what they touch; nothing for the library's own.
  std::optional<Access> lent() const;
  // Throws if the memory was freed meanwhile, by the program or by a reset of the device.
  void CheckAlive() const;

 private:
  DeviceBlock(void* address, std::size_t bytes, const char* name);

  void* const given_;
  std::byte* const address_;  // of the bytes
  const std::size_t bytes_;
  const char* name_;
  std::uint64_t serial_ = 0;
  bool lent_ = false;
  std::function<void()> give_back_;
};

// The block as the program's memory is passed around; keeps it.
SharedBytes BytesOf(std::shared_ptr<const DeviceBlock> block);

}  // namespace foothold
