// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/use_integers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "compiler/infer.h"
#include "compiler/keep_nodes.h"
#include "compiler/node_effects.h"
#include "compiler/passes/patterns.h"
#include "compiler/passes/quantization.h"
#include "compiler/passes/remove_dead_nodes.h"
#include "compiler/sources.h"
#include "kernels/gemm_pack.h"
#include "kernels/integer_depthwise.h"
#include "kernels/pair_rows.h"
#include "ops/convolution/blocked_conv2d.h"
#include "ops/convolution/convolution_rules.h"
#include "ops/pooling/pooling_rules.h"

namespace foothold {
namespace {

OutputRef OperandNamed(const Node& node, const char* name) {
  const int port = node.InputIndex(name);
  return port < 0 ? OutputRef() : Operand(node, port);
}

// A bias has the scale of the sums it is added to, but for rounding.
bool AreAbout(const std::vector<float>& found, const std::vector<float>& wanted) {
  return found.size() == wanted.size() &&
         std::equal(found.begin(), found.end(), wanted.begin(),
                    [](float a, float b) { return std::fabs(a - b) <= 1e-5f * std::fabs(b); });
}

class IntegerRegions {
 public:
  explicit IntegerRegions(Graph& graph) : graph_(graph) {}

  bool Run() {
    for (Node* node : graph_.Order())
      if (!KeepsNode(*node) && !ReadsState(*node)) Visit(*node);
    graph_.Sweep();
    if (changed_) RemoveDeadNodes(graph_);
    return changed_;
  }

 private:
  // What a node that quantises makes, and the only reader of what it reads.
  struct Target {
    Node& node;
    Quantized quantized;
    IntegerLimits limits;
    Node* maker;  // of the floats
  };

  void Visit(Node& node) {
    if (node.type() == "MaxPoolV3") return VisitBytePool(node);
    const auto quantized = QuantizationBy(node);
    if (!quantized || !IsImage({&node, 0})) return;
    Target target{node, *quantized, quantized->Limits(), Operand(node, 0).node};
    if (OnlyReader(graph_, *target.maker) != &node) return;
    LookThroughActivation(target);
    const std::string& type = target.maker->type();
    if (type == "Conv2D") return VisitConvolution(target);
    if (type == "Add") return VisitSum(target);
    if (type == "GlobalAveragePool") return VisitMean(target);
    if (type == "MaxPoolV3") return VisitPool(target);
  }

  static bool IsImage(const OutputRef& value) {
    const Dims& dims = TypeOf(value).dims;
    return dims.size() == 4 && ElementCount(dims) > 0;
  }

  // Rounding keeps the order of numbers, so limits of floats are limits of what they become.
  void LookThroughActivation(Target& target) const {
    const Node& activation = *target.maker;
    std::optional<double> low, high;
    if (activation.type() == "Relu") {
      low = 0, high = INFINITY;
    } else if (activation.type() == "Relu6") {
      low = 0, high = 6;
    } else if (activation.type() == "ClipByValue" || activation.type() == "ClipByValueV2") {
      low = KnownScalar(Operand(activation, 1)), high = KnownScalar(Operand(activation, 2));
    }
    const OutputRef before = low && high ? Operand(activation, 0) : OutputRef();
    if (!before || OnlyReader(graph_, *before.node) != &activation) return;
    const auto rounded = [&](double limit) {
      return std::nearbyint(static_cast<float>(limit) / target.quantized.scale);
    };
    target.limits.low = std::max(target.limits.low, rounded(*low));
    target.limits.high = std::min(target.limits.high, rounded(*high));
    if (target.limits.low <= target.limits.high) target.maker = before.node;
  }

  void VisitConvolution(const Target& target) {
    Node& convolution = *target.maker;
    const auto x = QuantizedOf(OperandNamed(convolution, "x"));
    const auto filter = QuantizedBytesOf(OperandNamed(convolution, "filter"), 0);
    if (!x || !filter || OperandNamed(convolution, "offset_w")) return;
    const auto shape = ShapeOf(convolution);
    if (!shape) return;
    std::vector<float> sums = filter->scales, factors = filter->scales;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      sums[i] *= x->scale;
      factors[i] = sums[i] / target.quantized.scale;
    }
    if (!AreUsable(factors)) return;
    OutputRef bias = OperandNamed(convolution, "bias");
    if (bias) {
      const auto known = QuantizedConstantOf(bias, 0);
      const bool fits = known && !known->zeros && TypeOf(known->numbers).type == DataType::kInt32 &&
                        AreAbout(known->scales, sums);
      if (!fits) return;
      bias = known->numbers;
    }
    MakeConvolution(target, *x, *filter, bias, factors, *shape);
  }

  static std::optional<ConvolutionShape> ShapeOf(Node& convolution) {
    const OpContext context(convolution, KnownValues(convolution));
    const TensorType &x = context.In("x"), &filter = context.In("filter");
    const bool planes =
        !ChannelsLast(context, x, "NHWC") && filter.format != Format::kHwcn && filter.format != Format::kNhwc;
    if (!planes) return std::nullopt;
    const ConvolutionShape shape = ShapeOfConvolution(context, ImageDimsOf(context, x.dims, false, "x"),
                                                      FilterDimsOf(context, filter, false, "filter"), false);
    const bool usable = IntegerDepthwisePlan::Applies(shape) || (shape.groups == 1 && shape.Work() > 0);
    return usable ? std::optional(shape) : std::nullopt;
  }

  void MakeConvolution(const Target& target, const Quantized& x, const QuantizedConstant& filter,
                       const OutputRef& bias, const std::vector<float>& factors,
                       const ConvolutionShape& shape) {
    const std::size_t few = RoundUp(shape.channels, 2);
    const bool padded = shape.groups == 1 && few < IntegerBlock() && !IsBlocksOf(x);
    const OutputRef blocks = padded ? BlocksOf(x, few, PadsOf(shape)) : BlocksOf(x);
    Node& node = target.node;
    Node& convolution = *target.maker;
    node.attributes = convolution.attributes;
    node.attributes["pads"] = padded ? std::vector<std::int64_t>{0, 0, 0, 0} : PadsOf(shape);
    node.attributes.erase("padding");
    node.attributes.erase("auto_pad");
    node.attributes["channels"] = static_cast<std::int64_t>(shape.channels);
    node.attributes["groups"] = static_cast<std::int64_t>(shape.groups);
    node.attributes["largest"] = x.Largest();
    SetLimits(node, target.limits);
    const OutputRef scales = FloatConstant(node.name() + "/scales", factors);
    Replace(target, "IntegerConv2D",
            {{"x", blocks},
             {"filter", filter.numbers},
             {"scales", scales},
             {"filter_zero", filter.zeros},
             {"bias", bias}});
  }

  void VisitSum(const Target& target) {
    Node& sum = *target.maker;
    const auto left = QuantizedOf(Operand(sum, 0)), right = QuantizedOf(Operand(sum, 1));
    if (!left || !right || left->bytes == right->bytes) return;
    const Dims& dims = TypeOf({&target.node, 0}).dims;
    if (TypeOf(left->bytes).dims != dims || TypeOf(right->bytes).dims != dims) return;
    if (Node* last = ConvolutionFor(sum, 1)) return AddToConvolution(target, *last, *right, *left);
    if (Node* last = ConvolutionFor(sum, 0)) return AddToConvolution(target, *last, *left, *right);
    SetSum(target.node, SumFor(target, *left, *right));
    const OutputRef first = BlocksOf(*left), second = BlocksOf(*right);
    Replace(target, "IntegerSum", {{"x1", first}, {"x2", second}});
  }

  static IntegerSum SumFor(const Target& target, const Quantized& left, const Quantized& right) {
    return {left.scale, right.scale, target.quantized.scale, target.limits.low, target.limits.high};
  }

  // The convolution whose result only this operand of a sum reads.
  Node* ConvolutionFor(const Node& sum, int port) const {
    Node* dequantize = Operand(sum, port).node;
    if (OnlyReader(graph_, *dequantize) != &sum) return nullptr;
    Node* unblock = Maker(Operand(*dequantize, 0), "UnblockIntegers");
    if (unblock == nullptr || OnlyReader(graph_, *unblock) != dequantize) return nullptr;
    Node* convolution = Maker(Operand(*unblock, 0), "IntegerConv2D");
    const bool free = convolution != nullptr && OnlyReader(graph_, *convolution) == unblock &&
                      convolution->InputIndex("residual") < 0 && convolution->Int("groups", 1) == 1;
    return free ? convolution : nullptr;
  }

  void AddToConvolution(const Target& target, const Node& convolution, const Quantized& own,
                        const Quantized& residual) {
    if (ZeroBehind(own) != own.zero) return;
    std::vector<PortSource> inputs;
    for (const char* name : {"x", "filter", "scales", "filter_zero", "bias"})
      inputs.push_back({name, OperandNamed(convolution, name)});
    inputs.push_back({"residual", BlocksOf(residual)});
    target.node.attributes = convolution.attributes;
    SetSum(target.node, SumFor(target, own, residual));
    Replace(target, "IntegerConv2D", inputs);
  }

  void VisitMean(const Target& target) {
    const auto x = QuantizedOf(Operand(*target.maker, 0));
    if (!x || !IsImage(x->bytes)) return;
    const Dims& dims = TypeOf(x->bytes).dims;
    const float scale = x->scale / (static_cast<float>(dims[2] * dims[3]) * target.quantized.scale);
    if (!AreUsable({scale})) return;
    target.node.attributes = {};
    target.node.attributes["scale"] = scale;
    SetLimits(target.node, target.limits);
    Replace(target, "IntegerMean", {{"x", BlocksOf(*x)}});
  }

  // The largest of bytes is the byte of the largest.
  void VisitPool(const Target& target) {
    Node& pool = *target.maker;
    const auto x = QuantizedOf(Operand(pool, 0));
    const Quantized& out = target.quantized;
    const IntegerLimits all = out.Limits();
    if (!x || x->scale != out.scale || x->zero != out.zero || x->type != out.type || !PoolsPlanes(pool) ||
        target.limits.low != all.low || target.limits.high != all.high)
      return;
    target.node.attributes = pool.attributes;
    Replace(target, "MaxPoolV3", {{"x", BlocksOf(*x)}});
  }

  void VisitBytePool(Node& node) {
    Node* unblock = Maker(Operand(node, 0), "UnblockIntegers");
    if (unblock == nullptr || !PoolsPlanes(node) || !IsImage({&node, 0})) return;
    const Quantized quantized{
        {&node, 0}, TypeOf({&node, 0}).type, 1, static_cast<int>(unblock->Int("zero", 0))};
    node.Connect(0, Operand(*unblock, 0));
    Leave(node, quantized);
    DropUnread(*unblock);
  }

  // The largest number of a window that lies in the padding is no byte in blocks.
  static bool PoolsPlanes(Node& pool) {
    const bool planes = pool.inputs().size() == 1 && pool.Text("data_format", "NCHW") == "NCHW" &&
                        TypeOf(Operand(pool, 0)).format != Format::kNhwc;
    if (!planes) return false;
    const OpContext context(pool, KnownValues(pool));
    const PoolingShape shape =
        ShapeOfPooling(context, context.In(0), {PoolingMode::kMax, "padding_mode", "NCHW"});
    const auto reaches = [](const PoolingAxis& axis) {
      return axis.pad < axis.kernel && axis.padded - axis.extent - axis.pad < axis.kernel;
    };
    return reaches(shape.height) && reaches(shape.width);
  }

  static int ZeroBehind(const Quantized& x) { return static_cast<int>(x.bytes.node->Int("zero", 0)); }

  // Whether the bytes come from blocks with the same zero point.
  static bool IsBlocksOf(const Quantized& x) {
    return Maker(x.bytes, "UnblockIntegers") != nullptr && ZeroBehind(x) == x.zero;
  }

  OutputRef BlocksOf(const Quantized& x) {
    return IsBlocksOf(x) ? Operand(*x.bytes.node, 0) : BlocksOf(x, IntegerBlock(), {0, 0, 0, 0});
  }

  OutputRef BlocksOf(const Quantized& x, std::size_t lanes, const Dims& pads) {
    Node*& block = blocks_[{x.bytes.node, x.bytes.port, x.zero, lanes, pads}];
    if (block == nullptr) {
      Dims dims = TypeOf(x.bytes).dims;
      dims[2] += pads[0] + pads[1];
      dims[3] += pads[2] + pads[3];
      block = &graph_.Make("BlockIntegers", x.bytes.node->name() + "/blocks");
      block->AddInput("x", PortKind::kRequired);
      block->AddOutput("y", PortKind::kRequired).desc = PortDesc(IntegerBlocks(dims, lanes));
      block->attributes["lanes"] = static_cast<std::int64_t>(lanes);
      block->attributes["zero"] = std::int64_t{x.zero};
      block->attributes["pads"] = pads;
      block->Connect(0, x.bytes);
    }
    return {block, 0};
  }

  OutputRef FloatConstant(const std::string& name, const std::vector<float>& values) {
    const Dims dims{static_cast<std::int64_t>(values.size())};
    return {&MakeConstant(graph_, name, TensorValue::Of<float>(DataType::kFloat, dims, values)), 0};
  }

  // The node that quantised does all of it.
  void Replace(const Target& target, const char* type, const std::vector<PortSource>& inputs) {
    Node& before = *Operand(target.node, 0).node;
    Become(target.node, type, inputs);
    Leave(target.node, target.quantized);
    DropUnread(before);
  }

  // From here on the output of `node` is in blocks; who wants bytes gets them from a node behind it.
  void Leave(Node& node, const Quantized& quantized) {
    const TensorType plain = node.outputs()[0].desc;
    Node& unblock = graph_.Make("UnblockIntegers", node.name() + "/planes");
    unblock.AddInput("x", PortKind::kRequired);
    unblock.AddOutput("y", PortKind::kRequired).desc = PortDesc(plain);
    unblock.attributes["channels"] = plain.dims[1];
    unblock.attributes["zero"] = std::int64_t{quantized.zero};
    unblock.attributes["type"] = static_cast<std::int64_t>(quantized.type);
    ReplaceUses({&node, 0}, {&unblock, 0});
    graph_.outputs.Replace({&node, 0}, {&unblock, 0});
    static_cast<TensorType&>(node.outputs()[0].desc) = IntegerBlocks(plain.dims, IntegerBlock());
    unblock.Connect(0, {&node, 0});
    changed_ = true;
  }

  // So that others see who really reads a value.
  void DropUnread(Node& node) {
    if (IsSource(node) || !IsInner(graph_, node) || IsStateful(node)) return;
    for (const Output& output : node.outputs())
      if (!output.consumers.empty()) return;
    std::vector<Node*> before;
    for (const Input& input : node.inputs())
      if (input.source) before.push_back(input.source.node);
    graph_.Drop(node);
    for (Node* one : before)
      DropUnread(*one);
  }

  Graph& graph_;
  bool changed_ = false;
  // By value, zero point, numbers of a block and padding.
  std::map<std::tuple<const Node*, int, int, std::size_t, Dims>, Node*> blocks_;
};

}  // namespace

bool UseIntegers(Graph& graph) {
  // Other processors have no vectors of pairs.
  return PairColumns() > 0 && IntegerRegions(graph).Run();
}

}  // namespace foothold
