// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Who uses a graph now: the runs of it that are not over, and the functions of the program it has called on
// this thread. Removing a graph waits for the former and is refused inside the latter. Any thread.
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace foothold {

class GraphSlot;
class Stream;

class GraphUses {
 public:
  // One more; `stream` is the one the run is a task of, if it is one.
  void Begin(const Stream* stream);
  void End(const Stream* stream) noexcept;
  // One that was begun without a stream is a task of this one from now on.
  void WaitsOn(const Stream& stream);

  // This thread is inside a function of the program that holds up a stream with a run.
  bool WaitForThisThread() const;
  // Until there are none; `look` is called now and then. Throws what that throws, and if a run turns out to
  // wait for this thread.
  void WaitUntilNone(const std::function<void()>& look);

 private:
  struct StreamUse {
    const Stream* stream;
    int runs;
  };
  void Enter(const Stream& stream);           // with the lock
  void Leave(const Stream& stream) noexcept;  // with the lock

  mutable std::mutex mutex_;  // guards all below
  std::condition_variable unused_;
  int uses_ = 0;
  std::vector<StreamUse> streams_;  // that runs wait on
};

// Counts as a run while it lives. Does not own the graph: whoever drops that waits for its uses first, so
// that it never ends on a thread of its own runs.
class GraphUse {
 public:
  explicit GraphUse(GraphSlot& slot);
  GraphUse(const GraphUse& other);
  ~GraphUse();
  GraphUse(GraphUse&& other) noexcept
      : slot_(std::exchange(other.slot_, nullptr)), stream_(other.stream_), kept_(std::move(other.kept_)) {}
  GraphUse& operator=(GraphUse&&) = delete;
  // The run is a task of this stream from now on.
  void WaitsOn(const Stream& stream);
  // The run was captured, to be run later or never: nobody waits for it, and the graph stays for it after it
  // was removed.
  void Keeps(std::shared_ptr<GraphSlot> slot) noexcept;
  GraphSlot* operator->() const { return slot_; }
  GraphSlot& operator*() const { return *slot_; }

 private:
  GraphSlot* slot_;
  const Stream* stream_ = nullptr;
  std::shared_ptr<GraphSlot> kept_;
};

// The calling thread is inside a function of the program that this graph has called: a callback of a run, the
// builder of a subgraph, a rule of an operator. Such functions may use other graphs and be nested.
class InsideGraph {
 public:
  explicit InsideGraph(const GraphSlot& graph) noexcept;
  ~InsideGraph();
  InsideGraph(const InsideGraph&) = delete;
  InsideGraph& operator=(const InsideGraph&) = delete;

  static bool Of(const GraphSlot& graph) noexcept;
  static bool OfAny() noexcept;

 private:
  const GraphSlot& graph_;
  const InsideGraph* const outer_;
};

}  // namespace foothold
