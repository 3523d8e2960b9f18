// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One graph of a session: what has been done with it, what may follow, and its compiled forms. Any thread.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compiler/normalize.h"
#include "device/device_charge.h"
#include "device/run_memory.h"
#include "dump/model_dump.h"
#include "launch/prepared_programs.h"
#include "options/input_shapes.h"
#include "options/options.h"
#include "session/async_runs.h"
#include "session/checked_graph.h"
#include "session/memory_pool.h"
#include "session/output_options.h"
#include "session/pooled_constants.h"

namespace foothold {

class Stream;

// ge::Session and ge::GeSession differ in what may follow what.
enum class Generation { kFirst, kSecond };
enum class RunMode { kNone, kSync, kAsync, kStream };

struct RunInput {
  TensorValue value;
  bool has_type = true;    // false: only bytes; the graph knows the rest
  bool exact = true;       // false: the memory may be larger than the tensor
  bool on_device = false;  // said to be device memory: looked up before it is used
};

// An input in memory that was looked up, for a run that comes later.
struct WatchedInput {
  std::size_t index;
  RunMemory memory;
};
// Lets the values stand where kernels find them.
void PlaceForKernels(std::vector<TensorValue>& values, const std::vector<WatchedInput>& watched);
// The call of this thread is about to read them.
void TellReads(const std::vector<WatchedInput>& inputs);

// An input the caller keeps alive and leaves alone during the call.
struct GivenInput {
  DataType type;
  Format format;
  std::span<const std::int64_t> dims;
  const std::byte* data;
  std::size_t bytes;
  const SharedBytes* owner = nullptr;  // keeps the bytes after the call; null: nobody does
};

struct GraphSummary {
  bool is_static = false;
  bool refreshable = false;
  std::size_t constant_bytes = 0;
  std::size_t feature_bytes = 0;
  std::vector<TensorType> outputs;  // with gears: of the largest
  SharedPlaces shared_places;
  std::shared_ptr<const Graph> graph;
};

class GraphSlot {
 public:
  struct Origin {
    std::uint32_t id;
    std::shared_ptr<Graph> graph;
    const void* identity;  // two slots with one identity are the same graph of the program
    Options options;
  };
  GraphSlot(Origin origin, Generation generation, std::shared_ptr<Variables> variables,
            std::shared_ptr<MemoryPools> pools, int device);
  ~GraphSlot();

  std::uint32_t id() const { return origin_.id; }
  const void* identity() const { return origin_.identity; }
  const Graph& graph() const { return *origin_.graph; }
  // Throws E10062 before it is compiled.
  const Origin& CompiledOrigin(const char* api) const;

  // The calls of the program, with their rules; each throws E10062 for a wrong order.
  void Build(const std::vector<TensorType>& hints);
  void Compile(const std::vector<TensorType>& hints);
  void Load(const OptionMap& options, const void* stream);
  // Before a run; compiles and loads what is missing. `api`, a literal, is for messages.
  void Enter(RunMode mode, const char* api);
  // ExecuteGraphWithStreamAsync: nothing is done by itself.
  void EnterLoaded(const char* api);

  // After Enter.
  const NormalGraph& normal() const { return *normal_; }
  // `watched` gets the memory of those that are on the device.
  std::vector<TensorValue> Resolve(std::vector<RunInput> inputs,
                                   std::vector<WatchedInput>* watched = nullptr) const;
  std::string InputName(std::size_t index) const;
  std::string OutputName(std::size_t index) const;
  // Throws 507013 if one was freed.
  void CheckAlive(const std::vector<WatchedInput>& watched) const;
  std::shared_ptr<PreparedProgram> RunnerFor(const std::vector<TensorValue>& inputs);
  // Only if it is there, and the inputs are just what it takes; else null.
  std::shared_ptr<PreparedProgram> FindRunner(std::span<const GivenInput> inputs);
  // The same into a pointer that is left alone if it is right already. False: none.
  bool FindRunner(std::span<const GivenInput> inputs, std::shared_ptr<PreparedProgram>& runner);
  // Whether nobody but the caller gets values of a run, and a run is one of the program. After Enter.
  bool is_plain() const;
  // The same for a run on a stream with this pool, null if it has none; the first one loads the graph if
  // nobody has. Where shapes come with the run, its memory is asked for here.
  struct StreamForm {
    std::shared_ptr<PreparedProgram> runner;
    bool pooled = false;  // it is to run in the arena, with constants in the pool
    SharedBytes arena;
    std::optional<Access> work;  // the program's memory it works in, while it is checked
  };
  StreamForm FormFor(const std::vector<TensorValue>& inputs, MemoryPool* pool);
  // What a run between host tensors has on the device besides; `there` bytes were there already. Small
  // tensors are not worth counting.
  DeviceCharge ChargeCopies(const PreparedProgram& runner, std::size_t there = 0) const {
    constexpr std::size_t kWorthCounting = 64 * 1024;
    const std::size_t bytes = runner.io_bytes();
    return bytes < kWorthCounting ? DeviceCharge() : DeviceCharge(device_, bytes - there, "RunGraph");
  }
  // How often a run repeats the graph.
  std::int64_t Iterations() const;
  bool TakesFromHost(std::size_t input) const;  // ge.exec.hostInputIndexes
  // The input an output of a run on a stream shares its memory with, if the program gives no other.
  std::optional<std::size_t> InputInPlaceOf(std::size_t output) const;

  std::optional<GraphSummary> Summary() const;  // nothing before it is compiled
  std::string Trace() const;                    // throws before it is loaded
  enum class Memory { kConstants, kFeatures, kFixedFeatures, kRefreshableFeatures };
  void SetMemory(Memory which, void* address, std::size_t bytes);
  bool uses_own_memory() const;  // the program has set a base, so its allocators do not count

  AsyncRuns& async() { return async_; }
  CheckedGraph& checked() { return checked_; }
  bool is_loaded() const;
  // What is dumped of its runs; null: nothing. After Enter.
  const std::shared_ptr<ModelDump>& dump() const { return dump_; }
  int device() const { return device_; }

  // Counts as a run while it lives. Does not own the slot: whoever drops that waits for its uses first, so
  // that it never ends on a thread of its own runs.
  class Use {
   public:
    explicit Use(GraphSlot& slot);
    Use(const Use& other);
    ~Use();
    Use(Use&& other) noexcept
        : slot_(std::exchange(other.slot_, nullptr)),
          stream_(std::exchange(other.stream_, nullptr)),
          kept_(std::move(other.kept_)) {}
    Use& operator=(Use&&) = delete;
    // The run is a task of this stream from now on.
    void WaitsOn(const Stream& stream);
    // The run was captured, to be run later or never: nobody waits for it, and the graph stays for it after
    // it was removed.
    void Keeps(std::shared_ptr<GraphSlot> slot) noexcept;
    GraphSlot* operator->() const { return slot_; }
    GraphSlot& operator*() const { return *slot_; }

   private:
    GraphSlot* slot_;
    const Stream* stream_ = nullptr;
    std::shared_ptr<GraphSlot> kept_;
  };
  // The calling thread is inside a function of the program that this graph has called: a callback of a run,
  // the builder of a subgraph, a rule of an operator. Such functions may use other graphs and be nested.
  bool RunsHere() const;
  // The calling thread has to come back before all runs can end: it is inside such a function, or inside one
  // that holds up a stream with a run of this graph.
  bool WaitsForThisThread() const;
  // Inside such a function of any graph.
  static bool AnyRunsHere();
  class Here {
   public:
    explicit Here(const GraphSlot& slot);
    ~Here();
    Here(const Here&) = delete;
    Here& operator=(const Here&) = delete;

   private:
    friend class GraphSlot;
    const GraphSlot& slot_;
    const Here* const outer_;
  };
  // Throws if a run turns out to wait for this thread.
  void WaitUntilUnused();

 private:
  enum class Prepared { kNothing, kBuilt, kCompiled };
  struct Base {
    void* address = nullptr;
    std::size_t bytes = 0;
  };
  // Both call functions of the program, and hold no lock while they do.
  void ReadGraph();
  void CheckMode(RunMode mode, const char* api) const;
  void Prepare(const std::vector<TensorType>& hints);
  // BuildGraph or CompileGraph: which may follow which; with the lock.
  void CheckOrder(Prepared wanted) const;
  void CheckOperators() const;
  // Lets go of the lock while it asks the pool of the program. May return without the lock.
  void LoadMemory(std::unique_lock<std::mutex>& lock, MemoryPool* pool);
  bool sets_memory() const { return constants_ || features_ || refreshable_; }  // with the lock
  // Cuts off what the tensor does not need.
  void CheckSize(std::size_t index, bool exact, TensorValue& value) const;
  SharedBytes Borrow(void* address, std::size_t needed) const;
  void CountConstants(std::size_t bytes);
  // Both with their lock.
  void EnterStream(const Stream& stream);
  void LeaveStream(const Stream& stream) noexcept;
  std::optional<std::vector<TensorType>> DeclaredTypes() const;
  // Compiles; without the lock.
  std::shared_ptr<PreparedProgram> MakeRunner(const std::vector<TensorType>& types);
  // `rule`: of docs/rules.md, if one was broken.
  [[noreturn]] void RefuseOrder(const char* api, const std::string& why, const char* rule = nullptr) const;

  const Origin origin_;
  const Generation generation_;
  const std::shared_ptr<Variables> variables_;
  const std::shared_ptr<MemoryPools> pools_;
  const int device_;

  mutable std::mutex mutex_;  // guards the state and the compiled forms
  bool reading_ = false;      // a thread is in ReadGraph
  std::condition_variable read_;
  Prepared prepared_ = Prepared::kNothing;
  bool loaded_ = false;
  RunMode mode_ = RunMode::kNone;
  const char* mode_api_ = "";
  std::unique_ptr<NormalGraph> normal_;
  std::shared_ptr<ModelDump> dump_;
  std::unique_ptr<InputShapes> shapes_;
  SharedPlaces shared_places_;
  std::unique_ptr<Executable> executable_;
  std::shared_ptr<PreparedProgram> declared_runner_;  // for the shapes the graph says, if it says them
  PreparedPrograms programs_;
  std::vector<std::size_t> host_inputs_;
  std::optional<Base> constants_, features_, refreshable_, fixed_;
  std::optional<Access> loaded_work_;  // what runs of the declared shapes work in
  PooledConstants pooled_constants_;   // of forms for shapes that come with runs

  std::mutex charge_mutex_;            // guards both below
  std::size_t counted_constants_ = 0;  // weights are shared by all forms, so the largest counts
  std::vector<DeviceCharge> constants_charges_;

  mutable std::mutex use_mutex_;  // guards uses_ and streams_
  std::condition_variable unused_;
  int uses_ = 0;
  struct StreamUse {
    const Stream* stream;
    int runs;
  };
  std::vector<StreamUse> streams_;  // that runs wait on

  CheckedGraph checked_;
  AsyncRuns async_;  // last: its thread ends before the rest
};

}  // namespace foothold
