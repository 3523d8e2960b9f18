// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/split.h"

#include <map>
#include <unordered_map>
#include <utility>

#include "compiler/control_flow.h"
#include "compiler/sources.h"

namespace foothold {
namespace {

using ValueKey = std::pair<const Node*, int>;

ValueKey KeyOf(const OutputRef& value) {
  return {value.node, value.port};
}

class Splitter {
 public:
  Splitter(Graph& graph, const Inferred& inferred)
      : graph_(graph),
        inferred_(inferred),
        rest_(std::make_shared<Rest>()),
        later_(std::make_shared<Graph>(graph.name())),
        alone_(std::make_shared<Graph>(graph.name())) {}

  std::shared_ptr<const Rest> Run() {
    const OutputList wanted = std::exchange(graph_.outputs, {});
    MoveLateNodes();
    const std::vector<Node*> late = later_->nodes();  // cutting adds nodes
    for (Node* node : late)
      CutInputs(*node);
    for (const OutputRef& output : wanted)
      rest_->outputs.push_back(TargetOf(output));
    later_->targets = TargetsAmong(*later_);
    rest_->owner = alone_;
    rest_->by_value = FindDeciding();
    rest_->executable = std::make_shared<Executable>(later_);
    return rest_;
  }

 private:
  bool IsLate(const Node& node) const { return inferred_.late.count(&node) != 0; }
  bool RunsAlone(const Node& node) const {
    const auto found = inferred_.late.find(&node);
    return found != inferred_.late.end() && found->second == kWhole;
  }

  void MoveLateNodes() {
    for (Node* node : graph_.nodes()) {
      if (!IsLate(*node)) continue;
      moved_.push_back(node);
      (RunsAlone(*node) ? alone_ : later_)->Add(*node);
    }
    // The first program comes first as a whole, so order against it needs no edges.
    for (Node* node : moved_)
      for (Node* before : std::vector<Node*>(node->control_inputs()))
        if (!IsLate(*before) || RunsAlone(*before)) node->RemoveControlInput(*before);
    for (Node* node : moved_)
      if (RunsAlone(*node)) AddAlone(*node);
    for (Node* node : graph_.targets)
      if (IsLate(*node)) targets_.push_back(node);
    graph_.Forget(moved_);
  }

  std::vector<Node*> TargetsAmong(const Graph& graph) const {
    std::vector<Node*> found;
    for (Node* node : targets_)
      if (graph.Contains(*node)) found.push_back(node);
    return found;
  }

  void AddAlone(Node& node) {
    if (RunsGraphs(node)) PrepareControlFlow(node);
    std::vector<int> sources;
    for (const Input& input : node.inputs())
      sources.push_back(input.source ? FromProgram(input.source) : -1);
    alone_places_.emplace(&node, static_cast<int>(rest_->nodes.size()));
    rest_->nodes.push_back(&node);
    rest_->node_inputs.push_back(std::move(sources));
  }

  // A value the first program gives back; -1 is never the answer.
  int FromProgram(const OutputRef& source) {
    const auto [found, fresh] = given_back_.emplace(KeyOf(source), static_cast<int>(graph_.outputs.size()));
    if (fresh) graph_.outputs.push_back(source);
    return found->second;
  }

  Rest::Origin OriginOf(const OutputRef& source) {
    const auto alone = alone_places_.find(source.node);
    if (alone != alone_places_.end()) return {alone->second, source.port};
    return {-1, FromProgram(source)};
  }

  // Every input of a later node that comes from outside becomes an input of the later graph; constants and
  // variables are simply repeated there.
  void CutInputs(Node& node) {
    for (std::size_t i = 0; i < node.inputs().size(); ++i) {
      const OutputRef source = node.inputs()[i].source;
      if (source && !later_->Contains(*source.node)) node.Connect(static_cast<int>(i), Stand(source));
    }
  }

  OutputRef Stand(const OutputRef& source) {
    if (const auto found = stands_.find(KeyOf(source)); found != stands_.end()) return found->second;
    Node* made = nullptr;
    if (IsConstant(*source.node)) {
      made = &MakeConstant(*later_, source.node->name(), ConstantValue(*source.node));
      static_cast<TensorType&>(made->outputs()[0].desc) = source.node->outputs()[0].desc;
    } else if (IsVariable(*source.node)) {
      made = &later_->Make("Variable", source.node->name());
      made->attributes = source.node->attributes;
      made->AddOutput("y", PortKind::kRequired).desc = source.node->outputs()[0].desc;
    } else {
      made = &MakeData(*later_, source.node->name() + ":" + std::to_string(source.port),
                       static_cast<std::int64_t>(later_->inputs.size()),
                       source.node->outputs()[static_cast<std::size_t>(source.port)].desc);
      later_->inputs.push_back(made);
      rest_->inputs.push_back(OriginOf(source));
    }
    stands_.emplace(KeyOf(source), OutputRef{made, 0});
    return {made, 0};
  }

  Rest::Target TargetOf(const OutputRef& output) {
    Rest::Target target;
    if (later_->Contains(*output.node)) {
      target.output = static_cast<int>(later_->outputs.size());
      later_->outputs.push_back(output);
    } else {
      target.from_program = true;
      target.origin = OriginOf(output);
    }
    return target;
  }

  std::vector<bool> FindDeciding() const {
    std::vector<bool> deciding(later_->inputs.size(), false);
    std::unordered_map<const Node*, std::size_t> places;
    for (std::size_t i = 0; i < later_->inputs.size(); ++i)
      places.emplace(later_->inputs[i], i);
    for (const auto& [node, port] : inferred_.late) {
      if (port < 0) continue;
      const Node* source = node->inputs()[static_cast<std::size_t>(port)].source.node;
      if (const auto found = places.find(source); found != places.end()) deciding[found->second] = true;
    }
    return deciding;
  }

  Graph& graph_;
  const Inferred& inferred_;
  std::shared_ptr<Rest> rest_;
  std::shared_ptr<Graph> later_, alone_;
  std::vector<Node*> moved_, targets_;
  std::map<ValueKey, OutputRef> stands_;               // in the later graph
  std::map<ValueKey, int> given_back_;                 // outputs of the first program
  std::unordered_map<const Node*, int> alone_places_;  // among the nodes that run alone
};

}  // namespace

std::shared_ptr<const Rest> SplitOff(const std::shared_ptr<Graph>& graph, const Inferred& inferred) {
  return Splitter(*graph, inferred).Run();
}

}  // namespace foothold
