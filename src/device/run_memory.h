// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A piece of the program's memory that a run uses: checked when the run is asked for, and again when its turn
// has come, since the program may have freed it meanwhile. Immutable; any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/error.h"
#include "device/memory_map.h"

namespace foothold {

class RunMemory {
 public:
  enum class Kind { kDevice, kAny };

  // Throws `code` where CheckDeviceRange or CheckRange would. 0 bytes are never wrong. `name()` is the text
  // messages call it by, asked for only if there is something to say.
  template <typename Name>
  RunMemory(const void* address, std::size_t bytes, Use use, Kind kind, Code code, const Name& name)
      : address_(static_cast<std::byte*>(KernelAddress(address))), bytes_(bytes), use_(use), kind_(kind) {
    WithName(name, [&](const char* text) { serial_ = Find(code, text).serial; });
  }

  std::byte* data() const { return address_; }
  std::size_t size() const { return bytes_; }

  // Throws 507013 if it was freed.
  template <typename Name>
  void CheckAlive(const Name& name) const {
    WithName(name, [&](const char* text) { RecheckRange(address_, bytes_, use_, serial_, text); });
  }

 private:
  // What fails without a name is done again for the message.
  template <typename Name, typename Body>
  void WithName(const Name& name, const Body& body) const {
    if (bytes_ == 0) return;
    try {
      body("memory");
    } catch (const Error&) {
      body(name().c_str());
      throw;
    }
  }
  MemoryUse Find(Code code, const char* name) const {
    return kind_ == Kind::kDevice ? CheckDeviceRange(address_, bytes_, code, name, use_)
                                  : CheckRange(address_, bytes_, use_, name, code);
  }

  std::byte* address_;
  std::size_t bytes_;
  Use use_;
  Kind kind_;
  std::uint64_t serial_ = 0;
};

}  // namespace foothold
