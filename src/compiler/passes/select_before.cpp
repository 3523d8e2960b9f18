// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/select_before.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "compiler/infer.h"
#include "compiler/keep_nodes.h"
#include "compiler/node_effects.h"
#include "compiler/passes/patterns.h"
#include "compiler/passes/seen_through.h"
#include "compiler/passes/turned_views.h"
#include "compiler/sources.h"
#include "ops/elementwise/chain_node.h"
#include "ops/op.h"

namespace foothold {
namespace {

// An operand of the chain that is to be.
struct Moved {
  OutputRef source;
  std::optional<StridedView> view;  // nothing: all of it
};

class Selection {
 public:
  Selection(const Graph& graph, Node& node) : graph_(graph), node_(node) {}

  bool Run() {
    if (!FindMaker() || !FindFormula() || !MoveOperands()) return false;
    formula_.dims = node_.outputs()[0].desc.dims;
    Become(node_, "ElementChain", {});
    MakeChain(node_, formula_);
    for (std::size_t i = 0; i < moved_.size(); ++i)
      Connect(static_cast<int>(i), moved_[i]);
    return true;
  }

 private:
  bool FindMaker() {
    const OpDef* op = FindOp(node_.type());
    if (op == nullptr || !op->select() || node_.outputs().size() != 1 || SelectedInput(node_, 0) < 0)
      return false;
    maker_ = Operand(node_, SelectedInput(node_, 0)).node;
    return !IsSource(*maker_) && !IsStateful(*maker_) && !ReadsState(*maker_) &&
           maker_->outputs().size() == 1 && maker_->outputs()[0].consumers.size() == 1 &&
           !maker_->outputs()[0].view && IsInner(graph_, *maker_);
  }

  bool FindFormula() {
    const OpContext context(*maker_, KnownValues(*maker_));
    auto formula = FormulaOf(context);
    if (!formula || formula->results.size() != 1 || formula->results[0].updated_input >= 0) return false;
    if (formula->operands.size() + formula->steps.size() > kMaxFusedValues) return false;
    formula_ = std::move(*formula);
    const std::int64_t count = ElementCount(formula_.dims);
    return count > 0 && ElementCount(node_.outputs()[0].desc.dims) <= count;
  }

  bool MoveOperands() {
    for (std::size_t i = 0; i < formula_.operands.size(); ++i)
      if (!MoveOperand(formula_.operands[i], static_cast<int>(i))) return false;
    return turned_ <= 0;
  }

  bool MoveOperand(ElementFormula::Operand& operand, int port) {
    const Input& input = maker_->inputs()[static_cast<std::size_t>(operand.port)];
    if (operand.spacing != 1) return false;
    Moved moved{input.source, std::nullopt};
    if (input.view) moved.view = *input.view;
    if (input.view && IsTurned(*input.view)) --turned_;
    if (ElementCount(operand.dims) != 1) {
      const auto reshaped = Reshaped(moved.view ? *moved.view : DenseView(operand.dims), operand.dims);
      const auto repeated = reshaped ? Repeated(*reshaped, formula_.dims) : std::nullopt;
      moved.view = repeated ? Selected(node_, 0, *repeated) : std::nullopt;
      if (!moved.view || IsConstant(*input.source.node)) return false;
      operand.dims = moved.view->dims;
      if (IsTurned(*moved.view)) ++turned_;
    }
    operand.port = port;
    moved_.push_back(std::move(moved));
    return true;
  }

  void Connect(int port, const Moved& moved) {
    const Dims& all = TypeOf(moved.source).dims;
    const bool whole = !moved.view || (moved.view->dense() && moved.view->offset == 0 &&
                                       ElementCount(moved.view->dims) == ElementCount(all));
    if (whole) return node_.Connect(port, moved.source);
    node_.Connect(port, moved.source);  // so that the port has its type
    node_.ConnectView(port, moved.source, *moved.view);
  }

  const Graph& graph_;
  Node& node_;
  Node* maker_ = nullptr;
  ElementFormula formula_;
  std::vector<Moved> moved_;
  int turned_ = 0;  // more operands than before
};

}  // namespace

bool SelectBefore(const Graph& graph, Node& node) {
  return !KeepsNode(node) && Selection(graph, node).Run();
}

}  // namespace foothold
