// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Programs that want to see the operators of a model as they run (aclprofModelSubscribe): each node is
// written to a pipe of the program, as a record of fixed size. Any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>

#include "program/run_observer.h"

namespace foothold {

// What stands in the pipe, one behind the other.
struct NodeRecord {
  std::uint32_t model = 0;
  std::uint32_t thread = 0;
  std::uint64_t begin = 0, end = 0;  // nanoseconds
  char name[257] = {};
  char type[65] = {};
  char unused[6] = {};  // what the compiler would leave there goes through the pipe as well
};
static_assert(std::has_unique_object_representations_v<NodeRecord>);

class Subscriptions {
 public:
  static Subscriptions& Get();

  // Throws kProfRepeatSubscribe if there is one for this model.
  void Add(std::uint32_t model, int pipe);
  // Throws kProfNotRun if there is none.
  void Remove(std::uint32_t model);
  bool any() const { return count_.load(std::memory_order_relaxed) > 0; }
  // The pipe for a model, if somebody wants one.
  std::optional<int> PipeOf(std::uint32_t model) const;

 private:
  Subscriptions() = default;

  std::atomic<int> count_{0};
  mutable std::mutex mutex_;  // guards the pipes
  std::map<std::uint32_t, int> pipes_;
};

// Shows the run of this thread to whoever has subscribed to the model, while it lives.
class SubscribedRun {
 public:
  explicit SubscribedRun(std::uint32_t model);
  ~SubscribedRun();

 private:
  class Observer;
  std::unique_ptr<Observer> observer_;
  std::optional<ObserverScope> scope_;
};

}  // namespace foothold
