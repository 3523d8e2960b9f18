// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Objects behind handles that belong to the process rather than to a device: data buffers, tensor
// descriptions. They need no initialisation, outlive aclFinalize, and a forked child goes on using them.
// Never destroyed as a whole. Any thread; one object is used by one thread at a time.
#pragma once

#include <optional>
#include <utility>

#include "base/broken_rule.h"
#include "base/error.h"
#include "base/handle_pool.h"
#include "base/process_events.h"

namespace foothold {

// The codes are what Find and Remove throw for null and for what is no such object.
template <typename T, HandleKind kKind, Code kForNull = kInvalidParam, Code kForOthers = kInvalidParam>
class HostObjects {
 public:
  static HostObjects& Get() {
    static HostObjects* const objects = new HostObjects;
    return *objects;
  }

  void* Add(T value) {
    Slot& slot = pool_.Take();
    slot.value.emplace(std::move(value));
    return pool_.Publish(slot);
  }
  // One that `fill(T&)` makes of T{} where it is going to stay. What that throws comes through.
  template <typename Fill>
  void* Make(const Fill& fill) {
    Slot& slot = pool_.Take();
    try {
      fill(slot.value.emplace());
    } catch (...) {
      slot.value.reset();
      pool_.Recycle(slot);
      throw;
    }
    return pool_.Publish(slot);
  }

  // Throws for what is no such object: null, destroyed, or something else altogether.
  T& Find(const void* handle) const {
    if (Slot* slot = pool_.Find(handle)) return *slot->value;
    Refuse(handle);
  }

  T* FindOrNull(const void* handle) const {
    Slot* const slot = handle == nullptr ? nullptr : pool_.Find(handle);
    return slot == nullptr ? nullptr : &*slot->value;
  }

  void Remove(const void* handle) {
    Slot* slot = pool_.Find(handle);
    if (slot == nullptr || !pool_.Retire(*slot, handle)) Refuse(handle);
    slot->value.reset();
    pool_.Recycle(*slot);
  }

 private:
  struct Slot : Handled {
    std::optional<T> value;
  };

  HostObjects() : at_fork_(ForkStage::kTables, {LockForFork, UnlockAfterFork, UnlockAfterFork}) {}
  static void LockForFork() { Get().pool_.LockForFork(); }
  static void UnlockAfterFork() { Get().pool_.UnlockAfterFork(); }

  [[noreturn]] static void Refuse(const void* handle) {
    const char* name = HandleKindName(kKind);
    if (handle == nullptr) Fail(kForNull, "the {} must not be null", name);
    BreaksRule("ACL-LIFE-005", handle);
    if (IsHandleOf(kKind, handle)) Fail(kForOthers, "{} {} does not exist: it was destroyed", name, handle);
    Fail(kForOthers, "{} is not a {}", DescribeHandle(handle), name);
  }

  HandlePool<Slot> pool_{kKind};
  const AtFork at_fork_;
};

}  // namespace foothold
