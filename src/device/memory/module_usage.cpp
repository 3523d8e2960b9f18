// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/memory/module_usage.h"

namespace foothold {

ModuleUsages::Slot& ModuleUsages::SlotOf(std::uint16_t module) noexcept {
  for (Slot& slot : slots_) {
    int found = slot.module.load(std::memory_order_relaxed);
    if (found == -1 && slot.module.compare_exchange_strong(found, module)) return slot;
    if (found == module) return slot;
  }
  return slots_[kSlots - 1];
}

void ModuleUsages::Add(std::uint16_t module, std::uint64_t bytes) noexcept {
  Slot& slot = SlotOf(module);
  const std::uint64_t now = slot.current.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  std::uint64_t peak = slot.peak.load(std::memory_order_relaxed);
  while (peak < now && !slot.peak.compare_exchange_weak(peak, now, std::memory_order_relaxed)) {
  }
}

void ModuleUsages::Subtract(std::uint16_t module, std::uint64_t bytes) noexcept {
  SlotOf(module).current.fetch_sub(bytes, std::memory_order_relaxed);
}

std::vector<ModuleUsage> ModuleUsages::Read() const {
  std::vector<ModuleUsage> out;
  for (const Slot& slot : slots_) {
    const int module = slot.module.load(std::memory_order_relaxed);
    if (module < 0) break;
    out.push_back({static_cast<std::uint16_t>(module), slot.current.load(std::memory_order_relaxed),
                   slot.peak.load(std::memory_order_relaxed)});
  }
  return out;
}

}  // namespace foothold
