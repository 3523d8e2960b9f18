// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/fuse_layer_norm.h"

#include <algorithm>

#include "compiler/passes/patterns.h"

namespace foothold {
namespace {

// (x - mean) / sqrt(mean of squares + epsilon) * gamma + beta, found from its division.
class Match {
 public:
  Match(Graph& graph, Node& division) : graph_(graph), division_(division), nodes_{&division} {}

  bool Rewrite() {
    if (!FindDifference() || !FindDeviation()) return false;
    Node* last = FindParameters();
    if (last == nullptr || !IsClosed(graph_, nodes_, *last)) return false;
    last->attributes["begin_norm_axis"] = std::int64_t{-1};
    last->attributes["begin_params_axis"] = std::int64_t{-1};
    last->attributes["epsilon"] = static_cast<float>(epsilon_);
    Become(*last, "LayerNorm", {{"x", x_}, {"gamma", gamma_}, {"beta", beta_}});
    std::erase(nodes_, last);
    for (Node* node : nodes_)
      graph_.Drop(*node);
    return true;
  }

 private:
  Node* Take(const OutputRef& value, const char* type) {
    Node* node = Maker(value, type);
    if (node != nullptr) nodes_.push_back(node);
    return node;
  }

  // The value whose mean over the last dimension, which stays, this is.
  OutputRef MeanOf(const OutputRef& value) {
    Node* mean = Take(value, "ReduceMean");
    if (mean == nullptr || !mean->Bool("keep_dims", false)) return {};
    const auto axis = KnownScalar(Operand(*mean, 1));
    const auto rank = static_cast<double>(TypeOf(Operand(*mean, 0)).dims.size());
    return axis && (*axis == -1 || *axis == rank - 1) ? Operand(*mean, 0) : OutputRef();
  }

  bool FindDifference() {
    difference_ = Operand(division_, 0);
    Node* sub = Take(difference_, "Sub");
    if (sub == nullptr) return false;
    x_ = Operand(*sub, 0);
    return IsFloat(x_) && TypeOf(x_) == TypeOf(difference_) && MeanOf(Operand(*sub, 1)) == x_;
  }

  bool FindDeviation() {
    Node* root = Take(Operand(division_, 1), "Sqrt");
    Node* sum = root == nullptr ? nullptr : Take(Operand(*root, 0), "Add");
    if (sum == nullptr) return false;
    const auto first = KnownScalar(Operand(*sum, 0)), second = KnownScalar(Operand(*sum, 1));
    if (!first && !second) return false;
    epsilon_ = first ? *first : *second;
    return IsSquare(MeanOf(Operand(*sum, first ? 1 : 0)));
  }

  bool IsSquare(const OutputRef& value) {
    if (Node* pow = Take(value, "Pow"))
      return Operand(*pow, 0) == difference_ && KnownScalar(Operand(*pow, 1)) == 2.0;
    if (Node* square = Take(value, "Square")) return Operand(*square, 0) == difference_;
    Node* mul = Take(value, "Mul");
    return mul != nullptr && Operand(*mul, 0) == difference_ && Operand(*mul, 1) == difference_;
  }

  // One for each element of the last dimension.
  bool IsParameter(const OutputRef& value) const {
    const TensorValue* known = KnownValue(value);
    return known != nullptr && IsFloat(value) && !known->dims().empty() &&
           known->dims().back() == TypeOf(x_).dims.back() &&
           ElementCount(known->dims()) == known->dims().back();
  }

  Node* FindParameters() {
    Node* mul = OnlyReader(graph_, division_);
    if (mul == nullptr || mul->type() != "Mul") return nullptr;
    gamma_ = OtherOperand(*mul, {&division_, 0});
    Node* add = OnlyReader(graph_, *mul);
    if (add == nullptr || add->type() != "Add") return nullptr;
    beta_ = OtherOperand(*add, {mul, 0});
    nodes_.insert(nodes_.end(), {mul, add});
    return IsParameter(gamma_) && IsParameter(beta_) && TypeOf({add, 0}) == TypeOf(x_) ? add : nullptr;
  }

  Graph& graph_;
  Node& division_;
  std::vector<Node*> nodes_;  // of the pattern
  OutputRef x_, difference_, gamma_, beta_;
  double epsilon_ = 0;
};

}  // namespace

bool FuseLayerNorm(Graph& graph) {
  bool any = false;
  for (Node* node : graph.Order())
    if (node->type() == "Div" && node->outputs().size() == 1) any |= Match(graph, *node).Rewrite();
  graph.Sweep();
  return any;
}

}  // namespace foothold
