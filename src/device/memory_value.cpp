// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "base/clock.h"
#include "device/current.h"
#include "device/memory_map.h"
#include "device/observer.h"
#include "device/stream.h"
#include "device/task_form.h"

namespace foothold {
namespace {

// Other streams' copies and the program's own stores change memory without telling anybody, so waits look
// again by themselves: soon at first, then less often.
constexpr std::uint32_t kFirstLook = 20'000;
constexpr std::uint32_t kLongestLook = kMillisecond;

// Whatever changes the memory, a plain copy or a store of the program, is meant to be seen: that is what the
// wait is for. So this read is no race to be reported.
__attribute__((no_sanitize("thread"))) std::uint64_t Look(const std::uint64_t* cell) {
  return __atomic_load_n(cell, __ATOMIC_ACQUIRE);
}

// Eight bytes of device memory that must still be those the call named.
class Cell {
 public:
  static constexpr std::size_t kBytes = sizeof(std::uint64_t);

  Cell(void* address, Use use)
      : address_(address),
        serial_(CheckDeviceRange(address, kBytes, kRtParamInvalid, "devAddr", use).serial) {}
  std::uint64_t* Get(Use use) const {
    return static_cast<std::uint64_t*>(RecheckRange(address_, kBytes, use, serial_, "devAddr"));
  }
  void* address() const { return address_; }
  Access As(Use use) const { return {address_, kBytes, use, Extent::kExact, serial_}; }

 private:
  void* address_;
  std::uint64_t serial_;
};

class ValueWrite {
 public:
  static constexpr bool kReplays = true;
  static const TaskForm kForm;

  explicit ValueWrite(const TaskParams& params) : ValueWrite(params.address, params.value) {}
  ValueWrite(void* address, std::uint64_t value) : cell_(address, Use::kWrite), value_(value) {}
  Outcome Run(Stream&) {
    std::atomic_ref<std::uint64_t>(*cell_.Get(Use::kWrite)).store(value_, std::memory_order_release);
    return Outcome::kDone;
  }
  std::string Describe() const { return fmt::format("devAddr={}, value={}", cell_.address(), value_); }
  void ListAccesses(std::vector<Access>& list) const { list.push_back(cell_.As(Use::kWrite)); }
  void Read(TaskParams& params) const {
    params.address = cell_.address();
    params.value = value_;
  }

 private:
  Cell cell_;
  std::uint64_t value_;
};
const TaskForm ValueWrite::kForm{TaskKind::kValueWrite, &ReadForm<ValueWrite>, &ChangeForm<ValueWrite>};

class ValueWait {
 public:
  static constexpr bool kReplays = true;  // the next one waits as well
  static constexpr bool kSuspends = true;

  static const TaskForm kForm;

  explicit ValueWait(const TaskParams& params)
      : ValueWait(params.address, params.value, static_cast<ValueCondition>(params.flag)) {}
  ValueWait(void* address, std::uint64_t value, ValueCondition condition)
      : cell_(address, Use::kRead), value_(value), condition_(condition) {}
  Outcome Run(Stream& stream) {
    if (Holds(Look(cell_.Get(Use::kRead)))) {
      if (auto* const observer = Observer()) observer->OnLearnsValue(stream, cell_.As(Use::kRead));
      return Outcome::kDone;
    }
    stream.WakeAt(Now() + pause_);
    pause_ = std::min(pause_ * 2, kLongestLook);
    return Outcome::kSuspended;
  }
  std::string Describe() const { return fmt::format("devAddr={}, value={}", cell_.address(), value_); }
  void ListAccesses(std::vector<Access>& list) const { list.push_back(cell_.As(Use::kRead)); }
  SyncUse Sync() const {
    SyncUse use;
    use.kind = SyncUse::Kind::kWaits;
    use.what = SyncUse::What::kValue;
    use.point = use.object = cell_.address();
    return use;
  }
  void Read(TaskParams& params) const {
    params.address = cell_.address();
    params.value = value_;
    params.flag = static_cast<std::uint32_t>(condition_);
  }

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

  Cell cell_;
  std::uint64_t value_;
  std::uint32_t pause_ = kFirstLook;
  ValueCondition condition_;
};
const TaskForm ValueWait::kForm{TaskKind::kValueWait, &ReadForm<ValueWait>, &ChangeForm<ValueWait>};

}  // namespace

void PushValueWrite(const StreamRef& stream, const char* api, void* address, std::uint64_t value) {
  stream.Push(api, ValueWrite(address, value));
}

void PushValueWait(const StreamRef& stream, const char* api, void* address, std::uint64_t value,
                   ValueCondition condition) {
  stream.Push(api, ValueWait(address, value, condition));
}

}  // namespace foothold
