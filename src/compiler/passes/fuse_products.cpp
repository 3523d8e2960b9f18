// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/fuse_products.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "compiler/node_effects.h"
#include "compiler/passes/patterns.h"
#include "ops/convolution/blocked_kernel.h"
#include "ops/matrix/broadcast_bias.h"

namespace foothold {
namespace {

// The dimension of columns is dropped from products with a vector.
bool HasColumns(const Node& node) {
  const OutputRef right = Operand(node, 1);
  return right && TypeOf(right).dims.size() > 1;
}

bool IsProduct(Node& node) {
  const std::string& type = node.type();
  const bool product =
      type == "MatMul" || type == "MatMulV2" || type == "BatchMatMul" || type == "BatchMatMulV2";
  const bool integers = type == "ScaledMatMulInteger";
  return (product || integers) && node.outputs().size() == 1 && IsFloat({&node, 0}) &&
         (integers || IsFloat(Operand(node, 0))) && HasColumns(node) && !ReadsState(node);
}

std::optional<ActivationSpec> ActivationOf(const Node& node) {
  const std::string& type = node.type();
  if (type == "Relu") return ActivationSpec{Activation::kClip, 0, std::numeric_limits<float>::infinity()};
  if (type == "Gelu") return ActivationSpec{Activation::kTanhGelu};
  if (type == "Sigmoid") return ActivationSpec{Activation::kSigmoid};
  if (type != "GeluV2") return std::nullopt;
  const std::string approximate = node.Text("approximate", "none");
  return ActivationSpec{approximate == "none" ? Activation::kGelu : Activation::kTanhGelu};
}

class Fusion {
 public:
  Fusion(Graph& graph, Node& product) : graph_(graph), product_(product) {}

  bool Run() {
    const bool biased = Add("bias"), added = Add("residual");
    return Activate() || added || biased;
  }

 private:
  // A bias for each column, or a residual of the shape of the product.
  bool Add(const char* name) {
    Node* sum = OnlyReader(graph_, product_);
    if (sum == nullptr || sum->type() != "Add" || ReadsState(*sum) || Source(name)) return false;
    const OutputRef other = OtherOperand(*sum, {&product_, 0});
    const TensorType& out = TypeOf({&product_, 0});
    if (!IsFloat(other) || TypeOf({sum, 0}) != out) return false;
    const bool column_bias = IsColumnBias(TypeOf(other).dims, out.dims);
    if (name == std::string_view("bias") ? !column_bias : TypeOf(other).dims != out.dims) return false;
    if (product_.InputIndex(name) < 0) product_.AddInput(name, PortKind::kOptional);
    product_.Connect(product_.InputIndex(name), other);
    TakeOver(*sum);
    return true;
  }

  bool Activate() {
    Node* reader = OnlyReader(graph_, product_);
    // A bias of another shape is added after everything else.
    if (reader == nullptr || reader->inputs().size() != 1 || ReadsOtherBias()) return false;
    const auto activation = ActivationOf(*reader);
    if (!activation) return false;
    SetActivation(product_, *activation);
    TakeOver(*reader);
    return true;
  }

  OutputRef Source(const char* name) const {
    const int port = product_.InputIndex(name);
    return port < 0 ? OutputRef() : Operand(product_, port);
  }

  bool ReadsOtherBias() const {
    const OutputRef bias = Source("bias");
    return bias && !IsColumnBias(TypeOf(bias).dims, TypeOf({&product_, 0}).dims);
  }

  void TakeOver(Node& last) {
    ReplaceUses({&last, 0}, {&product_, 0});
    graph_.outputs.Replace({&last, 0}, {&product_, 0});
    std::replace(graph_.targets.begin(), graph_.targets.end(), &last, &product_);
    const std::string name = last.name();
    graph_.Drop(last);
    product_.set_name(name);
  }

  Graph& graph_;
  Node& product_;
};

}  // namespace

bool FuseProducts(Graph& graph) {
  bool any = false;
  const std::vector<Node*> order = graph.Order();
  // The later of two products that are added takes the other one as its residual.
  for (std::size_t i = order.size(); i-- > 0;)
    if (IsProduct(*order[i])) any |= Fusion(graph, *order[i]).Run();
  graph.Sweep();
  return any;
}

}  // namespace foothold
