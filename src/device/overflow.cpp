// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/overflow.h"

#include <fmt/format.h>

#include <cstring>

#include "base/error.h"
#include "device/memory_map.h"
#include "device/runtime.h"
#include "device/task.h"

namespace foothold {
namespace {

class ReadOverflow {
 public:
  static constexpr bool kReplays = true;

  ReadOverflow(void* address, std::uint64_t serial) : address_(address), serial_(serial) {}
  Outcome Run(Stream& stream) {
    void* const out = RecheckRange(address_, kOverflowStatusBytes, Use::kWrite, serial_, "outputAddr");
    const std::uint32_t status = Runtime::Get().device(stream.device()).overflowed.load();
    std::memset(out, 0, kOverflowStatusBytes);
    std::memcpy(out, &status, sizeof(status));
    return Outcome::kDone;
  }
  std::string Describe() const { return fmt::format("outputAddr={}", address_); }
  void ListAccesses(std::vector<Access>& list) const {
    list.push_back({address_, kOverflowStatusBytes, Use::kWrite, Extent::kExact, serial_});
  }

 private:
  void* address_;
  std::uint64_t serial_;
};

class ClearOverflow {
 public:
  static constexpr bool kReplays = true;

  Outcome Run(Stream& stream) {
    Runtime::Get().device(stream.device()).overflowed.store(0);
    return Outcome::kDone;
  }
  std::string Describe() const { return {}; }
  void ListAccesses(std::vector<Access>&) const {}  // the status is the device's own
};

}  // namespace

OverflowMode OverflowModeOf(int device) {
  return static_cast<OverflowMode>(Runtime::Get().device(device).overflow_mode.load());
}

void RaiseOverflow(int device) noexcept {
  try {
    Runtime::Get().device(device).overflowed.store(1);
  } catch (...) {  // a device that does not exist has no status
  }
}

void PushReadOverflow(const StreamRef& stream, const char* api, void* address, std::size_t bytes) {
  if (bytes != kOverflowStatusBytes) {
    Fail(kRtParamInvalid, "outputSize must be {}; it is {}", kOverflowStatusBytes, bytes);
  }
  stream.Push(api,
              ReadOverflow(address, CheckDeviceRange(address, bytes, kRtParamInvalid, "outputAddr").serial));
}

void PushClearOverflow(const StreamRef& stream, const char* api) {
  stream.Push(api, ClearOverflow());
}

}  // namespace foothold
