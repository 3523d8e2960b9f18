// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// All queues of the process by their numbers, and the routes between them. A forked child begins with none.
// Any thread; looking up a queue takes no lock that others hold for long.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/spin.h"
#include "transfer/queue.h"

namespace foothold {

enum class RouteStatus : std::int32_t { kUnbound = 0, kBound = 1, kAbnormal = 2 };

struct Route {
  std::uint32_t source = 0;
  std::uint32_t target = 0;
  RouteStatus status = RouteStatus::kUnbound;

  bool Joins(std::uint32_t from, std::uint32_t to) const { return source == from && target == to; }
};

class Queues {
 public:
  static Queues& Get();

  std::uint32_t Create(std::string name, std::uint32_t depth);
  // Who waits returns; routes from and to it are abnormal until they are unbound or their other end is gone.
  void Destroy(std::uint32_t id);
  std::shared_ptr<TransferQueue> Find(std::uint32_t id);  // throws 100032

  // Throws 100032 for what is no queue, 100000 for a route that would close a circle; bound already is fine.
  void Bind(std::uint32_t source, std::uint32_t target);
  void Unbind(std::uint32_t source, std::uint32_t target);  // not bound is fine
  RouteStatus StatusOf(std::uint32_t source, std::uint32_t target);
  // Bound ones, and those that are abnormal.
  std::vector<Route> Routes();

 private:
  static constexpr std::uint32_t kPlaceBits = 12;
  static constexpr std::uint32_t kPlaces = 1u << kPlaceBits;

  // A number is a place and how often it was used before, so that one of a destroyed queue is no other's.
  struct Place {
    SpinLock lock;
    std::shared_ptr<TransferQueue> queue;
    std::uint32_t uses = 0;
  };

  static std::uint32_t NumberOf(std::uint32_t index, const Place& place) {
    return place.uses << kPlaceBits | index;
  }
  std::shared_ptr<TransferQueue> FindOrNull(std::uint32_t id) noexcept;
  bool Leads(std::uint32_t from, std::uint32_t to) const;
  void Interrupt(std::uint32_t id) noexcept;
  void UpdateQueue(std::uint32_t id);

  std::array<Place, kPlaces> places_;  // the first is never used: 0 is no queue
  std::mutex mutex_;                   // guards making queues, and routes_
  std::vector<Route> routes_;
};

}  // namespace foothold
