// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "base/clock.h"
#include "device/current.h"
#include "device/memory_map.h"
#include "device/stream.h"

namespace foothold {
namespace {

// Other streams' copies and the program's own stores change memory without telling anybody, so waits look
// again by themselves: soon at first, then less often.
constexpr Nanoseconds kFirstLook = 20'000;
constexpr Nanoseconds kLongestLook = kMillisecond;

std::uint64_t* Checked(void* address) {
  CheckDeviceRange(address, sizeof(std::uint64_t), kRtSysDma);
  return static_cast<std::uint64_t*>(KernelAddress(address));
}

class ValueWrite {
 public:
  ValueWrite(void* address, std::uint64_t value) : address_(address), value_(value) {}
  Outcome Run(Stream&) {
    std::atomic_ref<std::uint64_t>(*Checked(address_)).store(value_, std::memory_order_release);
    return Outcome::kDone;
  }
  std::string Describe() const { return fmt::format("devAddr={}, value={}", address_, value_); }

 private:
  void* address_;
  std::uint64_t value_;
};

class ValueWait {
 public:
  ValueWait(void* address, std::uint64_t value, ValueCondition condition)
      : address_(address), value_(value), condition_(condition) {}
  Outcome Run(Stream& stream) {
    const auto found = std::atomic_ref<std::uint64_t>(*Checked(address_)).load(std::memory_order_acquire);
    if (Holds(found)) return Outcome::kDone;
    stream.WakeAt(Now() + pause_);
    pause_ = std::min(pause_ * 2, kLongestLook);
    return Outcome::kSuspended;
  }
  std::string Describe() const { return fmt::format("devAddr={}, value={}", address_, value_); }

 private:
  bool Holds(std::uint64_t found) const {
    switch (condition_) {
      case ValueCondition::kGreaterOrEqual:
        return static_cast<std::int64_t>(found - value_) >= 0;
      case ValueCondition::kEqual:
        return found == value_;
      case ValueCondition::kAnd:
        return (found & value_) != 0;
      case ValueCondition::kNor:
        return ~(found | value_) != 0;
    }
    return false;
  }

  void* address_;
  std::uint64_t value_;
  Nanoseconds pause_ = kFirstLook;
  ValueCondition condition_;
};

}  // namespace

void PushValueWrite(const StreamRef& stream, const char* api, void* address, std::uint64_t value) {
  stream.Push(api, ValueWrite(address, value));
}

void PushValueWait(const StreamRef& stream, const char* api, void* address, std::uint64_t value,
                   ValueCondition condition) {
  stream.Push(api, ValueWait(address, value, condition));
}

}  // namespace foothold
