// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/fuse_elementwise.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "compiler/infer.h"
#include "compiler/keep_nodes.h"
#include "compiler/node_effects.h"
#include "compiler/sources.h"
#include "ir/node_table.h"
#include "ir/node_walk.h"
#include "ops/elementwise/chain_node.h"
#include "ops/elementwise/element_step.h"
#include "ops/op.h"

namespace foothold {
namespace {

// The node that stays, and those before it that it takes over.
class Group {
 public:
  Group(Graph& graph, Node& last, ElementFormula formula) : graph_(graph), last_(last) {
    dims_ = formula.dims;
    values_ = Values(formula);
    formulas_.emplace(&last, std::move(formula));
    nodes_.push_back(&last);
  }

  // Nearest producers first; a producer is in only when all that read it are.
  void Grow() {
    for (bool grown = true; grown;) {
      grown = false;
      for (std::size_t i = 0; i < nodes_.size(); ++i)
        for (const Input& input : nodes_[i]->inputs())
          if (input.source && TakesOver(*input.source.node)) grown = true;
    }
  }

  bool worthwhile() const { return nodes_.size() > 1; }

  // `order` gives producers before consumers. The nodes taken over have no links then, but are in the graph.
  void Rewrite(NodeTable<std::size_t>& order) {
    std::sort(nodes_.begin(), nodes_.end(),
              [&](const Node* a, const Node* b) { return order[*a] < order[*b]; });
    for (const Node* node : nodes_)
      Write(*node);
    Renumber();
    while (!last_.inputs().empty()) {
      last_.Disconnect(static_cast<int>(last_.inputs().size()) - 1);
      last_.inputs().pop_back();
    }
    MakeChain(last_, chain_);
    for (std::size_t i = 0; i < sources_.size(); ++i)
      last_.Connect(static_cast<int>(i), sources_[i]);
    for (Node* node : nodes_)
      if (node != &last_) node->DisconnectAll();
  }

  const std::vector<Node*>& nodes() const { return nodes_; }

 private:
  // Operands are found only when the chain is written; until then numbers from here on are steps.
  static constexpr int kFirstStep = 1 << 16;

  static std::size_t Values(const ElementFormula& formula) {
    return formula.operands.size() + formula.steps.size();
  }

  bool TakesOver(Node& node) {
    if (formulas_.count(&node) != 0 || !StaysInside(node)) return false;
    OpContext context(node, KnownValues(node));
    auto formula = FormulaOf(context);
    if (!formula || formula->dims != dims_ || formula->results.size() != 1) return false;
    if (values_ + Values(*formula) > kMaxFusedValues) return false;
    values_ += Values(*formula);
    formulas_.emplace(&node, std::move(*formula));
    nodes_.push_back(&node);
    return true;
  }

  bool StaysInside(const Node& node) const {
    if (IsSource(node) || node.outputs().size() != 1 || IsStateful(node) || ReadsState(node)) return false;
    if (!IsInner(graph_, node)) return false;
    const DataType type = node.outputs()[0].desc.type;
    if (type != DataType::kFloat && type != DataType::kBool) return false;
    const auto& consumers = node.outputs()[0].consumers;
    return !consumers.empty() &&
           std::all_of(consumers.begin(), consumers.end(), [&](const InputRef& use) { return Reads(use); });
  }

  // Element by element, as it is.
  bool Reads(const InputRef& use) const {
    const auto found = formulas_.find(use.node);
    if (found == formulas_.end()) return false;
    const auto& operands = found->second.operands;
    return std::all_of(operands.begin(), operands.end(), [&](const auto& operand) {
      return operand.port != use.port || (operand.dims == dims_ && operand.spacing == 1);
    });
  }

  void Write(const Node& node) {
    const ElementFormula& formula = formulas_.at(&node);
    std::vector<int> values;
    for (const auto& operand : formula.operands)
      values.push_back(ValueOf(node.inputs()[static_cast<std::size_t>(operand.port)].source, operand));
    for (auto step : formula.steps) {
      for (int& operand : step.operands)
        operand = values[static_cast<std::size_t>(operand)];
      chain_.steps.push_back(std::move(step));
      values.push_back(kFirstStep + static_cast<int>(chain_.steps.size()) - 1);
    }
    results_[&node] = values[static_cast<std::size_t>(formula.results[0].value)];
  }

  int ValueOf(const OutputRef& source, const ElementFormula::Operand& operand) {
    if (const auto made = results_.find(source.node); made != results_.end()) return made->second;
    for (std::size_t i = 0; i < sources_.size(); ++i)
      if (sources_[i] == source && chain_.operands[i].dims == operand.dims &&
          chain_.operands[i].spacing == operand.spacing)
        return static_cast<int>(i);
    sources_.push_back(source);
    chain_.operands.push_back({static_cast<int>(sources_.size()) - 1, operand.dims, operand.spacing});
    return static_cast<int>(sources_.size()) - 1;
  }

  void Renumber() {
    const auto shift = [&](int& value) {
      if (value >= kFirstStep) value += static_cast<int>(chain_.operands.size()) - kFirstStep;
    };
    for (auto& step : chain_.steps)
      std::for_each(step.operands.begin(), step.operands.end(), shift);
    int result = results_.at(&last_);
    shift(result);
    chain_.results = {{result, 0}};
    chain_.dims = dims_;
  }

  Graph& graph_;
  Node& last_;
  Dims dims_;
  std::size_t values_ = 0;
  std::vector<Node*> nodes_;
  std::unordered_map<const Node*, ElementFormula> formulas_;
  ElementFormula chain_;
  std::vector<OutputRef> sources_;  // by operand of the chain
  std::unordered_map<const Node*, int> results_;
};

// Truth values of truth values stay bytes, which are faster alone.
bool IsLogic(const Node& node) {
  return node.outputs()[0].desc.type == DataType::kBool && node.InputType(0).type == DataType::kBool;
}

std::optional<ElementFormula> LastFormula(const Node& node, OpContext& context) {
  if (KeepsNode(node) || IsSource(node) || node.outputs().size() != 1 || IsStateful(node))
    return std::nullopt;
  if (!ElementTypeOf(node.outputs()[0].desc.type)) return std::nullopt;
  auto formula = FormulaOf(context);
  if (formula && IsLogic(node)) return std::nullopt;
  if (formula && (formula->results.size() != 1 || formula->results[0].updated_input >= 0))
    return std::nullopt;
  return formula;
}

}  // namespace

bool FuseElementwise(Graph& graph) {
  const std::vector<Node*> nodes = graph.Order();
  NodeTable<std::size_t> order(graph);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    order[*nodes[i]] = i;
  NodeTable<char> gone(graph);
  std::vector<Node*> taken_over;  // removed all at once: each removal looks through the whole graph
  for (std::size_t i = nodes.size(); i-- > 0;) {
    if (i >= kNodesAhead) FetchPorts(*nodes[i - kNodesAhead]);
    Node& node = *nodes[i];
    if (gone[node] != 0) continue;
    OpContext context(node, KnownValues(node));
    auto formula = LastFormula(node, context);
    if (!formula) continue;
    Group group(graph, node, std::move(*formula));
    group.Grow();
    if (!group.worthwhile()) continue;
    group.Rewrite(order);
    for (Node* other : group.nodes()) {
      gone[*other] = 1;
      if (other != &node) taken_over.push_back(other);
    }
  }
  graph.Remove(taken_over);
  return !taken_over.empty();
}

}  // namespace foothold
