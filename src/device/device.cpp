// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "device/device.h"

#include <utility>

#include "base/broken_rule.h"
#include "base/error.h"
#include "base/thread_id.h"
#include "device/device_memory.h"
#include "device/user_code.h"

namespace foothold {

Device::Device(int id, int physical_id, std::unique_ptr<DeviceMemory> memory)
    : id_(id), physical_id_(physical_id), memory_(std::move(memory)) {}

Device::~Device() = default;

void Device::SetPeerAccess(const Device& peer, bool allowed) {
  const std::uint64_t bit = std::uint64_t{1} << peer.id();
  if (allowed) {
    peers_.fetch_or(bit);
  } else {
    peers_.fetch_and(~bit);
  }
}

bool Device::HasPeerAccess(const Device& peer) const {
  return peers_.load() >> peer.id() & 1;
}

void Device::AwaitRelease(std::unique_lock<std::mutex>& lock) {
  if (releasing_ == 0) return;
  // The release may be waiting for the very function this thread is inside.
  if (releasing_ == SelfThread() || InsideUserFunction())
    Fail(kRtParamInvalid, "device {} is being reset; it cannot be chosen from inside a callback meanwhile",
         id_);
  released_.wait(lock, [this] { return releasing_ == 0; });
}

bool Device::RemoveUser(bool all) {
  std::lock_guard<std::mutex> lock(mutex_);
  if (users_ == 0) {
    BreaksRule("ACL-CTX-004", nullptr);
    Fail(kRtParamInvalid, "device {} is not in use: every aclrtSetDevice was answered by a reset already",
         id_);
  }
  if (!all && users_ > 1) {
    --users_;
    return false;
  }
  if (InsideUserFunction())
    Fail(kRtParamInvalid, "device {} cannot be reset from inside a callback or host function", id_);
  users_ = 0;
  releasing_ = SelfThread();
  return true;
}

void Device::RemoveAllUsers() {
  std::unique_lock<std::mutex> lock(mutex_);
  AwaitRelease(lock);
  users_ = 0;
  releasing_ = SelfThread();
}

Context* Device::TakeDefaultContext() {
  std::lock_guard<std::mutex> lock(mutex_);
  return std::exchange(default_context_, nullptr);
}

void Device::Released() {
  std::lock_guard<std::mutex> lock(mutex_);
  releasing_ = 0;
  released_.notify_all();
}

bool Device::ReleasedByThisThread() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return releasing_ == SelfThread();
}

bool Device::in_use() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return default_context_ != nullptr;
}

}  // namespace foothold
