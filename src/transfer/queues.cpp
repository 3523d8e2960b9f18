// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "transfer/queues.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/per_process.h"

namespace foothold {

Queues& Queues::Get() {
  return PerProcess<Queues>::Get();
}

std::uint32_t Queues::Create(std::string name, std::uint32_t depth) {
  auto queue = std::make_shared<TransferQueue>(std::move(name), depth);
  std::lock_guard<std::mutex> lock(mutex_);
  for (std::uint32_t index = 1; index < kPlaces; ++index) {
    Place& place = places_[index];
    std::lock_guard<SpinLock> spin(place.lock);
    if (place.queue != nullptr) continue;
    place.queue = std::move(queue);
    return NumberOf(index, place);
  }
  Fail(kRtResourceAllocFail, "there are {} queues already; destroy some first", kPlaces - 1);
}

std::shared_ptr<TransferQueue> Queues::FindOrNull(std::uint32_t id) noexcept {
  const std::uint32_t index = id % kPlaces;
  Place& place = places_[index];
  std::lock_guard<SpinLock> spin(place.lock);
  return NumberOf(index, place) == id ? place.queue : nullptr;
}

std::shared_ptr<TransferQueue> Queues::Find(std::uint32_t id) {
  auto queue = FindOrNull(id);
  if (queue == nullptr) Fail(kInvalidQueueId, "there is no queue {} in this process", id);
  return queue;
}

void Queues::Destroy(std::uint32_t id) {
  std::shared_ptr<TransferQueue> queue = Find(id);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    Place& place = places_[id % kPlaces];
    std::shared_ptr<TransferQueue> mine;
    {
      std::lock_guard<SpinLock> spin(place.lock);
      if (NumberOf(id % kPlaces, place) == id) mine.swap(place.queue);
      if (mine != nullptr) ++place.uses;
    }
    if (mine == nullptr) Fail(kInvalidQueueId, "queue {} was destroyed by another thread", id);
    queue->Close();
    Interrupt(id);
  }
}

// Precondition: the lock.
void Queues::Interrupt(std::uint32_t id) noexcept {
  const auto touches = [id](const Route& route) { return route.source == id || route.target == id; };
  for (Route& route : routes_) {
    if (touches(route)) route.status = RouteStatus::kAbnormal;
  }
  std::erase_if(routes_, [&](const Route& route) {
    return touches(route) && FindOrNull(route.source == id ? route.target : route.source) == nullptr;
  });
  try {
    for (const Route& route : routes_) {
      if (touches(route)) UpdateQueue(route.source == id ? route.target : route.source);
    }
  } catch (...) {  // what is routed to the closed queue waits where it is until its route is unbound
    Log(LogLevel::kError, "routes of queue {} stay as they are: {}", id, CurrentError().message());
  }
}

void Queues::Bind(std::uint32_t source, std::uint32_t target) {
  const std::shared_ptr<TransferQueue> from = Find(source);
  Find(target);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    if (std::any_of(routes_.begin(), routes_.end(), [&](const Route& r) { return r.Joins(source, target); }))
      return;
    if (Leads(target, source)) {
      Fail(kInvalidParam,
           "a route from queue {} to queue {} would close a circle: what enters would never leave", source,
           target);
    }
    routes_.push_back({source, target, RouteStatus::kBound});
    try {
      UpdateQueue(target);
      UpdateQueue(source);
    } catch (...) {
      routes_.pop_back();
      throw;
    }
  }
  from->PassOn();
}

void Queues::Unbind(std::uint32_t source, std::uint32_t target) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::erase_if(routes_, [&](const Route& route) { return route.Joins(source, target); });
  UpdateQueue(source);
  UpdateQueue(target);
}

RouteStatus Queues::StatusOf(std::uint32_t source, std::uint32_t target) {
  std::lock_guard<std::mutex> lock(mutex_);
  for (const Route& route : routes_) {
    if (route.Joins(source, target)) return route.status;
  }
  return RouteStatus::kUnbound;
}

std::vector<Route> Queues::Routes() {
  std::lock_guard<std::mutex> lock(mutex_);
  return routes_;
}

// Precondition: the lock.
bool Queues::Leads(std::uint32_t from, std::uint32_t to) const {
  if (from == to) return true;
  return std::any_of(routes_.begin(), routes_.end(), [&](const Route& route) {
    return route.source == from && route.status == RouteStatus::kBound && Leads(route.target, to);
  });
}

// Tells a queue where it gets things from and where they go. Precondition: the lock.
void Queues::UpdateQueue(std::uint32_t id) {
  const std::shared_ptr<TransferQueue> queue = FindOrNull(id);
  if (queue == nullptr) return;
  TransferQueue::Sources sources;
  TransferQueue::Targets targets;
  for (const Route& route : routes_) {
    if (route.status != RouteStatus::kBound) continue;
    if (route.target == id) sources.push_back(FindOrNull(route.source));
    if (route.source == id) targets.push_back(Find(route.target));
  }
  queue->SetRoutes(
      sources.empty() ? nullptr : std::make_shared<const TransferQueue::Sources>(std::move(sources)),
      targets.empty() ? nullptr : std::make_shared<const TransferQueue::Targets>(std::move(targets)));
}

}  // namespace foothold
