// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Sees the nodes of runs while they are executed: for profiles, dumps and timelines. Whoever starts a run
// puts an ObserverScope around it, or watches the runs of all threads. Where nobody watches, a run pays for
// one look at two variables, and a node for nothing.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ir/tensor_type.h"
#include "ops/kernel.h"

namespace foothold {

// One node of a run. Everything in it lives only during the call.
struct NodeRun {
  const std::string& graph;
  const std::string& name;
  const std::string& type;
  // By port; without meaning where a port is not connected. Outputs whose shapes only the run tells have no
  // types when the node begins.
  std::span<const TensorType> input_types, output_types;
  // Pointers by port; null where a port is not connected or the kernel does not read it. Inputs hold their
  // values when the node begins, outputs when it ends: both may stand in the same memory.
  const RunArgs& args;
};

// Called on the thread of the run, by several runs at once. Nodes that run graphs show the nodes of these
// between their own begin and end. What an observer throws is the failure of the run.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void OnNodeBegin(const NodeRun& node) = 0;
  // Every node that has begun ends in one of these. For a failed one the outputs hold nothing.
  virtual void OnNodeEnd(const NodeRun& node) = 0;
  virtual void OnNodeFailed(const NodeRun& /*node*/) {}
  // False: nodes that are run together with others need not be shown to it.
  virtual bool needs_every_node() const { return true; }
};

// Shows the runs of this thread to an observer while it lives, besides those that watch already.
class ObserverScope {
 public:
  explicit ObserverScope(RunObserver& observer);
  ~ObserverScope();
  ObserverScope(const ObserverScope&) = delete;
  ObserverScope& operator=(const ObserverScope&) = delete;

 private:
  friend class ActiveObservers;
  RunObserver& observer_;
  ObserverScope* const outer_;
};

// Functions of the program that are called during a run may run other graphs: while it lives, those are not
// shown to the observers of this thread.
class ObserversHidden {
 public:
  ObserversHidden();
  ~ObserversHidden();
  ObserversHidden(const ObserversHidden&) = delete;
  ObserversHidden& operator=(const ObserversHidden&) = delete;

 private:
  ObserverScope* const hidden_;
};
// True on a thread that is inside such a function. What it runs must not wait for another run: that may be
// inside a function that waits for the run around this one.
bool IsInsideRun() noexcept;

// Shows the runs of all threads, from the next on. Throws kInvalidParam if it watches already, or does not.
void WatchAllRuns(std::shared_ptr<RunObserver> observer);
// Runs that go on may still show their nodes to it.
void StopWatchingAllRuns(const RunObserver& observer);

namespace observation {
extern thread_local constinit ObserverScope* innermost;
extern std::atomic<bool> everywhere;
}  // namespace observation

inline bool IsObserved() {
  return observation::innermost != nullptr || observation::everywhere.load(std::memory_order_relaxed);
}

// Whether one of those that watch the runs of this thread needs every node.
bool IsEveryNodeNeeded();

// Those that watch the runs of this thread, as they are when it is made: outer ones first.
class ActiveObservers {
 public:
  ActiveObservers();
  void OnNodeBegin(const NodeRun& node) const;
  void OnNodeEnd(const NodeRun& node) const;  // in opposite order, as the next
  void OnNodeFailed(const NodeRun& node) const;

 private:
  std::vector<std::shared_ptr<RunObserver>> kept_;
  std::vector<RunObserver*> all_;
};

}  // namespace foothold
