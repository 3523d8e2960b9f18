// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What tasks that have not ended do with memory.
#include <algorithm>

#include "check/order_state.h"

namespace foothold::check {

void Order::Drop(const StreamName& name, std::uint32_t task) {
  {
    const Whole lock(*this);
    StreamState* const stream = FindState(name.key);
    const LoggedTask* const front = stream == nullptr ? nullptr : Front(*stream, task);
    if (front != nullptr) closed_.OpenOf(stream->agent, front->epoch);
  }
  End(name, task);
}

std::vector<Access> Order::OpenPages(std::uintptr_t address) {
  const Whole lock(*this);
  return closed_.OpenAt(address);
}

// A copy that has begun is being looked at.
void Order::TellChange(std::uintptr_t begin, std::uintptr_t end) {
  const Whole lock(*this);
  for (auto& [key, stream] : streams_)
    stream.log.ForEach([&](LoggedTask& task) {
      if (!task.begun) ForgetSources(task.sources(), begin, end);
    });
}

std::optional<Access> Order::LastWrite(std::uint64_t serial) {
  const std::lock_guard<SpinLock> lock(lock_);
  const auto found = memory_.find(serial);
  const Access* const write = found == memory_.end() ? nullptr : found->second.LatestWrite();
  return write == nullptr ? std::nullopt : std::optional<Access>(*write);
}

bool Order::MayTouch(const LoggedTask& task, std::uint64_t serial, Awaited what) {
  if (task.sort == CallSort::kLaunch) return true;
  const auto touches = task.touches();
  return !task.ignored && std::any_of(touches.begin(), touches.end(), [&](const Touch& touch) {
    return touch.serial == serial && (touch.write || what == Awaited::kUse);
  });
}

// Whether there was anything to count.
bool Order::CountHostWrites(CallSort sort, std::span<const Touch> touches, int step) {
  bool counted = sort == CallSort::kLaunch;
  if (counted) functions_ += static_cast<std::size_t>(step);
  for (const Touch& touch : touches) {
    if (!touch.to_host || !touch.write || touch.serial == 0) continue;
    const auto writes = host_writes_.try_emplace(touch.serial, 0).first;
    if ((writes->second += static_cast<std::uint32_t>(step)) == 0) host_writes_.erase(writes);
    counted = true;
  }
  if (counted) host_may_change_.store(functions_ > 0 || !host_writes_.empty(), std::memory_order_release);
  return counted;
}

void Order::UncountHostWrites(const LoggedTask& task) {
  if (task.counted) CountHostWrites(task.sort, task.ignored ? std::span<const Touch>() : task.touches(), -1);
}

bool Order::IsHostWriteAwaited(std::uint64_t serial) {
  if (!host_may_change_.load(std::memory_order_acquire)) return false;
  const std::lock_guard<SpinLock> lock(queue_lock_);
  return functions_ > 0 || host_writes_.contains(serial);
}

bool Order::IsAwaited(std::uint64_t serial, Awaited what, const DeedPtr& but) {
  const std::lock_guard<SpinLock> lock(lock_);
  bool awaited = false;
  for (auto& [key, stream] : streams_) {
    if (but && stream.agent == but->agent) continue;
    stream.log.ForEach([&](const LoggedTask& task) { awaited = awaited || MayTouch(task, serial, what); });
  }
  return awaited;
}

}  // namespace foothold::check
