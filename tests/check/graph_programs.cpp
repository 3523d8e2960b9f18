// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/graph_fixture.h"

#include <future>
#include <memory>
#include <optional>

using namespace checked;

namespace {

// Runs graph 1 asynchronously; the future is there when the callback was called.
std::future<void> RunLater(Graphs& graphs, std::vector<gert::Tensor> inputs) {
  auto done = std::make_shared<std::promise<void>>();
  std::future<void> future = done->get_future();
  MUST_GE(graphs.session.RunGraphAsync(
      1, inputs, [done](ge::Status, std::vector<gert::Tensor>&) { done->set_value(); }));
  return future;
}

// The thread of graph 1 is busy until Release.
class Busy {
 public:
  explicit Busy(Graphs& graphs) {
    MUST_GE(graphs.session.RunGraphAsync(1, TensorAt(graphs.x.memory),
                                         [this](ge::Status, std::vector<gert::Tensor>&) {
                                           begun_.set_value();
                                           released_.get_future().get();
                                         }));
    begun_.get_future().get();
  }
  void Release() { released_.set_value(); }

 private:
  std::promise<void> begun_, released_;
};

std::size_t FeatureBytes(ge::GeSession& session, uint32_t id) {
  std::size_t bytes = 0;
  MUST_GE(session.CompileGraph(id));
  MUST_GE(session.GetCompiledGraphSummary(id)->GetFeatureMemorySize(bytes));
  return bytes;
}

}  // namespace

PROGRAM(runs_a_graph_on_freed_memory, "GE-RUN-001") {
  Graphs graphs;
  void* const memory = DeviceMemory(kModelBytes);
  MUST(aclrtMemset(memory, kModelBytes, 0, kModelBytes));
  if (broken) MUST(aclrtFree(memory));
  std::vector<gert::Tensor> outputs = TensorAt(graphs.y.memory);
  graphs.session.RunGraphWithStreamAsync(1, graphs.stream, TensorAt(memory), outputs);
  graphs.stream.Wait();
  if (!broken) MUST(aclrtFree(memory));
}

PROGRAM(changes_an_input_under_a_run, "GE-RUN-002") {
  Graphs graphs;
  const Stream copies;
  MUST_GE(graphs.Run(1, graphs.stream, graphs.x, graphs.y));
  if (!broken) graphs.stream.Wait();
  MUST(aclrtMemsetAsync(graphs.x.memory, kModelBytes, 1, kModelBytes, copies));
  copies.Wait();
  graphs.stream.Wait();
}

PROGRAM(changes_an_input_before_the_callback, "GE-RUN-002") {
  Graphs graphs;
  const Four z;
  const Stream copies;
  Busy busy(graphs);
  std::future<void> done = RunLater(graphs, TensorAt(z.memory));
  if (!broken) {
    busy.Release();
    done.get();
  }
  MUST(aclrtMemsetAsync(z.memory, kModelBytes, 1, kModelBytes, copies));
  if (broken) {
    busy.Release();
    done.get();
  }
  copies.Wait();
}

PROGRAM(changes_host_memory_before_the_callback, "GE-RUN-003") {
  Graphs graphs;
  static float values[4] = {};
  Busy busy(graphs);
  std::future<void> done = RunLater(graphs, TensorAt(values, false, sizeof values, gert::kOnHost));
  if (broken) values[0] = 1;
  busy.Release();
  done.get();
  values[0] = 2;
}

PROGRAM(reads_an_output_before_the_run, "GE-RUN-004") {
  Graphs graphs;
  MUST_GE(graphs.Run(1, graphs.stream, graphs.x, graphs.y));
  if (!broken) graphs.stream.Wait();
  float values[4];
  MUST(aclrtMemcpy(values, sizeof values, graphs.y.memory, sizeof values, ACL_MEMCPY_DEVICE_TO_HOST));
  graphs.stream.Wait();
}

// Removing a graph waits for its runs.
PROGRAM(reads_an_output_of_a_graph_it_has_removed, "GE-RUN-004") {
  Graphs graphs;
  MUST_GE(graphs.Run(1, graphs.stream, graphs.x, graphs.y));
  MUST_GE(graphs.session.RemoveGraph(broken ? 2 : 1));
  float values[4];
  MUST(aclrtMemcpy(values, sizeof values, graphs.y.memory, sizeof values, ACL_MEMCPY_DEVICE_TO_HOST));
  graphs.stream.Wait();
}

PROGRAM(runs_a_graph_in_two_ways, "GE-RUN-005") {
  Graphs graphs;
  MUST_GE(graphs.Run(1, graphs.stream, graphs.x, graphs.y));
  graphs.stream.Wait();
  std::vector<gert::Tensor> outputs;
  if (!broken) MUST_GE(graphs.session.AddGraphClone(3, AbsGraph()));
  graphs.session.RunGraph(broken ? 1 : 3, TensorAt(graphs.x.memory), outputs);
}

PROGRAM(removes_a_graph_in_its_callback, "GE-RUN-006") {
  Graphs graphs;
  std::promise<void> done;
  MUST_GE(
      graphs.session.RunGraphAsync(1, TensorAt(graphs.x.memory), [&](ge::Status, std::vector<gert::Tensor>&) {
        if (broken) graphs.session.RemoveGraph(1);
        done.set_value();
      }));
  done.get_future().get();
  MUST_GE(graphs.session.RemoveGraph(1));
}

PROGRAM(destroys_a_session_in_its_callback, "GE-RUN-006") {
  const Session library;
  const Engine engine;
  const Four x;
  auto session = std::make_unique<ge::GeSession>(Options{});
  MUST_GE(session->AddGraph(1, AbsGraph()));
  std::promise<void> done;
  MUST_GE(session->RunGraphAsync(1, TensorAt(x.memory), [&](ge::Status, std::vector<gert::Tensor>&) {
    if (broken) session.reset();
    done.set_value();
  }));
  done.get_future().get();
}

PROGRAM(finalizes_the_engine_before_its_session, "GE-RUN-007") {
  const Session library;
  MUST_GE(ge::GEInitialize(Options{}));
  std::optional<ge::GeSession> session;
  session.emplace(Options{});
  if (!broken) session.reset();
  MUST_GE(ge::GEFinalize());
}

PROGRAM(changes_a_graph_after_it_was_added, "GE-RUN-008") {
  Graphs graphs;
  ge::Graph graph = AbsGraph();
  MUST_GE(broken ? graphs.session.AddGraph(3, graph) : graphs.session.AddGraphClone(3, graph));
  for (ge::GNode& node : graph.GetDirectNode()) {
    int64_t mark = 1;
    MustGe(node.SetAttr("mark", mark) == ge::GRAPH_SUCCESS ? ge::SUCCESS : ge::FAILED, "SetAttr");
  }
  std::vector<gert::Tensor> outputs;
  MUST_GE(graphs.session.RunGraph(3, TensorAt(graphs.x.memory), outputs));
}

PROGRAM(runs_on_another_stream_than_it_was_loaded_for, "GE-RUN-009") {
  Graphs graphs;
  const Stream other;
  MUST_GE(graphs.session.CompileGraph(1));
  MUST_GE(graphs.session.LoadGraph(1, {}, other));
  MUST(aclrtMemsetAsync(graphs.y.memory, kModelBytes, 0, kModelBytes, other));
  if (!broken) other.Wait();
  aclrtEvent event = nullptr;
  MUST(aclrtCreateEvent(&event));
  MUST(aclrtRecordEvent(event, other));
  MUST(aclrtStreamWaitEvent(graphs.stream, event));
  MUST_GE(graphs.Run(1, graphs.stream, graphs.x, graphs.y));
  graphs.stream.Wait();
  MUST(aclrtDestroyEvent(event));
}

PROGRAM(gives_two_graphs_one_memory, "GE-RUN-010") {
  Graphs graphs;
  const Stream other;
  const Four z;
  MUST_GE(graphs.session.AddGraph(3, SquareGraph()));
  const std::size_t bytes = FeatureBytes(graphs.session, 2);
  FeatureBytes(graphs.session, 3);
  const Four memory(bytes), more(bytes);
  MUST_GE(graphs.session.UpdateGraphFeatureMemoryBase(2, memory.memory, bytes));
  MUST_GE(graphs.session.UpdateGraphFeatureMemoryBase(3, broken ? memory.memory : more.memory, bytes));
  std::vector<gert::Tensor> first = TensorAt(graphs.y.memory, true), second = TensorAt(z.memory, true);
  MUST_GE(graphs.session.RunGraphWithStreamAsync(2, graphs.stream, TensorAt(graphs.x.memory, true), first));
  MUST_GE(graphs.session.RunGraphWithStreamAsync(3, other, TensorAt(graphs.x.memory, true), second));
  graphs.stream.Wait();
  other.Wait();
}

PROGRAM(gives_a_graph_memory_of_the_host, "GE-RUN-010") {
  Graphs graphs;
  const std::size_t bytes = FeatureBytes(graphs.session, 2);
  const Four memory(bytes);
  std::vector<char> host(bytes + 64);
  void* const aligned = reinterpret_cast<void*>((reinterpret_cast<uintptr_t>(host.data()) + 63) / 64 * 64);
  MUST_GE(graphs.session.UpdateGraphFeatureMemoryBase(2, broken ? aligned : memory.memory, bytes));
  MUST_GE(graphs.session.CompileGraph(1));  // which works in no memory
  MUST_GE(graphs.session.UpdateGraphFeatureMemoryBase(1, nullptr, bytes));
}

PROGRAM(sets_memory_after_the_graph_was_loaded, "GE-RUN-011") {
  Graphs graphs;
  const std::size_t bytes = FeatureBytes(graphs.session, 2);
  const Four memory(bytes);
  if (!broken) MUST_GE(graphs.session.UpdateGraphFeatureMemoryBase(2, memory.memory, bytes));
  MUST_GE(graphs.session.LoadGraph(2, {}, graphs.stream));
  if (broken) graphs.session.UpdateGraphFeatureMemoryBase(2, memory.memory, bytes);
}

PROGRAM(leaves_a_session_and_its_graph, "GE-LEAK-001 GE-LEAK-001") {
  const Session library;
  const Engine engine;
  auto* const session = new ge::GeSession(Options{});
  MUST_GE(session->AddGraph(1, AbsGraph()));
  if (!broken) delete session;
}

PROGRAM(leaves_an_output, "GE-LEAK-001") {
  Graphs graphs;
  auto* const outputs = new std::vector<gert::Tensor>();
  MUST_GE(
      graphs.session.RunGraphWithStreamAsync(2, graphs.stream, TensorAt(graphs.x.memory, true), *outputs));
  graphs.stream.Wait();
  if (!broken) delete outputs;
}

PROGRAM(leaves_a_session, "GE-LEAK-001") {
  const Session library;
  const Engine engine;
  auto* const session = new ge::GeSession(Options{});
  if (!broken) delete session;
}
