// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/fold_views.h"

#include <algorithm>
#include <unordered_map>

#include "compiler/control_flow.h"
#include "compiler/infer.h"
#include "compiler/keep_nodes.h"
#include "compiler/node_effects.h"
#include "compiler/passes/patterns.h"
#include "compiler/passes/remove_dead_nodes.h"
#include "compiler/passes/seen_through.h"
#include "compiler/passes/select_before.h"
#include "compiler/passes/turned_views.h"
#include "compiler/passes/write_views.h"
#include "compiler/sources.h"
#include "ir/node_walk.h"
#include "ops/op.h"

namespace foothold {
namespace {

// What is not read side by side is copied once for more readers than this.
constexpr std::size_t kMostTurnedReads = 2;

bool HasSelections(const Graph& graph) {
  for (const Node* node : TypeWalk(graph.nodes())) {
    const OpDef* op = IsSource(*node) ? nullptr : FindOp(node->type());
    if (op != nullptr && (op->select() || node->type() == "ViewCopy")) return true;
  }
  return false;
}

bool Changes(const Node& node, int port) {
  return IsStateful(node) || node.OutputIndex(node.inputs()[static_cast<std::size_t>(port)].name) >= 0;
}

// Somebody may change it while it is still to be read.
bool IsChanged(const OutputRef& value) {
  const auto& consumers = value.node->outputs()[static_cast<std::size_t>(value.port)].consumers;
  return std::any_of(consumers.begin(), consumers.end(),
                     [](const InputRef& use) { return Changes(*use.node, use.port); });
}

class ViewFolding {
 public:
  explicit ViewFolding(Graph& graph) : graph_(graph) {}

  bool Run() {
    for (Node* node : graph_.Order())
      Visit(*node);
    if (!changed_) return false;
    TurnBefore(graph_);
    RemoveDeadNodes(graph_);
    return true;
  }

 private:
  void Visit(Node& node) {
    if (IsSource(node) || KeepsNode(node)) return;
    if (FoldsWrite(graph_, node)) changed_ = true;
    if (!SelectsAgain(node) && SelectBefore(graph_, node)) {
      changed_ = true;
      seen_.Forget();
      vanishes_.clear();
      return;
    }
    if (CopiesOnce(node)) return;
    std::vector<OutputRef> before;
    bool folded = false;
    for (std::size_t port = 0; port < node.inputs().size(); ++port) {
      before.push_back(node.inputs()[port].source);
      folded = FoldInput(node, static_cast<int>(port)) || folded;
    }
    changed_ = changed_ || folded;
    if (folded) CheckTogether(node, before);
  }

  void CheckTogether(Node& node, const std::vector<OutputRef>& before) {
    const OpContext context(node, KnownValues(node));
    if (FindOp(node.type())->ReadsTogether(context)) return;
    for (std::size_t port = 0; port < before.size(); ++port)
      if (node.inputs()[port].view) node.Connect(static_cast<int>(port), before[port]);
  }

  // What others read through needs no element-wise node of its own.
  bool SelectsAgain(const Node& node) const {
    return SelectedInput(node, 0) >= 0 && node.outputs().size() == 1 &&
           Vanishes({const_cast<Node*>(&node), 0});
  }

  // What is selected from what was selected is one copy.
  bool CopiesOnce(Node& node) {
    if (!CanCopyOnce(node) || Vanishes({&node, 0})) return false;
    const SeenValue seen = seen_.Look({&node, 0});
    Become(node, "TensorMove", {{"x", seen.source}});
    node.ConnectView(0, seen.source, seen.view);
    changed_ = true;
    seen_.Forget();
    vanishes_.clear();
    return true;
  }

  bool CanCopyOnce(const Node& node) const {
    const OpDef* op = FindOp(node.type());
    if (op == nullptr || !op->select() || node.outputs().size() != 1 || SelectedInput(node, 0) < 0)
      return false;
    const SeenValue seen = seen_.Look({const_cast<Node*>(&node), 0});
    if (seen.source.node == &node) return false;  // selects what no view is
    const Input& input = node.inputs()[static_cast<std::size_t>(SelectedInput(node, 0))];
    return seen_.Look(input.source).copied && !(seen.source == input.source) && !IsChanged(seen.source) &&
           !IsConstant(*seen.source.node);
  }

  bool FoldInput(Node& node, int port) {
    const Input& input = node.inputs()[static_cast<std::size_t>(port)];
    if (!input.source || input.view || SelectedInput(*input.source.node, input.source.port) < 0) return false;
    const SeenValue seen = seen_.Look(input.source);
    if (!seen.copied || !Reads({&node, port}, seen) || !Vanishes(input.source)) return false;
    const bool whole =
        seen.view.dense() && seen.view.offset == 0 && seen.view.dims == TypeOf(seen.source).dims;
    if (whole)
      node.Connect(port, seen.source);
    else
      node.ConnectView(port, seen.source, seen.view);
    return true;
  }

  bool Reads(const InputRef& use, const SeenValue& seen) const {
    Node& node = *use.node;
    const OpDef* op = FindOp(node.type());
    if (op == nullptr || RunsGraphs(node) || KeepsNode(node) || IsStateful(node) || IsChanged(seen.source) ||
        IsConstant(*seen.source.node))
      return false;
    const bool given_back =
        std::any_of(node.outputs().begin(), node.outputs().end(),
                    [&](const Output& output) { return node.InputIndex(output.name) >= 0; });
    if (given_back) return false;
    const std::size_t offset = seen.view.offset * BytesPerElement(TypeOf(seen.source).type);
    if (seen.view.dense() && (op->reads_views() || offset % kTensorAlignment == 0)) return true;
    const OpContext context(node, KnownValues(node));
    return op->ReadsView(context, use.port, seen.view);
  }

  // Whether everybody who reads the value can read what it was selected from instead.
  bool Vanishes(const OutputRef& value) const {
    const auto found = vanishes_.find(value.node);
    if (found != vanishes_.end()) return found->second;
    const bool vanishes = FindVanishing(value);
    vanishes_.emplace(value.node, vanishes);
    return vanishes;
  }

  bool FindVanishing(const OutputRef& value) const {
    const Node& node = *value.node;
    if (IsAskedFor(graph_, node) || SelectedInput(node, value.port) < 0) return false;
    return std::all_of(node.outputs().begin(), node.outputs().end(), [&](const Output& output) {
      const int port = static_cast<int>(&output - node.outputs().data());
      const SeenValue& seen = seen_.Look({value.node, port});
      if (seen.source.node == &node) return false;
      const bool turned = !seen.view.dense() && !seen.view.DenseFrom(seen.view.dims.size() - 1);
      if (turned && output.consumers.size() > kMostTurnedReads) return false;
      return std::all_of(output.consumers.begin(), output.consumers.end(),
                         [&](const InputRef& use) { return IsSelectedThere(use) || Reads(use, seen); });
    });
  }

  bool IsSelectedThere(const InputRef& use) const {
    return use.node->outputs().size() == 1 && SelectedInput(*use.node, 0) == use.port &&
           (Vanishes({use.node, 0}) || CanCopyOnce(*use.node));
  }

  Graph& graph_;
  mutable SeenThrough seen_;
  mutable std::unordered_map<const Node*, bool> vanishes_;
  bool changed_ = false;
};

}  // namespace

bool FoldViews(Graph& graph) {
  return HasSelections(graph) && ViewFolding(graph).Run();
}

}  // namespace foothold
