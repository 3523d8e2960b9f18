// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/convolution/blocked_conv2d.h"

#include <algorithm>

#include "kernels/blocked_depthwise.h"
#include "kernels/channel_blocks.h"
#include "kernels/winograd.h"
#include "ops/convolution/blocked_kernel.h"
#include "ops/convolution/convolution_rules.h"

namespace foothold {
namespace {

constexpr char kChannels[] = "channels";  // of the input, without what fills its last block

std::size_t Size(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

void InferBlockedConv2D(OpContext& context) {
  const ImageDims out = OutputDims(BlockedConvolutionOf(context).shape);
  context.SetOut(0, BlockedType({context.In("x").type, Format::kNchw, ToDims(out, false)}, ChannelBlock()));
  const int residual = context.node().InputIndex("residual");
  if (residual >= 0 && context.Has(residual) && context.In(residual) != context.Out(0))
    context.Refuse("the residual is {}, expected {}", ToString(context.In(residual)),
                   ToString(context.Out(0)));
}

std::unique_ptr<Kernel> LowerBlockedConv2D(OpContext& context) {
  const BlockedConvolution convolution = BlockedConvolutionOf(context);
  const ConvolutionShape& shape = convolution.shape;
  const std::size_t lanes = Size(context.In("x").dims[4]);
  if (BlockedDepthwisePlan::Applies(shape) && lanes == ChannelBlock())
    return LowerBlocked(context, BlockedDepthwisePlan(shape), convolution.filter, shape.out_channels,
                        "depthwise");
  if (const std::size_t side = WinogradSide(shape); side > 0 && lanes == ChannelBlock())
    return LowerBlocked(context, WinogradPlan(shape, side), convolution.filter, shape.out_channels,
                        side == 4 ? "winograd 4" : "winograd 2");
  if (!BlockedConvolutionPlan::Applies(shape) || (shape.groups > 1 && lanes != ChannelBlock()))
    context.Unsupported("no kernel for {} groups of {} channels in blocks of {}", shape.groups,
                        shape.GroupChannels(), lanes);
  BlockedConvolutionPlan plan(shape, lanes);
  const std::string way = WayOf(plan);
  return LowerBlocked(context, std::move(plan), convolution.filter, shape.out_channels, way);
}

BlockedImage ImageOf(const Dims& planes, const Dims& blocks) {
  return {Size(planes[0]), Size(planes[1]), Size(planes[2] * planes[3]), Size(blocks[4])};
}

class BlockKernel : public Kernel {
 public:
  BlockKernel(const BlockedImage& image, bool back) : image_(image), back_(back) {}

  void Run(const RunArgs& args) const override {
    (back_ ? FromChannelBlocks : ToChannelBlocks)(image_, args.In<float>(0), args.Out<float>(0));
  }

 private:
  BlockedImage image_;
  bool back_;
};

class PadKernel : public Kernel {
 public:
  explicit PadKernel(const PaddedImage& image) : image_(image) {}

  void Run(const RunArgs& args) const override {
    ToPaddedPixels(image_, args.In<float>(0), args.Out<float>(0));
  }

 private:
  PaddedImage image_;
};

// Top, bottom, left, right; with one block only.
std::vector<std::int64_t> PadsOf(const OpContext& context) {
  std::vector<std::int64_t> pads = context.node().Ints("pads", {0, 0, 0, 0});
  const bool valid = pads.size() == 4 && *std::min_element(pads.begin(), pads.end()) >= 0;
  if (!valid) context.Refuse("pads must be four numbers that are not negative");
  return pads;
}

void InferBlock(OpContext& context) {
  const TensorType& x = context.In(0);
  const std::int64_t lanes = context.node().Int("lanes", 0);
  if (x.type != DataType::kFloat || x.dims.size() != 4 || lanes < 1)
    context.Refuse("x is {} for blocks of {}; expected float, four dimensions and at least one lane",
                   ToString(x), lanes);
  const auto pads = PadsOf(context);
  TensorType padded = x;
  padded.dims[2] += pads[0] + pads[1];
  padded.dims[3] += pads[2] + pads[3];
  if (padded.dims != x.dims && lanes != x.dims[1])
    context.Refuse("only images of one block are padded; there are {} channels in blocks of {}", x.dims[1],
                   lanes);
  context.SetOut(0, BlockedType(padded, Size(lanes)));
}

void InferUnblock(OpContext& context) {
  const TensorType& x = context.In(0);
  const std::int64_t channels = context.node().Int(kChannels, 0);
  if (x.type != DataType::kFloat || !IsBlocked(x) || channels < 1 || channels > x.dims[1] * x.dims[4])
    context.Refuse("x is {} for {} channels; expected float in blocks of channels", ToString(x), channels);
  context.SetOut(0, x.type, {x.dims[0], channels, x.dims[2], x.dims[3]}, Format::kNchw);
}

std::unique_ptr<Kernel> LowerBlock(OpContext& context) {
  const Dims& d = context.InDims(0);
  const auto pads = PadsOf(context);
  if (context.Out(0).dims[4] == d[1])
    return std::make_unique<PadKernel>(PaddedImage{Size(d[0]), Size(d[1]), Size(d[2]), Size(d[3]),
                                                   Size(pads[0]), Size(pads[1]), Size(pads[2]),
                                                   Size(pads[3])});
  return std::make_unique<BlockKernel>(ImageOf(d, context.Out(0).dims), false);
}

std::unique_ptr<Kernel> LowerUnblock(OpContext& context) {
  return std::make_unique<BlockKernel>(ImageOf(context.Out(0).dims, context.InDims(0)), true);
}

const RegisterOp blocked(std::vector<OpDef>{
    OpDef("BlockedConv2D").Infer(InferBlockedConv2D).Lower(LowerBlockedConv2D).Types({DataType::kFloat}),
    OpDef("BlockChannels").Infer(InferBlock).Lower(LowerBlock).Types({DataType::kFloat}),
    OpDef("UnblockChannels").Infer(InferUnblock).Lower(LowerUnblock).Types({DataType::kFloat})});

}  // namespace

std::optional<ConvolutionShape> BlockableConvolution(const OpContext& context) {
  const TensorType& x = context.In("x");
  if (ChannelsLast(context, x, "NHWC")) return std::nullopt;
  const FilterDims filter = FilterDimsOf(context, context.In("filter"), false, "filter");
  const ConvolutionShape shape =
      ShapeOfConvolution(context, ImageDimsOf(context, x.dims, false, "x"), filter, false);
  if (!HasKnownFloatFilter(context) && !HasComputedFloatFilter(context, shape)) return std::nullopt;
  if (!BlockedConvolutionPlan::Applies(shape) && !BlockedDepthwisePlan::Applies(shape)) return std::nullopt;
  return shape;
}

BlockedConvolution BlockedConvolutionOf(const OpContext& context) {
  const Dims& x = context.InDims(context.Port("x"));
  if (!IsBlocked(context.In("x"))) context.Refuse("x is {}, expected NC1HWC0", ToString(context.In("x")));
  const std::int64_t channels = context.node().Int(kChannels, 0);
  CheckBlocks(context, channels, ChannelBlock(), 1);
  const FilterDims filter = FilterDimsOf(context, context.In("filter"), false, "filter");
  const ImageDims image{x[0], channels, x[2], x[3]};
  return {ShapeOfConvolution(context, image, filter, false), filter.strides};
}

std::string WayOf(const BlockedConvolutionPlan& plan) {
  return fmt::format("blocked by {}{}", plan.DepthBlocks(), plan.JoinsPixels() ? ", joined" : "");
}

TensorType BlockedType(const TensorType& planes, std::size_t lanes) {
  const auto width = static_cast<std::int64_t>(lanes);
  const Dims& d = planes.dims;
  return {planes.type, Format::kNc1hwc0, {d[0], (d[1] + width - 1) / width, d[2], d[3], width}};
}

bool IsBlocked(const TensorType& type) {
  return type.format == Format::kNc1hwc0 && type.dims.size() == 5;
}

void CheckBlocks(const OpContext& context, std::int64_t channels, std::size_t lanes, std::int64_t unit) {
  const TensorType& x = context.In("x");
  const auto width = static_cast<std::int64_t>(lanes);
  const std::int64_t blocks = x.dims[1], held = x.dims[4];
  const bool whole = channels > 0 && held == width && blocks == (channels + width - 1) / width;
  const bool one =
      channels > 0 && channels < width && blocks == 1 && held == (channels + unit - 1) / unit * unit;
  if (!whole && !one)
    context.Refuse("x is {} for {} channels; blocks have {} channels here", ToString(x), channels, width);
}

std::vector<std::int64_t> PadsOf(const ConvolutionShape& s) {
  const auto after = [](std::size_t out, std::size_t stride, std::size_t kernel, std::size_t dilation,
                        std::size_t there) {
    const std::size_t reach = (out - 1) * stride + (kernel - 1) * dilation + 1;
    return static_cast<std::int64_t>(reach > there ? reach - there : 0);
  };
  return {static_cast<std::int64_t>(s.pad_top),
          after(s.out_height, s.stride_height, s.kernel_height, s.dilation_height, s.pad_top + s.height),
          static_cast<std::int64_t>(s.pad_left),
          after(s.out_width, s.stride_width, s.kernel_width, s.dilation_width, s.pad_left + s.width)};
}

void MakeBlockedConv2D(Node& node, const ConvolutionShape& shape, bool padded) {
  node.set_type("BlockedConv2D");
  node.attributes["pads"] = padded ? std::vector<std::int64_t>{0, 0, 0, 0} : PadsOf(shape);
  node.attributes.erase("padding");
  node.attributes.erase("auto_pad");
  node.attributes[kChannels] = static_cast<std::int64_t>(shape.channels);
  node.attributes["groups"] = static_cast<std::int64_t>(shape.groups);
}

}  // namespace foothold
