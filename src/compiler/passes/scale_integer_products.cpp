// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/scale_integer_products.h"

#include <string>
#include <vector>

#include "compiler/keep_nodes.h"
#include "compiler/node_effects.h"
#include "compiler/passes/patterns.h"
#include "compiler/passes/quantization.h"
#include "compiler/passes/remove_dead_nodes.h"
#include "compiler/sources.h"
#include "ops/matrix/broadcast_bias.h"

namespace foothold {
namespace {

constexpr char kScaled[] = "ScaledMatMulInteger";

class ProductScaling {
 public:
  explicit ProductScaling(Graph& graph) : graph_(graph) {}

  bool Run() {
    for (Node* node : graph_.Order()) {
      if (KeepsNode(*node) || ReadsState(*node) || node->outputs().size() != 1) continue;
      if (node->type() == "OnnxMatMulInteger") VisitSums(*node);
      if (node->type() == "MatMul" || node->type() == "MatMulV2") VisitFloats(*node);
    }
    graph_.Sweep();
    if (changed_) RemoveDeadNodes(graph_);
    return changed_;
  }

 private:
  // A product of vectors has no columns, and one of no rows nothing to scale.
  static bool HasColumns(const Node& node) {
    return TypeOf(Operand(node, 1)).dims.size() > 1 && TypeOf(Operand(node, 0)).dims.size() > 1;
  }

  // sums -> Cast -> Mul
  void VisitSums(Node& product) {
    Node* cast = OnlyReader(graph_, product);
    if (cast == nullptr || cast->type() != "Cast" || !IsFloat({cast, 0}) || !HasColumns(product)) return;
    Node* mul = OnlyReader(graph_, *cast);
    if (mul == nullptr || mul->type() != "Mul") return;
    const OutputRef scale = OtherOperand(*mul, {cast, 0});
    const Dims& out = TypeOf({&product, 0}).dims;
    if (!IsFloat(scale) || !IsScale(TypeOf(scale).dims, out) || TypeOf({mul, 0}).dims != out) return;
    mul->attributes = product.attributes;
    Become(*mul, kScaled,
           {{"x0", Operand(product, 0)},
            {"x1", Operand(product, 1)},
            {"x2", Operand(product, 2)},
            {"x3", Operand(product, 3)},
            {"scale", scale}});
    graph_.Drop(*cast);
    graph_.Drop(product);
    changed_ = true;
  }

  static bool IsScale(const Dims& scale, const Dims& out) {
    return ElementCount(scale) == 1 ? scale.size() <= out.size()
                                    : scale.size() == 1 && scale[0] == out.back();
  }

  // Both operands are bytes, the right one constant.
  void VisitFloats(Node& product) {
    if (!HasColumns(product) || !IsFloat({&product, 0})) return;
    const bool transposed = product.Bool("transpose_x2", false);
    const std::size_t rank = TypeOf(Operand(product, 1)).dims.size();
    const auto left = QuantizedOf(Operand(product, 0));
    const auto right = QuantizedBytesOf(Operand(product, 1), transposed ? rank - 2 : rank - 1);
    if (!left || !right || rank != 2 || ElementCount(TypeOf({&product, 0}).dims) == 0) return;
    const OutputRef bias = BiasOf(product);
    std::vector<float> scales = right->scales;
    if (bias && (!IsFloat(bias) || !IsColumnBias(TypeOf(bias).dims, TypeOf({&product, 0}).dims))) return;
    for (float& scale : scales)
      scale *= left->scale;
    const Dims dims{static_cast<std::int64_t>(scales.size())};
    Node& constant = MakeConstant(graph_, product.name() + "/scales",
                                  TensorValue::Of<float>(DataType::kFloat, dims, scales));
    Become(product, kScaled,
           {{"x0", left->bytes},
            {"x1", right->numbers},
            {"x2", Operand(*Operand(product, 0).node, 2)},
            {"x3", right->zeros},
            {"scale", {&constant, 0}},
            {"bias", bias}});
    changed_ = true;
  }

  static OutputRef BiasOf(const Node& product) {
    const int port = product.InputIndex("bias");
    return port < 0 ? OutputRef() : Operand(product, port);
  }

  Graph& graph_;
  bool changed_ = false;
};

}  // namespace

bool ScaleIntegerProducts(Graph& graph) {
  return ProductScaling(graph).Run();
}

}  // namespace foothold
