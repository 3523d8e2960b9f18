// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/convolution/blocked_gradient.h"

#include <algorithm>

#include "base/thread_pool.h"
#include "kernels/blocked_convolution.h"
#include "kernels/blocked_filter_gradient.h"
#include "kernels/channel_blocks.h"
#include "kernels/gemm_pack.h"
#include "kernels/winograd.h"
#include "ops/convolution/blocked_conv2d.h"
#include "ops/convolution/blocked_kernel.h"
#include "ops/convolution/convolution_rules.h"

namespace foothold {
namespace {

constexpr char kChannels[] = "channels";  // of the input of the convolution

struct Gradient {
  ConvolutionShape shape;  // of the convolution itself
  FilterStrides filter;
};

// A list that comes as a tensor or as an attribute.
Dims SizesOf(const OpContext& context, const char* name) {
  return context.node().InputIndex(name) >= 0 ? context.NeededInts(name) : context.node().Ints(name);
}

// An image in planes or in blocks of `channels`.
ImageDims ImageOf(const OpContext& context, const char* port, std::int64_t channels) {
  const TensorType& type = context.In(port);
  if (!IsBlocked(type)) return ImageDimsOf(context, type.dims, false, port);
  return {type.dims[0], channels, type.dims[2], type.dims[3]};
}

Gradient InputGradientOf(const OpContext& context) {
  const ImageDims wanted = ImageDimsOf(context, SizesOf(context, "input_size"), false, "input_size");
  const FilterDims filter = FilterDimsOf(context, context.In("filter"), false, "filter");
  const ImageDims given = ImageOf(context, "out_backprop", filter.out);
  return {ShapeOfGradient(context, wanted, filter, given, false), filter.strides};
}

TensorType FilterTypeOf(const OpContext& context) {
  return {context.In("x").type, context.Out(0).format, SizesOf(context, "filter_size")};
}

Gradient FilterGradientOf(const OpContext& context) {
  const FilterDims filter = FilterDimsOf(context, FilterTypeOf(context), false, "filter_size");
  const ImageDims input = ImageOf(context, "x", context.node().Int(kChannels, 0));
  const ImageDims given = ImageOf(context, "out_backprop", filter.out);
  return {ShapeOfGradient(context, input, filter, given, false), filter.strides};
}

// The convolution that leads from the output's gradient to the input's. Needs strides of 1.
ConvolutionShape Turned(const ConvolutionShape& s) {
  ConvolutionShape turned = s;
  std::swap(turned.channels, turned.out_channels);
  std::swap(turned.height, turned.out_height);
  std::swap(turned.width, turned.out_width);
  turned.pad_top = (s.kernel_height - 1) * s.dilation_height - s.pad_top;
  turned.pad_left = (s.kernel_width - 1) * s.dilation_width - s.pad_left;
  return turned;
}

// Its filter: channels exchanged, the window upside down and from right to left; dense.
void TurnFilter(const ConvolutionShape& s, const float* filter, const FilterStrides& strides, float* to) {
  const std::size_t area = s.KernelArea();
  ParallelFor(s.channels, 1 + 16384 / (1 + s.out_channels * area), [&](std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c)
      for (std::size_t o = 0; o < s.out_channels; ++o) {
        const float* from = filter + o * strides.out + c * strides.in;
        float* last = to + (c * s.out_channels + o + 1) * area - 1;
        for (std::size_t y = 0; y < s.kernel_height; ++y)
          for (std::size_t x = 0; x < s.kernel_width; ++x)
            *last-- = from[y * strides.row + x * strides.column];
      }
  });
}

struct GradientPorts {
  int data, filter;
};

class DirectInputGradient : public Kernel {
 public:
  DirectInputGradient(const Gradient& gradient, GradientPorts ports)
      : gradient_(gradient), plan_(Turned(gradient.shape), ChannelBlock()), ports_(ports) {}

  std::size_t WorkspaceBytes() const override { return TurnedBytes() + PackingBytes(plan_); }

  void Run(const RunArgs& args) const override {
    const ConvolutionShape& s = gradient_.shape;
    auto* turned = reinterpret_cast<float*>(args.workspace);
    TurnFilter(s, args.In<float>(ports_.filter), gradient_.filter, turned);
    RunPacking(plan_, args.In<float>(ports_.data), turned,
               {s.out_channels * s.KernelArea(), s.KernelArea(), s.kernel_width, 1}, OutputFinish(),
               args.Out<float>(0), args.workspace + TurnedBytes());
  }

 private:
  std::size_t TurnedBytes() const {
    const ConvolutionShape& s = gradient_.shape;
    return RoundUp(s.channels * s.out_channels * s.KernelArea() * sizeof(float), kTensorAlignment);
  }

  Gradient gradient_;
  BlockedConvolutionPlan plan_;
  GradientPorts ports_;
};

class WinogradInputGradient : public Kernel {
 public:
  WinogradInputGradient(const Gradient& gradient, std::size_t side, GradientPorts ports)
      : plan_(Turned(gradient.shape), side), given_(gradient.filter), ports_(ports) {}

  std::size_t WorkspaceBytes() const override { return plan_.PackingWorkspaceBytes(); }

  void Run(const RunArgs& args) const override {
    const FilterStrides exchanged{given_.in, given_.out, given_.row, given_.column};
    plan_.RunPacking(args.In<float>(ports_.data), {args.In<float>(ports_.filter), exchanged, true},
                     OutputFinish(), args.Out<float>(0), args.workspace);
  }

 private:
  WinogradPlan plan_;
  FilterStrides given_;
  GradientPorts ports_;
};

void InferInputGradient(OpContext& context) {
  const ConvolutionShape shape = InputGradientOf(context).shape;
  const Dims planes = {static_cast<std::int64_t>(shape.batch), static_cast<std::int64_t>(shape.channels),
                       static_cast<std::int64_t>(shape.height), static_cast<std::int64_t>(shape.width)};
  context.SetOut(0, BlockedType({context.In("filter").type, Format::kNchw, planes}, ChannelBlock()));
}

std::unique_ptr<Kernel> LowerInputGradient(OpContext& context) {
  const Gradient gradient = InputGradientOf(context);
  const ConvolutionShape turned = Turned(gradient.shape);
  const GradientPorts ports{context.Port("out_backprop"), context.Port("filter")};
  if (context.node().InputIndex("input_size") >= 0) context.SetUnused(context.Port("input_size"));
  if (const std::size_t side = WinogradSide(turned); side > 0)
    return std::make_unique<WinogradInputGradient>(gradient, side, ports);
  return std::make_unique<DirectInputGradient>(gradient, ports);
}

class FilterGradientKernel : public Kernel {
 public:
  FilterGradientKernel(const Gradient& gradient, int input, int data)
      : plan_(gradient.shape), strides_(gradient.filter), input_(input), data_(data) {}

  std::size_t WorkspaceBytes() const override { return plan_.WorkspaceBytes(); }
  void Run(const RunArgs& args) const override {
    plan_.Run(args.In<float>(input_), args.In<float>(data_), strides_, args.Out<float>(0), args.workspace);
  }

 private:
  BlockedFilterGradientPlan plan_;
  FilterStrides strides_;
  int input_, data_;
};

void InferFilterGradient(OpContext& context) {
  FilterGradientOf(context);
  context.SetOut(0, FilterTypeOf(context));
}

std::unique_ptr<Kernel> LowerFilterGradient(OpContext& context) {
  if (context.node().InputIndex("filter_size") >= 0) context.SetUnused(context.Port("filter_size"));
  return std::make_unique<FilterGradientKernel>(FilterGradientOf(context), context.Port("x"),
                                                context.Port("out_backprop"));
}

const RegisterOp blocked_gradients(std::vector<OpDef>{OpDef("BlockedConv2DBackpropInput")
                                                          .Infer(InferInputGradient)
                                                          .Lower(LowerInputGradient)
                                                          .Types({DataType::kFloat}),
                                                      OpDef("BlockedConv2DBackpropFilter")
                                                          .Infer(InferFilterGradient)
                                                          .Lower(LowerFilterGradient)
                                                          .Types({DataType::kFloat})});

bool AreFloats(const OpContext& context, const char* first, const char* second) {
  return context.In(first).type == DataType::kFloat && context.In(second).type == DataType::kFloat;
}

}  // namespace

bool HasBlockableInputGradient(const OpContext& context) {
  if (!AreFloats(context, "filter", "out_backprop") ||
      ChannelsLast(context, context.In("out_backprop"), "NHWC"))
    return false;
  const ConvolutionShape s = InputGradientOf(context).shape;
  return s.groups == 1 && s.Work() > 0 && s.stride_height == 1 && s.stride_width == 1 &&
         s.pad_top <= (s.kernel_height - 1) * s.dilation_height &&
         s.pad_left <= (s.kernel_width - 1) * s.dilation_width;
}

bool HasBlockableFilterGradient(const OpContext& context) {
  if (!AreFloats(context, "x", "out_backprop") || ChannelsLast(context, context.In("x"), "NHWC"))
    return false;
  return BlockedFilterGradientPlan::Applies(FilterGradientOf(context).shape);
}

void MakeBlockedInputGradient(Node& node, std::int64_t channels) {
  node.set_type("BlockedConv2DBackpropInput");
  node.attributes[kChannels] = channels;
}

void MakeBlockedFilterGradient(Node& node, std::int64_t channels) {
  node.set_type("BlockedConv2DBackpropFilter");
  node.attributes[kChannels] = channels;
}

}  // namespace foothold
