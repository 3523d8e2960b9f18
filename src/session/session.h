// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A session: graphs by number, variables, callbacks and allocators. Both public session classes are a thin
// skin around this. Every function may be called on any thread and throws Error with a status of
// base/graph_codes.h or a code that means FAILED.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "launch/variables.h"
#include "options/options.h"
#include "session/async_run.h"
#include "session/graph_slot.h"
#include "session/memory_pool.h"
#include "session/value_callbacks.h"

namespace foothold {

// One output of a run on a stream. With an address it is the program's memory, else the session allocates.
struct StreamOutput {
  std::byte* address = nullptr;
  std::size_t bytes = 0;
  TensorValue value;      // after the call: type and memory
  bool is_input = false;  // after the call: the memory is that of an input
};

class Engine;

class Session : public std::enable_shared_from_this<Session> {
 public:
  // Inside a function of the program that one of its own graphs has called, or that a run of one waits for,
  // letting go of the session does not wait: the engine ends it when that function has returned. In a forked
  // child a session of its parent answers that it is none, and letting go of it does nothing.
  static std::shared_ptr<Session> Make(const OptionMap& options, Generation generation);
  ~Session();

  std::uint64_t id() const { return id_; }
  Generation generation() const { return generation_; }

  // `identity` tells whether it is the same graph again, which is no fault.
  void AddGraph(std::uint32_t id, std::shared_ptr<Graph> graph, const void* identity,
                const OptionMap& options);
  // Waits for its runs. Throws on a thread that is inside one of them, or that one of them waits for.
  void RemoveGraph(std::uint32_t id);
  bool HasGraph(std::uint32_t id) const;

  void BuildGraph(std::uint32_t id, const std::vector<TensorType>& inputs);
  void CompileGraph(std::uint32_t id, const std::vector<TensorType>& inputs);
  void LoadGraph(std::uint32_t id, const OptionMap& options, const void* stream);
  // A compiled graph and all options that hold for it; the graph lives until it is removed.
  GraphOrigin CompiledGraph(std::uint32_t id, const char* api) const;

  void RunGraph(std::uint32_t id, std::span<const RunInput> inputs, RunOutputs& outputs);
  // Throws: never called back. Returns: called back exactly once, on another thread, with no lock held.
  void RunGraphAsync(std::uint32_t id, std::span<const RunInput> inputs, RunReply reply);
  // `outputs` is empty or has one for each output of the graph. `needs_load`: nothing is compiled or loaded
  // by itself.
  void RunGraphOnStream(std::uint32_t id, const void* stream, std::vector<RunInput> inputs,
                        std::vector<StreamOutput>& outputs, const char* api, bool needs_load);

  // "Summary" or "Save".
  void RegisterCallback(const std::string& key, ValuesCallback callback);
  void RegisterPool(const void* stream, std::shared_ptr<MemoryPool> pool);
  void UnregisterPool(const void* stream);

  std::optional<GraphSummary> Summary(std::uint32_t id) const;
  void SetMemory(std::uint32_t id, GraphMemory::Kind which, void* address, std::size_t bytes);
  // The steps of a loaded graph as JSON for trace viewers; of a graph whose shapes the data decide, those
  // before the first decision.
  std::string TraceGraph(std::uint32_t id) const;
  std::vector<TensorValue> ReadVariables(std::vector<std::string> names) const;
  // Writes every graph as text, ge_proto_<number>_<name>.txt, into a folder, which is made if need be. Throws
  // kInvalidFile with the path and what the system said.
  void SaveGraphs(const std::string& folder) const;

  // Until no asynchronous run is waiting or running.
  void WaitForRuns();

 private:
  Session(const OptionMap& options, Generation generation);
  static void End(Session* session);
  bool is_parents() const;  // made before this process was forked
  void RequireOwn() const;
  // Whether this thread may wait for all its runs, and has.
  bool WaitUntilUnused() noexcept;
  void PutBack(std::uint32_t id, std::shared_ptr<GraphSlot> slot);
  std::shared_ptr<GraphSlot> Find(std::uint32_t id) const;
  const std::shared_ptr<GraphSlot>& FindLocked(std::uint32_t id) const;
  // For whatever RemoveGraph has to wait for.
  GraphUse UseGraph(std::uint32_t id) const;
  void RequireEngine() const;
  // Null if the graph has no values for them.
  std::shared_ptr<const ValueCallbacks> CallbacksFor(const GraphSlot& slot) const;

  const Engine* const engine_;  // of the process that made it
  const std::uint64_t id_;
  const OptionMap options_;
  const Generation generation_;
  const std::shared_ptr<Variables> variables_ = std::make_shared<Variables>();
  const std::shared_ptr<MemoryPools> pools_ = std::make_shared<MemoryPools>();

  mutable std::mutex mutex_;  // guards both below
  std::map<std::uint32_t, std::shared_ptr<GraphSlot>> graphs_;
  std::shared_ptr<const ValueCallbacks> callbacks_ = std::make_shared<ValueCallbacks>();
};

}  // namespace foothold
