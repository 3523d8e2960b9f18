// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/fold_late.h"

#include <algorithm>
#include <unordered_set>

#include "compiler/control_flow.h"
#include "compiler/infer.h"
#include "compiler/keep_nodes.h"
#include "compiler/node_effects.h"
#include "compiler/passes/patterns.h"
#include "compiler/sources.h"
#include "ops/evaluate.h"
#include "ops/op.h"

namespace foothold {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // of what is larger than what it is made of

class LateFolding {
 public:
  explicit LateFolding(Graph& graph) : graph_(graph) {}

  bool Run() {
    for (Node* node : graph_.Order())
      if (Follows(*node) && IsFoldable(*node)) Fold(*node);
    graph_.Sweep();
    return !made_.empty();
  }

 private:
  bool Follows(const Node& node) const {
    if (IsSource(node) || RunsGraphs(node)) return false;
    const OpDef* op = FindOp(node.type());
    if (op == nullptr || op->stateful() || !op->lower()) return false;
    return FoldsLate(node) ||
           std::any_of(node.inputs().begin(), node.inputs().end(),
                       [&](const Input& input) { return made_.count(input.source.node) != 0; });
  }

  bool IsFoldable(const Node& node) const {
    if (KeepsNode(node) || !node.control_inputs().empty() || !node.control_outputs().empty()) return false;
    std::size_t in = 0, out = 0;
    for (const Input& input : node.inputs()) {
      if (input.source && !IsConstant(*input.source.node)) return false;
      if (input.source) in += ByteSize(TypeOf(input.source));
    }
    for (const Output& output : node.outputs())
      out += ByteSize(output.desc);
    return out <= std::max(in, kMostBytes);
  }

  void Fold(Node& node) {
    std::vector<const TensorValue*> values;
    for (const Input& input : node.inputs())
      values.push_back(KnownValue(input.source));
    std::vector<TensorValue> results = EvaluateNode(node, values);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const OutputRef from{&node, static_cast<int>(i)};
      TensorType type = results[i].type();
      type.format = TypeOf(from).format;
      results[i].set_type(type);
      Node& constant = MakeConstant(graph_, node.name(), std::move(results[i]));
      ReplaceUses(from, {&constant, 0});
      graph_.outputs.Replace(from, {&constant, 0});
      made_.insert(&constant);
    }
    graph_.Drop(node);
  }

  Graph& graph_;
  std::unordered_set<const Node*> made_;
};

}  // namespace

bool FoldsLate(const Node& node) {
  return node.type() == "OnnxQuantizeLinear" || node.type() == "OnnxDequantizeLinear";
}

bool FoldLate(Graph& graph) {
  return LateFolding(graph).Run();
}

}  // namespace foothold
