// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/block_channels.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "compiler/infer.h"
#include "compiler/keep_nodes.h"
#include "compiler/node_effects.h"
#include "compiler/passes/remove_dead_nodes.h"
#include "compiler/sources.h"
#include "kernels/channel_blocks.h"
#include "ops/convolution/blocked_conv2d.h"
#include "ops/convolution/blocked_conv2d_transpose.h"
#include "ops/convolution/blocked_gradient.h"
#include "ops/op.h"

namespace foothold {
namespace {

constexpr std::array<std::string_view, 14> kElementwise = {
    "Add",   "Sub",  "Mul",         "Relu",          "Relu6",     "LeakyRelu",   "Sigmoid",
    "Swish", "Tanh", "ClipByValue", "ClipByValueV2", "HardSwish", "HardSigmoid", "Elu"};
constexpr std::array<std::string_view, 5> kPooling = {"MaxPool", "MaxPoolV3", "AvgPool", "AvgPoolV2",
                                                      "GlobalAveragePool"};
constexpr std::array<std::string_view, 4> kConcat = {"Concat", "ConcatD", "ConcatV2", "ConcatV2D"};

template <std::size_t kCount>
bool IsOneOf(const std::array<std::string_view, kCount>& types, const Node& node) {
  return std::find(types.begin(), types.end(), node.type()) != types.end();
}

bool IsUnblocked(const OutputRef& value) {
  return value && value.node->type() == "UnblockChannels";
}

const TensorType& TypeOf(const OutputRef& value) {
  return value.node->outputs()[static_cast<std::size_t>(value.port)].desc;
}

class Blocker {
 public:
  Blocker(Graph& graph) : graph_(graph) {}

  bool Run() {
    for (Node* node : graph_.Order())
      if (!IsSource(*node) && !KeepsNode(*node)) Visit(*node);
    if (changed_) RemoveDeadNodes(graph_);
    return changed_;
  }

 private:
  void Visit(Node& node) {
    if (node.type() == "BatchNormV3" || node.type() == "BatchNormGradV3") return VisitBatchNorm(node);
    if (node.outputs().size() != 1) return;
    const TensorType plain = node.outputs()[0].desc;
    if (plain.type != DataType::kFloat || plain.dims.size() != 4 || ElementCount(plain.dims) == 0) return;
    if (node.type() == "Conv2D")
      VisitConvolution(node);
    else if (node.type() == "Conv2DTranspose" || node.type() == "Conv2DTransposeD")
      VisitTransposed(node);
    else if (node.type() == "Conv2DBackpropInput" || node.type() == "Conv2DBackpropInputD")
      VisitInputGradient(node, plain);
    else if (node.type() == "Conv2DBackpropFilter" || node.type() == "Conv2DBackpropFilterD")
      VisitFilterGradient(node);
    else if (node.type() == "ReluGrad")
      VisitReluGrad(node, plain);
    else if (IsOneOf(kElementwise, node))
      VisitElementwise(node, plain);
    else if (IsOneOf(kPooling, node))
      VisitPooling(node, plain);
    else if (IsOneOf(kConcat, node))
      VisitConcat(node, plain);
    else if (node.type() == "Resize")
      VisitResize(node, plain);
  }

  void VisitConvolution(Node& node) {
    const OpContext context(node, KnownValues(node));
    const auto shape = BlockableConvolution(context);
    if (!shape) return;
    const auto x = static_cast<std::size_t>(node.InputIndex("x"));
    const OutputRef source = node.inputs()[x].source;
    const bool padded = !IsUnblocked(source) && shape->groups == 1 && shape->channels < ChannelBlock();
    const OutputRef blocks = IsUnblocked(source) ? source.node->inputs()[0].source
                             : padded            ? BlocksOf(node, source, shape->channels, PadsOf(*shape))
                                                 : BlocksOf(node, source, ChannelBlock(), {0, 0, 0, 0});
    MakeBlockedConv2D(node, *shape, padded);
    node.Connect(static_cast<int>(x), blocks);
    Leave(node);
    changed_ = true;
  }

  void VisitTransposed(Node& node) {
    const OpContext context(node, KnownValues(node));
    const auto x = static_cast<std::size_t>(node.InputIndex("x"));
    const OutputRef source = node.inputs()[x].source;
    if (!IsUnblocked(source)) return;
    const auto shape = BlockableTransposed(context);
    if (!shape) return;
    MakeBlockedConv2DTranspose(node, *shape);
    ReadBlocks(node, x);
    Leave(node);
  }

  void VisitInputGradient(Node& node, const TensorType& plain) {
    const auto gradient = static_cast<std::size_t>(node.InputIndex("out_backprop"));
    if (!IsUnblocked(node.inputs()[gradient].source)) return;
    if (!HasBlockableInputGradient(OpContext(node, KnownValues(node)))) return;
    MakeBlockedInputGradient(node, plain.dims[1]);
    ReadBlocks(node, gradient);
    Leave(node);
  }

  // The filter stays as it is: others read and change it.
  void VisitFilterGradient(Node& node) {
    const auto x = static_cast<std::size_t>(node.InputIndex("x"));
    const auto gradient = static_cast<std::size_t>(node.InputIndex("out_backprop"));
    if (!IsUnblocked(node.inputs()[gradient].source)) return;
    if (!HasBlockableFilterGradient(OpContext(node, KnownValues(node)))) return;
    MakeBlockedFilterGradient(node, TypeOf(node.inputs()[x].source).dims[1]);
    ReadAsBlocks(node, x);
    ReadBlocks(node, gradient);
    changed_ = true;
  }

  // The gradient may come in planes, where a region of gradients begins.
  void VisitReluGrad(Node& node, const TensorType& plain) {
    const auto fits = [&](const Input& input) {
      return input.source && TypeOf(input.source).dims == plain.dims &&
             TypeOf(input.source).type == DataType::kFloat;
    };
    if (node.inputs().size() != 2 || !fits(node.inputs()[0]) || !fits(node.inputs()[1])) return;
    if (!IsUnblocked(node.inputs()[1].source)) return;
    ReadAsBlocks(node, 0);
    ReadBlocks(node, 1);
    Leave(node);
  }

  void VisitBatchNorm(Node& node) {
    const TensorType plain = node.outputs()[0].desc;
    if (plain.type != DataType::kFloat || plain.dims.size() != 4 || plain.format == Format::kNhwc ||
        ElementCount(plain.dims) == 0 || !node.Bool("is_training", true))
      return;
    const auto x = static_cast<std::size_t>(node.InputIndex("x"));
    if (!IsUnblocked(node.inputs()[x].source)) return;
    if (const int gradient = node.InputIndex("dy"); gradient >= 0) {
      if (TypeOf(node.inputs()[static_cast<std::size_t>(gradient)].source).type != plain.type) return;
      ReadAsBlocks(node, static_cast<std::size_t>(gradient));
    }
    ReadBlocks(node, x);
    Leave(node);
  }

  // Operands are images of the same channels, or single numbers.
  void VisitElementwise(Node& node, const TensorType& plain) {
    bool image = false;
    for (const Input& input : node.inputs()) {
      if (!input.source) return;
      const Dims& dims = TypeOf(input.source).dims;
      if (IsUnblocked(input.source) && dims[0] == plain.dims[0] && dims[1] == plain.dims[1])
        image |= dims == plain.dims;
      else if (ElementCount(dims) != 1 || dims.size() > 1 || TypeOf(input.source).type != DataType::kFloat)
        return;
    }
    if (!image) return;
    for (std::size_t i = 0; i < node.inputs().size(); ++i)
      if (IsUnblocked(node.inputs()[i].source)) ReadBlocks(node, i);
    Leave(node);
    if (node.type() == "Mul") MakeScale(node);
  }

  // An image times a factor for each channel has a loop of its own.
  static void MakeScale(Node& node) {
    const OutputRef first = node.inputs()[0].source, second = node.inputs()[1].source;
    const Dims &a = TypeOf(first).dims, &b = TypeOf(second).dims;
    if (a.size() != 5 || b.size() != 5 || a == b) return;
    const bool swapped = a[2] == 1 && a[3] == 1;
    const Dims& factors = swapped ? a : b;
    if (factors[2] != 1 || factors[3] != 1) return;
    node.set_type("BlockedScale");
    if (!swapped) return;
    node.Connect(0, second);
    node.Connect(1, first);
  }

  void VisitPooling(Node& node, const TensorType& plain) {
    if (node.inputs().size() != 1 || !IsUnblocked(node.inputs()[0].source)) return;
    // With channels last the second dimension would be rows.
    if (TypeOf(node.inputs()[0].source).dims[1] != plain.dims[1]) return;
    if (node.type() != "GlobalAveragePool" && !PoolsPlanes(node)) return;
    ReadBlocks(node, 0);
    Leave(node);
  }

  static bool PoolsPlanes(const Node& node) {
    const std::string_view otherwise = node.type() == "MaxPool" || node.type() == "AvgPool" ? "NHWC" : "NCHW";
    return TypeOf(node.inputs()[0].source).format == Format::kNchw ||
           node.Text("data_format", otherwise) == "NCHW";
  }

  // Only the last part may leave lanes of a block unused.
  void VisitConcat(Node& node, const TensorType& plain) {
    const auto lanes = static_cast<std::int64_t>(ChannelBlock());
    const std::vector<int> parts = node.InputGroup("x");
    std::int64_t channels = 0;
    for (const int port : parts) {
      const OutputRef& source = node.inputs()[static_cast<std::size_t>(port)].source;
      if (!IsUnblocked(source) || channels % lanes != 0) return;
      const Dims& dims = TypeOf(source).dims;
      if (dims[0] != plain.dims[0] || dims[2] != plain.dims[2] || dims[3] != plain.dims[3]) return;
      channels += dims[1];
    }
    if (parts.size() < 2 || channels != plain.dims[1]) return;
    if (!JoinsChannels(node)) return;
    for (const int port : parts)
      ReadBlocks(node, static_cast<std::size_t>(port));
    Leave(node);
  }

  // Copies pixels of all channels alike. A list of scales goes by axes, of which blocks have one more at the
  // end.
  void VisitResize(Node& node, const TensorType& plain) {
    const int x = node.InputIndex("x"), scales = node.InputIndex("scales"), sizes = node.InputIndex("sizes");
    if (x < 0 || scales < 0 || (sizes >= 0 && node.inputs()[static_cast<std::size_t>(sizes)].source)) return;
    const OutputRef& source = node.inputs()[static_cast<std::size_t>(x)].source;
    if (!IsUnblocked(source) || node.FindAttribute("axes") != nullptr) return;
    const Dims& dims = TypeOf(source).dims;
    const TensorValue* list = KnownValues(node)[static_cast<std::size_t>(scales)];
    const bool whole = list != nullptr && ElementCount(list->dims()) == 4 && dims[0] == plain.dims[0] &&
                       dims[1] == plain.dims[1];
    if (!whole || node.Text("mode", "nearest") != "nearest" ||
        node.Text("coordinate_transformation_mode", "half_pixel") == "tf_crop_and_resize")
      return;
    node.attributes["axes"] = Dims{0, 1, 2, 3};
    ReadBlocks(node, static_cast<std::size_t>(x));
    Leave(node);
  }

  static bool JoinsChannels(const Node& node) {
    const int port = node.InputIndex("concat_dim");
    if (port < 0) return node.Int("concat_dim", 0) == 1;
    const TensorValue* axis = KnownValues(node)[static_cast<std::size_t>(port)];
    return axis != nullptr && Integers(*axis) == std::vector<std::int64_t>{1};
  }

  void ReadBlocks(Node& node, std::size_t port) {
    const Node& unblock = *node.inputs()[port].source.node;
    node.Connect(static_cast<int>(port), unblock.inputs()[0].source);
  }

  // In blocks, whatever it was before.
  void ReadAsBlocks(Node& node, std::size_t port) {
    const OutputRef source = node.inputs()[port].source;
    if (IsUnblocked(source)) return ReadBlocks(node, port);
    node.Connect(static_cast<int>(port), BlocksOf(node, source, ChannelBlock(), {0, 0, 0, 0}));
  }

  OutputRef BlocksOf(const Node& reader, const OutputRef& value, std::size_t lanes, const Dims& pads) {
    Node*& block = blocks_[{value.node, value.port, lanes, pads}];
    if (block == nullptr) {
      TensorType type = TypeOf(value);
      type.dims[2] += pads[0] + pads[1];
      type.dims[3] += pads[2] + pads[3];
      block = &graph_.Make("BlockChannels", reader.name() + "/blocks");
      block->AddInput("x", PortKind::kRequired);
      block->AddOutput("y", PortKind::kRequired).desc = PortDesc(BlockedType(type, lanes));
      block->attributes["lanes"] = static_cast<std::int64_t>(lanes);
      block->attributes["pads"] = pads;
      block->Connect(0, value);
    }
    return {block, 0};
  }

  // From here on the output of `node` is in blocks; who wants planes gets them from a node behind it.
  void Leave(Node& node) {
    const TensorType plain = node.outputs()[0].desc;
    Node& unblock = graph_.Make("UnblockChannels", node.name() + "/planes");
    unblock.AddInput("x", PortKind::kRequired);
    unblock.AddOutput("y", PortKind::kRequired).desc = PortDesc(plain);
    unblock.attributes["channels"] = plain.dims[1];
    ReplaceUses({&node, 0}, {&unblock, 0});
    graph_.outputs.Replace({&node, 0}, {&unblock, 0});
    static_cast<TensorType&>(node.outputs()[0].desc) = BlockedType(plain, ChannelBlock());
    unblock.Connect(0, {&node, 0});
  }

  Graph& graph_;
  bool changed_ = false;
  std::map<std::tuple<const Node*, int, std::size_t, Dims>, Node*> blocks_;  // by value, lanes and padding
};

}  // namespace

bool BlockChannels(Graph& graph) {
  return Blocker(graph).Run();
}

}  // namespace foothold
