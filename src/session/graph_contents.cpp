// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/graph_contents.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/graph_codes.h"
#include "base/thread_end.h"
#include "compiler/control_flow.h"
#include "compiler/keep_nodes.h"
#include "compiler/sources.h"
#include "device/run_memory.h"
#include "dump/graph_dump.h"
#include "ops/matrix/half_weights.h"
#include "ops/op.h"
#include "options/precision.h"
#include "session/dump_options.h"
#include "session/graph_slot.h"

namespace foothold {
namespace {

bool AllStatic(const std::vector<TensorType>& types) {
  return std::all_of(types.begin(), types.end(), [](const TensorType& type) { return IsStatic(type.dims); });
}

void ReportMissing(const Graph& graph, std::string& report) {
  for (const Node* node : graph.nodes()) {
    const bool known =
        IsSource(*node) || RunsGraphs(*node) || IsNormalizedAway(*node) || FindOp(node->type()) != nullptr;
    if (!known) report += fmt::format("\n  {}: there is no kernel for this operator", node->Description());
    for (const Subgraph& subgraph : node->subgraphs)
      if (subgraph.graph) ReportMissing(*subgraph.graph, report);
  }
}

std::unique_ptr<const GraphContents> ReadContents(const GraphSlot& slot) {
  const InsideGraph inside(slot);
  const GraphOrigin& origin = slot.origin();
  const int device = slot.device();
  slot.checked().LookAtReading(*origin.graph);
  DumpStage(*origin.graph, kBeginStage, device);
  auto contents = std::make_unique<GraphContents>();
  contents->normal = std::make_unique<NormalGraph>(
      Normalize(*origin.graph, {origin.options.Find(kWeightFolderOption).value_or(""), FindForReading}));
  NormalGraph& normal = *contents->normal;
  ConvertOutputs(normal, origin.options);
  if (AllowsHalfWeights(origin.options.map())) AllowHalfWeights(*normal.graph);
  contents->dump = DumpOfGraph(origin.options, origin.graph->name(), origin.id, device);
  if (const auto& dump = contents->dump)
    KeepNodes(*normal.graph, [&](const Node& node) { return dump->KeepsNode(node.name(), node.type()); });
  contents->shared_places = FindSharedPlaces(normal, origin.options);
  DumpStage(*normal.graph, kPreparedStage, device);
  contents->shapes = std::make_unique<InputShapes>(normal.graph->inputs, origin.options);
  contents->executable =
      std::make_unique<Executable>(normal.graph, [device](const Graph& graph, Executable::Stage stage) {
        DumpStage(graph, stage == Executable::Stage::kBuilt ? kBuiltStage : kInferredStage, device);
      });
  return contents;
}

}  // namespace

std::optional<std::vector<TensorType>> GraphContents::DeclaredTypes() const {
  std::vector<TensorType> types;
  const std::vector<Node*>& data = normal->graph->inputs;
  const auto& gears = shapes->gears();
  const std::vector<Dims> largest =
      gears.empty() ? std::vector<Dims>() : shapes->WithGear(gears[shapes->LargestGear()]);
  for (std::size_t i = 0; i < data.size(); ++i) {
    TensorType type = data[i]->outputs().at(0).desc;
    type.dims = gears.empty() ? shapes->dims(i) : largest[i];
    types.push_back(std::move(type));
  }
  return AllStatic(types) ? std::optional(types) : std::nullopt;
}

void GraphContents::CheckOperators(const std::string& name) const {
  std::string report;
  ReportMissing(*normal->graph, report);
  if (!report.empty())
    throw Error(kFeatureUnsupported, fmt::format("graph '{}' cannot be compiled:{}", name, report));
}

FOOTHOLD_HANDLES_END_OF_THREAD const GraphContents& GraphReader::Read(const GraphSlot& slot) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (reading_ && InsideGraph::Of(slot))
    Fail(kGeFailed, "graph {} cannot be used inside a function that builds one of its subgraphs", slot.id());
  read_.wait(lock, [&] { return !reading_; });
  if (contents_) return *contents_;
  reading_ = true;
  lock.unlock();
  std::exception_ptr failure;
  std::unique_ptr<const GraphContents> contents;
  try {
    contents = ReadContents(slot);
  } catch (const EndOfThread&) {  // a function of the program ends the thread
    lock.lock();
    reading_ = false;
    read_.notify_all();
    throw;
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  reading_ = false;
  read_.notify_all();
  if (failure) std::rethrow_exception(failure);
  contents_ = std::move(contents);
  found_.store(contents_.get(), std::memory_order_release);
  return *contents_;
}

}  // namespace foothold
