// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the order of agents knows of events, notifies and of what streams stand before.
#include <string>
#include <utility>
#include <vector>

#include "check/order_state.h"

namespace foothold::check {

void Order::HostLearnWaits(const void* event) {
  const std::lock_guard<SpinLock> lock(lock_);
  const auto found = events_.find(event);
  if (found == events_.end()) return;
  for (const DeedPtr& wait : found->second.waits) {
    Clock over;
    over.Raise(wait->agent, wait->epoch);
    LearnHere(over);
  }
  found->second.waits.clear();
}

void Order::LookAtEvent(const void* event) {
  const std::lock_guard<SpinLock> lock(lock_);
  events_[event].looked_at = true;
}

DeedPtr Order::EndEvent(const void* event) {
  const std::lock_guard<SpinLock> lock(lock_);
  const auto found = events_.find(event);
  if (found == events_.end()) return nullptr;
  const DeedPtr unseen = found->second.looked_at ? nullptr : found->second.record;
  events_.erase(found);
  return unseen;
}

void Order::EndNotify(const void* notify) {
  const std::lock_guard<SpinLock> lock(lock_);
  notifies_.erase(notify);
  ended_notifies_.erase(notify);
  for (const auto& [key, stream] : streams_)
    for (const Pending& pending : stream.pending)
      if (pending.sync.object == notify) ended_notifies_.insert(notify);
}

bool Order::IsEnded(const void* notify) {
  const std::lock_guard<SpinLock> lock(lock_);
  return ended_notifies_.contains(notify);
}

void Order::ClearNotify(const void* notify) {
  const std::lock_guard<SpinLock> lock(lock_);
  notifies_.erase(notify);
}

void Order::ForgetNotify(const void* notify) {
  const std::lock_guard<SpinLock> lock(lock_);
  notifies_.erase(notify);
  ended_notifies_.erase(notify);
}

std::vector<DeedPtr> Order::PendingBy(const StreamName& name, const std::string& call) {
  const std::lock_guard<SpinLock> lock(lock_);
  std::vector<DeedPtr> found;
  const auto stream = streams_.find(name.key);
  if (stream == streams_.end()) return found;
  for (const Pending& pending : stream->second.pending)
    if (!pending.begun && call == pending.deed->call) found.push_back(pending.deed);
  return found;
}

std::pair<DeedPtr, DeedPtr> Order::FirstBy(const StreamName& name) {
  const std::lock_guard<SpinLock> lock(lock_);
  const auto stream = streams_.find(name.key);
  if (stream == streams_.end()) return {};
  return {stream->second.first_callback, stream->second.first_function};
}

std::vector<Order::Standing> Order::StandOf() {
  const std::lock_guard<SpinLock> lock(lock_);
  std::vector<Standing> standing;
  for (auto& [key, stream] : streams_) {
    Absorb(stream);
    Standing one;
    one.key = key;
    one.name = stream.name;
    one.function = stream.function;
    for (const Pending& pending : stream.pending) {
      if (pending.sync.kind == SyncUse::Kind::kTells) one.tells.emplace_back(pending.sync, pending.deed);
      for (const Touch& touch : pending.touches)
        if (touch.write) one.writes.push_back(touch);
      one.replays = one.replays || pending.runs_inner;
    }
    if (!stream.pending.empty()) {
      one.head = stream.pending.front().deed;
      if (stream.pending.front().sync.kind == SyncUse::Kind::kWaits) one.waits = stream.pending.front().sync;
    }
    standing.push_back(std::move(one));
  }
  return standing;
}

}  // namespace foothold::check
