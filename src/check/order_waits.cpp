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
  const Whole lock(*this);
  const auto found = events_.find(event);
  if (found == events_.end()) return;
  for (const Deed& wait : found->second.waits) {
    Clock over;
    over.Raise(wait.agent, wait.epoch);
    LearnHere(over);
  }
  found->second.waits.clear();
  found->second.oldest = 0;
}

void Order::LookAtEvent(const void* event) {
  const std::lock_guard<SpinLock> lock(queue_lock_);
  EventUses& uses = events_[event];
  uses.looked_at = true;
  uses.record = nullptr;
}

DeedPtr Order::EndEvent(const void* event) {
  const std::lock_guard<SpinLock> lock(queue_lock_);
  const auto found = events_.find(event);
  if (found == events_.end()) return nullptr;
  const DeedPtr unseen = found->second.record;
  events_.erase(found);
  return unseen;
}

void Order::EndNotify(const void* notify) {
  const std::lock_guard<SpinLock> lock(lock_);
  notifies_.erase(notify);
  ended_notifies_.erase(notify);
  for (auto& [key, stream] : streams_)
    stream.log.ForEach([&](const LoggedTask& task) {
      if (task.sync().object == notify) ended_notifies_.insert(notify);
    });
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
  StreamState* const stream = FindState(name.key);
  if (stream == nullptr) return found;
  stream->log.ForEach([&](const LoggedTask& task) {
    if (!task.begun && call == task.call) found.push_back(DeedFor(*stream, task));
  });
  return found;
}

std::pair<DeedPtr, DeedPtr> Order::FirstBy(const StreamName& name) {
  const Whole lock(*this);
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
    one.name = stream.Text();
    one.function = stream.function;
    stream.log.ForEach([&, &stream = stream](const LoggedTask& task) {
      if (task.sync().kind == SyncUse::Kind::kTells)
        one.tells.emplace_back(task.sync(), DeedFor(stream, task));
      for (const Touch& touch : task.touches())
        if (touch.write) one.writes.push_back(touch);
      one.replays = one.replays || task.runs_inner;
    });
    if (const LoggedTask* const front = stream.log.Front()) {
      one.head = DeedFor(stream, *front);
      if (front->sync().kind == SyncUse::Kind::kWaits) one.waits = front->sync();
    }
    standing.push_back(std::move(one));
  }
  return standing;
}

}  // namespace foothold::check
