// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/fuse_convolutions.h"

#include <limits>
#include <optional>

#include "compiler/infer.h"
#include "compiler/node_effects.h"
#include "ops/convolution/blocked_kernel.h"

namespace foothold {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::optional<ActivationSpec> ClipOf(const Node& node) {
  const auto values = KnownValues(node);
  if (values.size() != 3 || values[1] == nullptr || values[2] == nullptr) return std::nullopt;
  const auto low = static_cast<float>(Scalar(*values[1])), high = static_cast<float>(Scalar(*values[2]));
  if (!(low <= high)) return std::nullopt;
  return ActivationSpec{Activation::kClip, low, high};
}

// What a node with one operand does to it.
std::optional<ActivationSpec> ActivationOf(const Node& node) {
  const std::string& type = node.type();
  if (type == "Relu") return ActivationSpec{Activation::kClip, 0, kInfinity};
  if (type == "Relu6") return ActivationSpec{Activation::kClip, 0, 6};
  if (type == "ClipByValue" || type == "ClipByValueV2") return ClipOf(node);
  if (type == "LeakyRelu")
    return ActivationSpec{Activation::kLeakyRelu, -kInfinity, kInfinity, node.Float("negative_slope", 0)};
  if (type == "Sigmoid") return ActivationSpec{Activation::kSigmoid};
  if (type == "HardSwish") return ActivationSpec{Activation::kHardSwish};
  if (type == "Swish" && node.Float("scale", 1) == 1) return ActivationSpec{Activation::kSilu};
  return std::nullopt;
}

class Fusion {
 public:
  Fusion(Graph& graph, Node& convolution) : graph_(graph), convolution_(convolution) {}

  bool Run() {
    const bool added = AddResidual();
    return Activate() || added;
  }

 private:
  const ConsumerList& Consumers(const Node& node) const { return node.outputs()[0].consumers; }

  // The one node that reads the convolution, if the value in between may go.
  Node* Reader() const {
    if (Consumers(convolution_).size() != 1 || !IsInner(graph_, convolution_)) return nullptr;
    Node* reader = Consumers(convolution_)[0].node;
    return IsInner(graph_, *reader) && reader->outputs().size() == 1 ? reader : nullptr;
  }

  bool AddResidual() {
    Node* sum = Reader();
    if (sum == nullptr || sum->type() != "Add" || sum->inputs().size() != 2 || ReadsState(convolution_))
      return false;
    const OutputRef other = sum->inputs()[Consumers(convolution_)[0].port == 0 ? 1 : 0].source;
    if (!other || TypeOf(other) != TypeOf({&convolution_, 0})) return false;
    convolution_.AddInput("residual", PortKind::kOptional);
    convolution_.Connect(static_cast<int>(convolution_.inputs().size()) - 1, other);
    TakeOver(*sum);
    return true;
  }

  static TensorType TypeOf(const OutputRef& value) {
    return value.node->outputs()[static_cast<std::size_t>(value.port)].desc;
  }

  bool Activate() {
    if (ActivateBySilu()) return true;
    Node* reader = Reader();
    if (reader == nullptr || Consumers(convolution_)[0].port != 0) return false;
    const auto activation = ActivationOf(*reader);
    if (!activation) return false;
    SetActivation(convolution_, *activation);
    TakeOver(*reader);
    return true;
  }

  // x * sigmoid(x), the way it is exported.
  bool ActivateBySilu() {
    const auto& readers = Consumers(convolution_);
    if (readers.size() != 2 || !IsInner(graph_, convolution_)) return false;
    Node* gate = readers[0].node->type() == "Sigmoid" ? readers[0].node : readers[1].node;
    Node* product = gate == readers[0].node ? readers[1].node : readers[0].node;
    if (gate->type() != "Sigmoid" || product->type() != "Mul" || product->inputs().size() != 2) return false;
    if (Consumers(*gate).size() != 1 || Consumers(*gate)[0].node != product) return false;
    if (!IsInner(graph_, *gate) || !IsInner(graph_, *product)) return false;
    SetActivation(convolution_, {Activation::kSilu});
    TakeOver(*product);
    graph_.Drop(*gate);
    return true;
  }

  void TakeOver(Node& last) {
    ReplaceUses({&last, 0}, {&convolution_, 0});
    const std::string name = last.name();
    graph_.Drop(last);
    convolution_.set_name(name);
  }

  Graph& graph_;
  Node& convolution_;
};

}  // namespace

bool FuseConvolutions(Graph& graph) {
  bool any = false;
  std::vector<Node*> order = graph.Order();
  // The later of two convolutions that are added takes the other one as its residual.
  for (std::size_t i = order.size(); i-- > 0;)
    if (order[i]->type() == "BlockedConv2D") any |= Fusion(graph, *order[i]).Run();
  graph.Sweep();
  return any;
}

}  // namespace foothold
