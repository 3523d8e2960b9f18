// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the checking mode knows of one graph of a session and of its asynchronous runs (GE-RUN-002, 008, 009).
// Nothing happens unless the program is being checked. Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "check/order.h"
#include "check/stacks.h"
#include "device/access.h"
#include "ir/graph.h"

namespace foothold {

class Stream;
struct StreamRef;
struct WatchedInput;

class CheckedGraph {
 public:
  CheckedGraph(std::uint32_t id, const Graph& graph);
  ~CheckedGraph();
  CheckedGraph(const CheckedGraph&) = delete;
  CheckedGraph& operator=(const CheckedGraph&) = delete;

  // What a compiled form is made from is read now: the program must not have changed it since it was added.
  void LookAtReading(const Graph& graph) const noexcept;
  // It was loaded for this stream, and runs on that one.
  void Loaded(const StreamRef& stream) noexcept;
  void LookAtRun(const StreamRef& stream) const noexcept;
  // A run on the stream is about to be over; all runs were waited for.
  void RanOn(const Stream& stream) const noexcept;
  void WaitedFor() const noexcept;

  // Asynchronous runs, one after the other, by their numbers. Begins throws if the run must not go on because
  // of what was found.
  check::StreamName name() const { return {this, static_cast<int>(id_), false, "graph"}; }
  std::uint32_t Queued(const std::vector<WatchedInput>& inputs) noexcept;
  void Begins(std::uint32_t run) const;
  void Ends(std::uint32_t run) const noexcept;

 private:
  const std::uint32_t id_;
  std::optional<std::uint64_t> digest_;
  check::Site added_;
  std::shared_ptr<const void> ran_;  // stands for all runs on streams that are over
  std::atomic<std::uint32_t> runs_{0};
  struct Load {
    check::StreamName stream;
    std::uint64_t waits;
    check::Site site;
  };
  mutable std::mutex mutex_;  // guards load_
  std::optional<Load> load_;
};

// Memory the library works in for the program, as a task says what it touches; nothing for 0 bytes.
std::optional<Access> WorkOf(std::byte* given, std::size_t bytes, MemoryRole role);
// The session is let go of inside one of its own functions (GE-RUN-006).
void LookAtEndInside(std::uint64_t session) noexcept;
// An allocator is registered after graphs were loaded (GE-ALLOC-008).
void LookAtLateAllocator() noexcept;

}  // namespace foothold
