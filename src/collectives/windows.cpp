// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/windows.h"

#include "base/per_process.h"

namespace foothold::collectives {

Windows& Windows::Get() {
  return PerProcess<Windows>::Get();
}

void* Windows::Add(const void* communicator, const void* address, std::uint64_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  windows_.emplace(next_, Window{communicator, reinterpret_cast<std::uintptr_t>(address), bytes});
  return reinterpret_cast<void*>(next_++);
}

bool Windows::Remove(const void* handle) {
  std::lock_guard<std::mutex> lock(mutex_);
  return windows_.erase(reinterpret_cast<std::uintptr_t>(handle)) > 0;
}

bool Windows::Has(const void* handle, const void* communicator) const {
  std::lock_guard<std::mutex> lock(mutex_);
  const auto found = windows_.find(reinterpret_cast<std::uintptr_t>(handle));
  return found != windows_.end() && found->second.communicator == communicator;
}

std::optional<Windows::Place> Windows::Find(const void* communicator, const void* address,
                                            std::uint64_t bytes) const {
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [handle, window] : windows_) {
    const std::uint64_t offset = wanted - window.address;
    if (window.communicator != communicator || wanted < window.address || offset > window.bytes) continue;
    if (bytes <= window.bytes - offset) return Place{reinterpret_cast<void*>(handle), offset};
  }
  return std::nullopt;
}

}  // namespace foothold::collectives
