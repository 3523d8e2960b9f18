// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What tasks that have not ended do with memory.
#include <algorithm>
#include <string_view>

#include "check/order_state.h"

namespace foothold::check {
namespace {

// Functions and kernels of the program may touch anything.
bool RunsFunction(std::string_view call) {
  return call.starts_with("aclrtLaunch");
}

}  // namespace

void Order::Drop(const StreamName& name, std::uint32_t task) {
  {
    const std::lock_guard<SpinLock> lock(lock_);
    if (const Pending* const pending = Front(name, task)) closed_.OpenOf(pending->deed);
  }
  End(name, task);
}

std::vector<Access> Order::OpenPages(std::uintptr_t address) {
  const std::lock_guard<SpinLock> lock(lock_);
  return closed_.OpenAt(address);
}

std::optional<Access> Order::LastWrite(std::uint64_t serial) {
  const std::lock_guard<SpinLock> lock(lock_);
  const auto found = memory_.find(serial);
  const Access* const write = found == memory_.end() ? nullptr : found->second.LatestWrite();
  return write == nullptr ? std::nullopt : std::optional<Access>(*write);
}

bool Order::MayTouch(const Pending& pending, std::uint64_t serial, Awaited what) {
  if (RunsFunction(pending.deed->call)) return true;
  return !pending.ignored &&
         std::any_of(pending.touches.begin(), pending.touches.end(), [&](const Touch& touch) {
           return touch.serial == serial && (touch.write || what == Awaited::kUse);
         });
}

void Order::CountHostWrites(const Pending& pending, int step) {
  if (RunsFunction(pending.deed->call)) functions_ += static_cast<std::size_t>(step);
  if (pending.ignored) return;
  for (const Touch& touch : pending.touches) {
    if (!touch.to_host || !touch.write || touch.serial == 0) continue;
    const auto counted = host_writes_.try_emplace(touch.serial, 0).first;
    if ((counted->second += static_cast<std::uint32_t>(step)) == 0) host_writes_.erase(counted);
  }
}

bool Order::IsHostWriteAwaited(std::uint64_t serial) {
  const std::lock_guard<SpinLock> lock(lock_);
  return functions_ > 0 || host_writes_.contains(serial);
}

bool Order::IsAwaited(std::uint64_t serial, Awaited what, const DeedPtr& but) {
  const std::lock_guard<SpinLock> lock(lock_);
  for (const auto& [key, stream] : streams_)
    for (const Pending& pending : stream.pending)
      if ((!but || pending.deed->agent != but->agent) && MayTouch(pending, serial, what)) return true;
  return false;
}

}  // namespace foothold::check
