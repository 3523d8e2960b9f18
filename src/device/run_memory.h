// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A piece of the program's memory that a run uses: checked when the run is asked for, and again when its turn
// has come, since the program may have freed it meanwhile. It has two addresses: the program's, for
// comparisons and messages, and that of its bytes. Immutable; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.h"
#include "device/memory_map.h"

namespace foothold {

class RunMemory {
 public:
  enum class Kind { kDevice, kAny };

  RunMemory() = default;  // none

  // Throws `code` where CheckDeviceRange or CheckRange would. 0 bytes are never wrong. `name()` is the text
  // messages call it by, asked for only if there is something to say.
  template <typename Name>
  RunMemory(const void* address, std::size_t bytes, Use use, Kind kind, Code code, const Name& name)
      : given_(static_cast<std::byte*>(const_cast<void*>(address))),
        kernel_(given_),
        bytes_(bytes),
        use_(use),
        kind_(kind) {
    WithName(name, [&](const char* text) {
      const MemoryUse found = Find(code, text);
      serial_ = found.serial;
      kernel_ = static_cast<std::byte*>(found.kernel);
    });
  }

  // What the program gave.
  std::byte* given() const { return given_; }
  // Where the bytes are, if there are any.
  std::byte* data() const { return kernel_; }
  std::size_t size() const { return bytes_; }
  Use use() const { return use_; }
  // Of the allocation; 0 for pageable memory.
  std::uint64_t serial() const { return serial_; }

  // Throws 507013 if it was freed.
  template <typename Name>
  void CheckAlive(const Name& name) const {
    WithName(name, [&](const char* text) { RecheckRange(given_, bytes_, use_, serial_, text); });
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
    return kind_ == Kind::kDevice ? CheckDeviceRange(given_, bytes_, code, name, use_)
                                  : CheckRange(given_, bytes_, use_, name, code);
  }

  std::byte* given_ = nullptr;
  std::byte* kernel_ = nullptr;
  std::size_t bytes_ = 0;
  Use use_ = Use::kRead;
  Kind kind_ = Kind::kAny;
  std::uint64_t serial_ = 0;
};

// Where bytes of the program are, for reading them now. Throws kInvalidParam.
inline const std::byte* FindForReading(const void* given, std::size_t bytes, const std::string& name) {
  return RunMemory(given, bytes, Use::kRead, RunMemory::Kind::kAny, kInvalidParam, [&] { return name; })
      .data();
}

}  // namespace foothold
