// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What tasks that have not ended do with memory.
#include <algorithm>
#include <string_view>

#include "check/order_state.h"

namespace foothold::check {

void Order::Drop(const StreamName& name, std::uint32_t task) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const Pending* const pending = Front(name, task)) closed_.OpenOf(pending->deed);
  }
  End(name, task);
}

std::vector<Access> Order::OpenPages(std::uintptr_t address) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return closed_.OpenAt(address);
}

std::optional<Access> Order::LastWrite(std::uint64_t serial) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = memory_.find(serial);
  const Access* const write = found == memory_.end() ? nullptr : found->second.LatestWrite();
  return write == nullptr ? std::nullopt : std::optional<Access>(*write);
}

// Functions and kernels of the program may touch anything.
bool Order::MayTouch(const Pending& pending, std::uint64_t serial, Awaited what) {
  if (std::string_view(pending.deed->call).starts_with("aclrtLaunch")) return true;
  return std::any_of(pending.touches.begin(), pending.touches.end(), [&](const Touch& touch) {
    return touch.serial == serial && (touch.write || what == Awaited::kUse);
  });
}

bool Order::IsAwaited(std::uint64_t serial, Awaited what, const DeedPtr& but) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [key, stream] : streams_)
    for (const Pending& pending : stream.pending)
      if ((!but || pending.deed->agent != but->agent) && MayTouch(pending, serial, what)) return true;
  return false;
}

}  // namespace foothold::check
