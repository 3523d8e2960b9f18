// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What this process has of others, by key: memory is mapped once however often it is imported, and an event
// or notify is one object for all handles of it. A forked child has nothing. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "device/sharing/share_key.h"
#include "device/sharing/shared_sync.h"

namespace foothold {

class DeviceMemory;

class Imports {
 public:
  static Imports& Get();

  // Where the memory is here; it looks like memory of `owner`. Throws what AskFor throws, and 207001.
  void* MapMemory(const ShareKey& key, DeviceMemory& owner, const char* api);
  // Undoes one MapMemory; false if there is none.
  bool UnmapMemory(const ShareKey& key);

  // The event or notify behind the key. Throws what AskFor throws.
  template <typename Sync>
  std::shared_ptr<Sync> Open(const ShareKey& key);
  // One of this process that others can open by `key`; then so can this one.
  void Know(const ShareKey& key, const std::shared_ptr<SharedSync>& object);

  void Stop();  // forgets everything

 private:
  struct Mapped {
    void* address;
    std::uint64_t serial;
    int count;
  };
  // Null if it is not mapped, or was unmapped by a reset of its device. Precondition: mutex_ is held.
  Mapped* FindMapped(const ShareKey& key);
  void ForgetDestroyed();

  std::mutex mutex_;  // guards mapped_
  std::map<ShareKey, Mapped> mapped_;
  std::mutex sync_mutex_;  // guards objects_, also while one is being fetched: no process has one twice
  std::map<ShareKey, std::weak_ptr<SharedSync>> objects_;
  std::size_t look_at_ = 64;
};

}  // namespace foothold
