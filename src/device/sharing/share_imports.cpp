// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/sharing/share_imports.h"

#include <utility>

#include "base/per_process.h"
#include "check/check.h"
#include "check/history.h"
#include "check/order.h"
#include "device/device_memory.h"
#include "device/memory_map.h"
#include "device/observer.h"
#include "device/sharing/share_channel.h"

namespace foothold {
namespace {

void TellImported(std::uint64_t serial, const void* address, std::size_t bytes, int device) noexcept {
  check::BlockMade(serial, reinterpret_cast<std::uintptr_t>(address), bytes, check::BlockKind::kImported,
                   device);
  check::MemoryShared(serial);
}

}  // namespace

Imports& Imports::Get() {
  return PerProcess<Imports>::Get();
}

Imports::Mapped* Imports::FindMapped(const ShareKey& key) {
  const auto found = mapped_.find(key);
  if (found == mapped_.end()) return nullptr;
  if (MemoryMap::Get().Find(found->second.address).serial == found->second.serial) return &found->second;
  mapped_.erase(found);
  return nullptr;
}

void* Imports::MapMemory(const ShareKey& key, DeviceMemory& owner, const char* api) {
  const auto again = [&]() -> void* {
    Mapped* const mapped = FindMapped(key);
    if (mapped == nullptr) return nullptr;
    ++mapped->count;
    return mapped->address;
  };
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (void* const there = again()) return there;
  }
  const ShareReply reply = AskFor(key);
  VirtualMemory& memory = MemoryMap::Get().virtual_memory;
  std::lock_guard<std::mutex> lock(mutex_);
  if (void* const there = again()) return there;  // another thread was faster
  void* const address = memory.MapImported(owner, reply.file, reply.answer.offset, reply.answer.bytes, api);
  try {
    const std::uint64_t serial = MemoryMap::Get().Find(address).serial;
    mapped_.emplace(key, Mapped{address, serial, 1});
    if (check::On()) TellImported(serial, address, reply.answer.bytes, owner.device());
  } catch (...) {
    memory.UnmapImported(address);
    throw;
  }
  return address;
}

bool Imports::UnmapMemory(const ShareKey& key) {
  std::lock_guard<std::mutex> lock(mutex_);
  Mapped* const mapped = FindMapped(key);
  if (mapped == nullptr) return false;
  if (auto* const observer = Observer(); observer != nullptr && mapped->count == 1)
    observer->OnMemoryFreed(mapped->address);
  if (--mapped->count > 0) return true;
  if (check::On()) check::BlockGone(mapped->serial);
  MemoryMap::Get().virtual_memory.UnmapImported(mapped->address);
  mapped_.erase(key);
  return true;
}

template <typename Sync>
std::shared_ptr<Sync> Imports::Open(const ShareKey& key) {
  std::lock_guard<std::mutex> lock(sync_mutex_);
  if (const auto known = objects_.find(key); known != objects_.end()) {
    if (auto object = known->second.lock()) return std::static_pointer_cast<Sync>(object);
  }
  ForgetDestroyed();
  auto object = std::make_shared<Sync>(std::make_shared<const MemoryFile>(std::move(AskFor(key).file)));
  objects_.insert_or_assign(key, object);
  return object;
}
template std::shared_ptr<SharedEvent> Imports::Open<SharedEvent>(const ShareKey&);
template std::shared_ptr<SharedNotify> Imports::Open<SharedNotify>(const ShareKey&);

void Imports::Know(const ShareKey& key, const std::shared_ptr<SharedSync>& object) {
  std::lock_guard<std::mutex> lock(sync_mutex_);
  ForgetDestroyed();
  objects_.insert_or_assign(key, object);
}

// Precondition: sync_mutex_ is held.
void Imports::ForgetDestroyed() {
  if (objects_.size() < look_at_) return;
  std::erase_if(objects_, [](const auto& entry) { return entry.second.expired(); });
  look_at_ = 2 * objects_.size() + 64;
}

void Imports::Stop() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    mapped_.clear();
  }
  std::lock_guard<std::mutex> lock(sync_mutex_);
  objects_.clear();
}

}  // namespace foothold
