// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "capture/condition_cell.h"

#include <atomic>
#include <utility>

#include "base/error.h"
#include "base/log.h"
#include "device/device.h"
#include "device/device_memory.h"
#include "device/memory_map.h"

namespace foothold {
namespace {

constexpr const char* kApi = "aclmdlRICondHandleCreate";
constexpr std::size_t kBytes = sizeof(std::uint64_t);

// Whatever writes the cell, a plain copy or a kernel, is meant to be seen.
__attribute__((no_sanitize("thread"))) std::uint64_t Look(const std::uint64_t* cell) {
  return __atomic_load_n(cell, __ATOMIC_ACQUIRE);
}

}  // namespace

ConditionCell::ConditionCell(Device& device, std::uint64_t default_value, AtBegin at_begin)
    : default_(default_value),
      at_begin_(at_begin),
      address_(device.memory().Allocate(kBytes, kApi)),
      serial_(CheckDeviceRange(address_, kBytes).serial) {
  Store(default_);
}

// Gone already where the device was reset, and nobody's in a forked child.
ConditionCell::~ConditionCell() {
  try {
    RecheckRange(address_, kBytes, Use::kWrite, serial_, "condition");
    FreeDevicePointer(address_, kApi);
  } catch (const std::exception& error) {
    Log(LogLevel::kDebug, "the memory of a condition was freed before it: {}", error.what());
  }
}

std::uint64_t ConditionCell::Load() const {
  return Look(
      static_cast<const std::uint64_t*>(RecheckRange(address_, kBytes, Use::kRead, serial_, "condition")));
}

void ConditionCell::Store(std::uint64_t value) const {
  auto* cell = static_cast<std::uint64_t*>(RecheckRange(address_, kBytes, Use::kWrite, serial_, "condition"));
  std::atomic_ref<std::uint64_t>(*cell).store(value, std::memory_order_release);
}

void ConditionCell::Begin() const {
  if (at_begin_ == AtBegin::kAssignDefault) Store(default_);
}

Access ConditionCell::AsRead() const {
  return {address_, kBytes, Use::kRead, Extent::kExact, serial_};
}

void ConditionCells::Add(std::shared_ptr<ConditionCell> cell) {
  std::lock_guard<std::mutex> lock(mutex_);
  cells_.push_back(std::move(cell));
}

void ConditionCells::BeginRun() const {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& cell : cells_)
    cell->Begin();
}

}  // namespace foothold
