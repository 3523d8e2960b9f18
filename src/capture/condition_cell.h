// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The value a condition looks at: eight bytes of device memory that tasks of the program write. It belongs to
// an instance and goes with it. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/handled_state.h"
#include "device/access.h"

namespace foothold {

class Device;

class ConditionCell {
 public:
  enum class AtBegin { kKeep, kAssignDefault };

  // Holds the default at first. Throws 207001 if the device has no room.
  ConditionCell(Device& device, std::uint64_t default_value, AtBegin at_begin);
  ~ConditionCell();
  ConditionCell(const ConditionCell&) = delete;
  ConditionCell& operator=(const ConditionCell&) = delete;

  void* address() const { return address_; }
  // Both throw 507013 once the device was reset.
  std::uint64_t Load() const;
  // A run of its instance begins.
  void Begin() const;
  Access AsRead() const;

 private:
  void Store(std::uint64_t value) const;

  const std::uint64_t default_;
  const AtBegin at_begin_;
  void* const address_;
  const std::uint64_t serial_;
};

// The cells of one instance. Any thread.
class ConditionCells {
 public:
  void Add(std::shared_ptr<ConditionCell> cell);
  void BeginRun() const;

 private:
  mutable std::mutex mutex_;  // guards cells_
  std::vector<std::shared_ptr<ConditionCell>> cells_;
};

}  // namespace foothold
