// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/fuse_gelu.h"

#include <algorithm>
#include <string>

#include "compiler/passes/patterns.h"
#include "ir/node_walk.h"

namespace foothold {
namespace {

// A number times values.
struct Product {
  double number = 1;
  std::vector<OutputRef> factors;
};

// x / 2 (1 + f(x)), where f is the erf or tanh that a node computes.
class Match {
 public:
  Match(Graph& graph, Node& function) : graph_(graph), function_(function), nodes_{&function} {}

  bool Rewrite() {
    if (!(function_.type() == "Erf" ? FindInErf() : FindInTanh()) || !IsFloat(x_)) return false;
    Node* last = Last();
    if (last == nullptr || TypeOf({last, 0}) != TypeOf(x_) || !IsClosed(graph_, nodes_, *last)) return false;
    last->attributes["approximate"] = std::string(function_.type() == "Erf" ? "none" : "tanh");
    Become(*last, "GeluV2", {{"x", x_}});
    std::erase(nodes_, last);
    for (Node* node : nodes_)
      graph_.Drop(*node);
    return true;
  }

 private:
  // The pattern has a handful; a product of products of products has any number, and squares double it.
  static constexpr std::size_t kMostNodes = 16;

  // Takes products apart down to `x`.
  void Multiply(const OutputRef& value, const OutputRef& x, Product& product) {
    if (nodes_.size() > kMostNodes) {
      product.factors.push_back(value);
    } else if (const auto number = KnownScalar(value)) {
      product.number *= *number;
    } else if (value == x) {
      product.factors.push_back(value);
    } else if (Node* mul = Maker(value, "Mul")) {
      nodes_.push_back(mul);
      Multiply(Operand(*mul, 0), x, product);
      Multiply(Operand(*mul, 1), x, product);
    } else {
      MultiplyOther(value, x, product);
    }
  }

  void MultiplyOther(const OutputRef& value, const OutputRef& x, Product& product) {
    Node* div = Maker(value, "Div");
    Node* pow = Maker(value, "Pow");
    const auto second = KnownScalar(div != nullptr || pow != nullptr ? Operand(*value.node, 1) : OutputRef());
    if (div != nullptr && second) {
      nodes_.push_back(div);
      product.number /= *second;
      Multiply(Operand(*div, 0), x, product);
    } else if (pow != nullptr && second == 3.0) {
      nodes_.push_back(pow);
      for (int i = 0; i < 3; ++i)
        Multiply(Operand(*pow, 0), x, product);
    } else {
      product.factors.push_back(value);
    }
  }

  Product ProductOf(const OutputRef& value, const OutputRef& x) {
    Product product;
    Multiply(value, x, product);
    return product;
  }

  // erf(x / sqrt(2))
  bool FindInErf() {
    const OutputRef value = Operand(function_, 0);
    Node* scaled = Maker(value, "Div") != nullptr ? Maker(value, "Div") : Maker(value, "Mul");
    if (scaled == nullptr) return false;
    nodes_.push_back(scaled);
    const auto first = KnownScalar(Operand(*scaled, 0)), second = KnownScalar(Operand(*scaled, 1));
    const bool divides = scaled->type() == "Div";
    x_ = Operand(*scaled, first ? 1 : 0);
    if (divides) return !first && second && IsAbout(*second, 1.4142135623731);
    return (first || second) && IsAbout(first ? *first : *second, 0.70710678118655);
  }

  // tanh(sqrt(2 / pi) (x + 0.044715 x^3))
  bool FindInTanh() {
    const Product outer = ProductOf(Operand(function_, 0), {});
    if (!IsAbout(outer.number, 0.79788456080287) || outer.factors.size() != 1) return false;
    Node* sum = Maker(outer.factors[0], "Add");
    if (sum == nullptr) return false;
    nodes_.push_back(sum);
    return IsCubic(Operand(*sum, 1), Operand(*sum, 0)) || IsCubic(Operand(*sum, 0), Operand(*sum, 1));
  }

  bool IsCubic(const OutputRef& value, const OutputRef& x) {
    const std::size_t before = nodes_.size();
    const Product product = ProductOf(value, x);
    const bool is = IsAbout(product.number, 0.044715) && product.factors == std::vector<OutputRef>(3, x);
    is ? void(x_ = x) : nodes_.resize(before);
    return is;
  }

  // Adds 1, then multiplies with x and 1/2 in any order.
  Node* Last() {
    Node* last = OnlyReader(graph_, function_);
    if (last == nullptr || last->type() != "Add" || KnownScalar(OtherOperand(*last, {&function_, 0})) != 1.0)
      return nullptr;
    nodes_.push_back(last);
    for (Product product; product.number != 0.5 || product.factors != std::vector<OutputRef>{x_};) {
      Node* next = OnlyReader(graph_, *last);
      if (next == nullptr || next->type() != "Mul" || product.factors.size() > 1) return nullptr;
      Multiply(OtherOperand(*next, {last, 0}), x_, product);
      nodes_.push_back(next);
      last = next;
    }
    return last;
  }

  Graph& graph_;
  Node& function_;
  std::vector<Node*> nodes_;  // of the pattern
  OutputRef x_;
};

}  // namespace

bool FuseGelu(Graph& graph) {
  bool any = false;
  const std::vector<Node*> nodes = graph.nodes();  // as they are before
  for (Node* node : TypeWalk(nodes))
    if (node->type() == "Erf" || node->type() == "Tanh") any |= Match(graph, *node).Rewrite();
  graph.Sweep();
  return any;
}

}  // namespace foothold
