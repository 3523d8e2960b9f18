// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A graph that can be run with inputs of any shapes: compiled for a set of shapes when it is first met, kept
// for the next time. Used by sessions and by nodes that run graphs. Any thread; two threads that meet the
// same new shapes at once compile it once.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "compiler/infer.h"
#include "ir/graph.h"
#include "program/program.h"
#include "program/variable_store.h"

namespace foothold {

class Executable;

// What remains of a graph when a value that decides shapes must be computed first.
struct Rest {
  // Where a value comes from: an output of the first program, or of a node run on its own.
  struct Origin {
    int node = -1;  // -1: the program
    int output = 0;
  };
  std::shared_ptr<Graph> owner;               // of the nodes below
  std::vector<Node*> nodes;                   // run one by one: only running them tells the shapes;
                                              // by several runs at once, which leave them as they are
  std::vector<std::vector<int>> node_inputs;  // by node and port: output of the program, -1 none
  std::shared_ptr<Executable> executable;     // everything after that
  std::vector<Origin> inputs;                 // of the executable
  std::vector<bool> by_value;                 // inputs the executable must know to be compiled
  struct Target {
    bool from_program = false;
    Origin origin;   // where it is there already
    int output = 0;  // else: output of the executable
  };
  std::vector<Target> outputs;  // of the whole graph
};

// One compilation: for most graphs a program that is all there is to do.
struct Plan {
  std::shared_ptr<const Program> program;
  std::shared_ptr<const Rest> rest;  // null: the outputs of the program are those of the graph
};

// Compiles a graph that was made for this alone and that nobody needs afterwards: it becomes the program,
// without a copy. Its inputs keep their order, and have types; it calls no others and has no constants in
// files. Throws what compiling throws.
std::shared_ptr<const Plan> CompileOnce(const std::shared_ptr<Graph>& graph, Before before);

class Executable {
 public:
  // Sees a graph on its way: when its types are known, and as it is lowered.
  enum class Stage { kInferred, kBuilt };
  using Watcher = std::function<void(const Graph&, Stage)>;

  // `graph` is normal (compiler/normalize.h) and not changed any more.
  explicit Executable(std::shared_ptr<const Graph> graph, Watcher watcher = nullptr)
      : graph_(std::move(graph)), watcher_(std::move(watcher)) {}

  const Graph& graph() const { return *graph_; }
  std::size_t inputs() const { return graph_->inputs.size(); }
  std::size_t outputs() const { return graph_->outputs.size(); }

  // `types` are static, one per input. `values`, where given, are inputs that count as constants. Throws what
  // compiling throws. Calls rules the program registered for its operators, with no lock held.
  std::shared_ptr<const Plan> Prepare(const std::vector<TensorType>& types,
                                      const std::vector<const TensorValue*>& values = {});

  // Shapes kept at once; the one not used for longest goes first.
  static constexpr std::size_t kKeptPlans = 64;

 private:
  struct Entry {
    std::optional<std::thread::id> compiling;  // on this thread; the others wait
    std::shared_ptr<const Plan> plan;          // null until compiled
    std::list<std::string>::iterator used;
  };
  std::shared_ptr<Entry> FindEntry(const std::string& key);  // with the lock

  const std::shared_ptr<const Graph> graph_;
  const Watcher watcher_;
  std::mutex mutex_;  // guards the two below and all entries
  std::condition_variable compiled_;
  std::unordered_map<std::string, std::shared_ptr<Entry>> entries_;
  std::list<std::string> recent_;  // keys, the latest first
};

// Gives that many bytes for intermediate values, or throws.
using ArenaSource = std::function<SharedBytes(std::size_t bytes)>;

// Runs the whole graph, stage after stage, in memory of its own; for graphs whose plans have a rest. Throws
// what kernels and compiling throw.
std::vector<TensorValue> RunStages(const Plan& plan, const std::vector<TensorValue>& inputs,
                                   VariableStore& variables, const ArenaSource& arenas = AllocateBytes);

// Runs one program in fresh memory.
std::vector<TensorValue> RunProgram(const std::shared_ptr<const Program>& program,
                                    const std::vector<TensorValue>& inputs, VariableStore& variables,
                                    const ArenaSource& arenas = AllocateBytes);

}  // namespace foothold
