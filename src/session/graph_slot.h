// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One graph of a session, put together from its parts: what was read of it, what may follow, its compiled
// forms, where they live, who uses them. Any thread; each part has its own lock.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "launch/variables.h"
#include "session/async_runs.h"
#include "session/checked_graph.h"
#include "session/graph_contents.h"
#include "session/graph_forms.h"
#include "session/graph_inputs.h"
#include "session/graph_memory.h"
#include "session/graph_order.h"
#include "session/graph_origin.h"
#include "session/graph_summary.h"
#include "session/graph_uses.h"

namespace foothold {

class GraphSlot {
 public:
  GraphSlot(GraphOrigin origin, Generation generation, std::shared_ptr<Variables> variables,
            std::shared_ptr<MemoryPools> pools, int device);
  ~GraphSlot();

  std::uint32_t id() const { return origin_.id; }
  int device() const { return device_; }
  const GraphOrigin& origin() const { return origin_; }
  const GraphOrder& order() const { return order_; }
  GraphForms& forms() { return forms_; }
  const GraphForms& forms() const { return forms_; }
  GraphMemory& memory() { return memory_; }
  GraphUses& uses() { return uses_; }
  AsyncRuns& async() { return async_; }
  const CheckedGraph& checked() const { return checked_; }
  CheckedGraph& checked() { return checked_; }

  // The calls of the program, with their rules; each throws E10062 for a wrong order.
  void Build(const std::vector<TensorType>& hints);
  void Compile(const std::vector<TensorType>& hints);
  void Load(const OptionMap& options, const void* stream);
  void SetMemory(GraphMemory::Kind which, void* address, std::size_t bytes);
  // Before a run; compiles and loads what is missing. `api`, a literal, is for messages.
  void Enter(RunMode mode, const char* api);
  // ExecuteGraphWithStreamAsync: nothing is done by itself.
  void EnterLoaded(const char* api);

  std::optional<GraphSummary> Summary() const;  // nothing before it is compiled
  std::string Trace() const;                    // throws before it is loaded

  // After one of the calls above that read it.
  const GraphContents& contents() const { return *reader_.Find(); }
  std::string InputName(std::size_t index) const;
  std::string OutputName(std::size_t index) const;
  // How often a run repeats the graph.
  std::int64_t Iterations() const;

  // The form for a run on a stream with this pool, null if it has none; the first one loads the graph if
  // nobody has. Where shapes come with the run, its memory is asked for here.
  struct StreamForm {
    std::shared_ptr<PreparedProgram> program;
    SharedBytes arena;           // to run in; null: where the graph was loaded
    std::optional<Access> work;  // the program's memory it works in, while it is checked
  };
  StreamForm FormFor(const std::vector<TensorValue>& inputs, MemoryPool* pool);

  // The calling thread has to come back before all runs can end: it is inside a function of the program this
  // graph has called, or inside one that holds up a stream with a run of it.
  bool WaitsForThisThread() const;
  // Throws if a run turns out to wait for this thread.
  void WaitUntilUnused();

 private:
  const GraphContents& Read();
  void Prepare(const std::vector<TensorType>& hints);

  const GraphOrigin origin_;
  const std::shared_ptr<Variables> variables_;
  const std::shared_ptr<MemoryPools> pools_;
  const int device_;

  GraphReader reader_;
  GraphOrder order_;
  GraphMemory memory_;
  GraphForms forms_;
  GraphUses uses_;
  CheckedGraph checked_;
  AsyncRuns async_;  // last: its thread ends before the rest
};

}  // namespace foothold
