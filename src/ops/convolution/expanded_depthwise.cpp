// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/convolution/expanded_depthwise.h"

#include <utility>

#include "kernels/channel_blocks.h"
#include "kernels/expanded_depthwise.h"
#include "ops/convolution/blocked_conv2d.h"
#include "ops/convolution/blocked_kernel.h"
#include "ops/convolution/convolution_rules.h"

namespace foothold {
namespace {

constexpr char kChannels[] = "channels";  // of the input, without what fills its last block
constexpr char kExpansion[] = "expansion_";

std::size_t Size(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

struct Layers {
  BlockedConvolution expansion, depthwise;
};

BlockedConvolution ExpansionOf(const OpContext& context) {
  const TensorType& x = context.In("x");
  if (!IsBlocked(x)) context.Refuse("x is {}, expected NC1HWC0", ToString(x));
  const std::int64_t channels = context.node().Int(std::string(kExpansion) + kChannels, 0);
  CheckBlocks(context, channels, ChannelBlock(), 1);
  const FilterDims filter = FilterDimsOf(context, context.In("expansion_filter"), false, "expansion_filter");
  if (filter.in != channels || filter.height != 1 || filter.width != 1)
    context.Refuse("expansion_filter is {}, expected 1x1 for {} channels",
                   ToString(context.In("expansion_filter")), channels);
  ConvolutionShape shape;
  shape.batch = Size(x.dims[0]);
  shape.channels = Size(channels);
  shape.height = shape.out_height = Size(x.dims[2]);
  shape.width = shape.out_width = Size(x.dims[3]);
  shape.out_channels = Size(filter.out);
  return {shape, filter.strides};
}

Layers LayersOf(const OpContext& context) {
  const BlockedConvolution expansion = ExpansionOf(context);
  const ConvolutionShape& from = expansion.shape;
  const FilterDims filter = FilterDimsOf(context, context.In("filter"), false, "filter");
  const Dims& x = context.In("x").dims;
  const ImageDims image{x[0], static_cast<std::int64_t>(from.out_channels), x[2], x[3]};
  const BlockedConvolution depthwise{ShapeOfConvolution(context, image, filter, false), filter.strides};
  if (Size(x[4]) != ChannelBlock() || !ExpandedDepthwisePlan::Applies(from, depthwise.shape))
    context.Unsupported("no kernel for {} channels expanded to {} in {} groups", from.channels,
                        from.out_channels, depthwise.shape.groups);
  return {expansion, depthwise};
}

void InferExpandedDepthwise(OpContext& context) {
  const ImageDims out = OutputDims(LayersOf(context).depthwise.shape);
  context.SetOut(0, BlockedType({context.In("x").type, Format::kNchw, ToDims(out, false)}, ChannelBlock()));
  const int residual = context.node().InputIndex("residual");
  if (residual >= 0 && context.Has(residual) && context.In(residual) != context.Out(0))
    context.Refuse("the residual is {}, expected {}", ToString(context.In(residual)),
                   ToString(context.Out(0)));
}

class ExpandedDepthwiseKernel : public Kernel {
 public:
  ExpandedDepthwiseKernel(ExpandedDepthwisePlan plan, BlockedPorts expansion, BlockedPorts depthwise,
                          const ActivationSpec& first, const ActivationSpec& last)
      : plan_(std::move(plan)), expansion_(expansion), depthwise_(depthwise), first_(first), last_(last) {}

  std::size_t WorkspaceBytes() const override { return plan_.WorkspaceBytes(); }

  void Run(const RunArgs& args) const override {
    ExpandedDepthwisePlan::Layer depthwise = LayerOf(args, depthwise_, last_);
    if (depthwise_.residual >= 0) depthwise.finish.residual = args.In<float>(depthwise_.residual);
    plan_.Run(args.In<float>(expansion_.data), LayerOf(args, expansion_, first_), depthwise,
              args.Out<float>(0), args.workspace);
  }

 private:
  static ExpandedDepthwisePlan::Layer LayerOf(const RunArgs& args, const BlockedPorts& ports,
                                              const ActivationSpec& activation) {
    ExpandedDepthwisePlan::Layer layer{args.In<float>(ports.filter), {}};
    if (ports.bias >= 0) layer.finish.bias = args.In<float>(ports.bias);
    layer.finish.activation = activation;
    return layer;
  }

  ExpandedDepthwisePlan plan_;
  BlockedPorts expansion_, depthwise_;
  ActivationSpec first_, last_;
};

std::unique_ptr<Kernel> LowerExpandedDepthwise(OpContext& context) {
  const Layers layers = LayersOf(context);
  ExpandedDepthwisePlan plan(layers.expansion.shape, layers.depthwise.shape);
  TensorValue first = PackedFilter(context.Needed("expansion_filter"), plan.expansion(),
                                   layers.expansion.filter, WayOf(plan.expansion()));
  TensorValue last =
      PackedFilter(context.Needed("filter"), plan.depthwise(), layers.depthwise.filter, "depthwise");
  const std::size_t channels = layers.depthwise.shape.channels;
  const BlockedPorts expansion = AddBlockedConstants(context, std::move(first), channels, kExpansion);
  const BlockedPorts depthwise = AddBlockedConstants(context, std::move(last), channels);
  return std::make_unique<ExpandedDepthwiseKernel>(std::move(plan), expansion, depthwise,
                                                   ActivationAttribute(context.node(), kExpansion),
                                                   ActivationAttribute(context.node()));
}

const RegisterOp expanded(OpDef("BlockedExpandedDepthwise")
                              .Infer(InferExpandedDepthwise)
                              .Lower(LowerExpandedDepthwise)
                              .Types({DataType::kFloat}));

}  // namespace

bool IsExpandedDepthwise(const OpContext& expansion, const OpContext& depthwise) {
  const auto residual = [](const OpContext& context) {
    const int port = context.node().InputIndex("residual");
    return port >= 0 && context.Has(port);
  };
  return HasKnownFloatFilter(expansion) && HasKnownFloatFilter(depthwise) && !residual(expansion) &&
         Size(expansion.In("x").dims[4]) == ChannelBlock() &&
         ExpandedDepthwisePlan::Applies(BlockedConvolutionOf(expansion).shape,
                                        BlockedConvolutionOf(depthwise).shape);
}

void MakeExpandedDepthwise(const Node& expansion, Node& depthwise) {
  depthwise.set_type("BlockedExpandedDepthwise");
  const auto source = [&](const char* port) {
    const int index = expansion.InputIndex(port);
    return index < 0 ? OutputRef{} : expansion.inputs()[static_cast<std::size_t>(index)].source;
  };
  const auto add = [&](const char* port, PortKind kind) {
    if (!source(port)) return;
    depthwise.AddInput(std::string(kExpansion) + port, kind);
    depthwise.Connect(static_cast<int>(depthwise.inputs().size()) - 1, source(port));
  };
  depthwise.Connect(depthwise.InputIndex("x"), source("x"));
  add("filter", PortKind::kRequired);
  add("bias", PortKind::kOptional);
  depthwise.attributes[std::string(kExpansion) + kChannels] = expansion.Int(kChannels, 0);
  SetActivation(depthwise, ActivationAttribute(expansion), kExpansion);
}

}  // namespace foothold
