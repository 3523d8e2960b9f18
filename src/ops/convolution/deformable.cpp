// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// DeformableOffsets moves the elements of windows, DeformableConv2D convolves what that gives.
#include "kernels/convolution.h"
#include "kernels/deformed_windows.h"
#include "kernels/gemm_pack.h"
#include "ops/convolution/convolution_rules.h"
#include "ops/convolution/convolution_types.h"
#include "ops/op.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

void CheckOffsets(const OpContext& context, DeformedShape& made) {
  const ConvolutionShape& s = made.windows;
  const std::int64_t groups = context.node().Int("deformable_groups", 1);
  if (groups < 1 || groups > kMostExtent || s.channels % static_cast<std::size_t>(groups) != 0)
    context.Refuse("deformable_groups is {}; it must divide the {} channels", groups, s.channels);
  made.deformable_groups = static_cast<std::size_t>(groups);
  made.modulated = context.node().Bool("modulated", true);
  const TensorType& offsets = context.In("offsets");
  const ImageDims dims = ImageDimsOf(context, offsets.dims, s.channels_last, "offsets");
  const std::int64_t all = ElementCount(
      {3, groups, static_cast<std::int64_t>(s.kernel_height), static_cast<std::int64_t>(s.kernel_width)});
  const std::int64_t each = all / 3;
  made.offset_parts = dims.channels == 2 * each && !made.modulated ? 2 : 3;
  const Dims expected = ToDims(
      ImageDims{static_cast<std::int64_t>(s.batch), static_cast<std::int64_t>(made.offset_parts) * each,
                static_cast<std::int64_t>(s.out_height), static_cast<std::int64_t>(s.out_width)},
      s.channels_last);
  if (offsets.dims != expected || offsets.type != context.In("x").type)
    context.Refuse("offsets is {}, expected {} of the type of x", ToString(offsets), ToString(expected));
}

ImageDims InputOf(const OpContext& context, const char* default_format) {
  const TensorType& x = context.In("x");
  return ImageDimsOf(context, x.dims, ChannelsLast(context, x, default_format), "x");
}

// The windows of a convolution with an imagined filter.
DeformedShape OffsetsShape(const OpContext& context) {
  const bool last = ChannelsLast(context, context.In("x"), "NCHW");
  const std::vector<std::int64_t> kernel = context.node().Ints("ksize");
  if (kernel.size() != 2) context.Refuse("ksize has {} entries, expected height and width", kernel.size());
  const ImageDims image = InputOf(context, "NCHW");
  const FilterDims filter{1, image.channels, kernel[0], kernel[1], {}};
  DeformedShape made{.windows = ShapeOfConvolution(context, image, filter, last)};
  CheckOffsets(context, made);
  return made;
}

std::int64_t Whole(std::size_t value) {
  return static_cast<std::int64_t>(value);
}

ImageDims DeformedDims(const ConvolutionShape& s) {
  return {Whole(s.batch), Whole(s.channels), Whole(s.out_height * s.kernel_height),
          Whole(s.out_width * s.kernel_width)};
}

void InferOffsets(OpContext& context) {
  const TensorType& x = context.In("x");
  const ConvolutionShape windows = OffsetsShape(context).windows;
  const Dims dims = ToDims(DeformedDims(windows), windows.channels_last);
  ElementCount(dims);
  context.SetOut(0, x.type, dims, x.format);
}

class OffsetsKernel : public Kernel {
 public:
  explicit OffsetsKernel(const DeformedShape& shape) : shape_(shape) {}
  void Run(const RunArgs& args) const override {
    DeformWindows(shape_, args.In<float>(0), args.In<float>(1), args.Out<float>(0));
  }

 private:
  DeformedShape shape_;
};

void CheckType(const OpContext& context) {
  const DataType type = context.In("x").type;
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one", DataTypeName(type));
}

std::unique_ptr<Kernel> LowerOffsets(OpContext& context) {
  CheckType(context);
  return ThroughFloat(context, std::make_unique<OffsetsKernel>(OffsetsShape(context)));
}

struct Deformable {
  DeformedShape deformed;
  ConvolutionShape after;  // of the deformed image, window by window
  FilterStrides filter;
};

Deformable DeformableOf(const OpContext& context) {
  const bool last = ChannelsLast(context, context.In("x"), "NHWC");
  const FilterDims filter = FilterDimsOf(context, context.In("filter"), last, "filter");
  Deformable made{{}, {}, filter.strides};
  made.deformed.windows = ShapeOfConvolution(context, InputOf(context, "NHWC"), filter, last);
  CheckOffsets(context, made.deformed);
  made.after = made.deformed.windows;
  const ImageDims image = DeformedDims(made.after);
  ElementCount(ToDims(image, last));
  made.after.height = static_cast<std::size_t>(image.height);
  made.after.width = static_cast<std::size_t>(image.width);
  made.after.stride_height = made.after.kernel_height;
  made.after.stride_width = made.after.kernel_width;
  made.after.dilation_height = made.after.dilation_width = 1;
  made.after.pad_top = made.after.pad_left = 0;
  return made;
}

void InferDeformable(OpContext& context) {
  CheckSameType(context, "x", "filter");
  const TensorType& x = context.In("x");
  const ConvolutionShape windows = DeformableOf(context).deformed.windows;
  const ImageDims out = OutputDims(windows);
  CheckedBias(context, out.channels);
  context.SetOut(0, x.type, ToDims(out, windows.channels_last), x.format);
}

class DeformableKernel : public Kernel {
 public:
  DeformableKernel(const Deformable& shape, int bias) : shape_(shape), plan_(shape.after), bias_(bias) {}

  std::size_t WorkspaceBytes() const override {
    return ImageBytes() + FilterBytes() + plan_.WorkspaceBytes();
  }
  void Run(const RunArgs& args) const override {
    auto* image = reinterpret_cast<float*>(args.workspace);
    auto* filter = reinterpret_cast<float*>(args.workspace + ImageBytes());
    DeformWindows(shape_.deformed, args.In<float>(0), args.In<float>(2), image);
    plan_.PackFilter(args.In<float>(1), shape_.filter, filter);
    plan_.Run(image, filter, bias_ < 0 ? nullptr : args.In<float>(bias_), args.Out<float>(0),
              args.workspace + ImageBytes() + FilterBytes());
  }

 private:
  std::size_t ImageBytes() const {
    const ConvolutionShape& s = shape_.after;
    return RoundUp(s.batch * s.channels * s.Pixels() * sizeof(float), kTensorAlignment);
  }
  std::size_t FilterBytes() const { return RoundUp(plan_.PackedFilterBytes(), kTensorAlignment); }

  Deformable shape_;
  ConvolutionPlan plan_;
  int bias_;
};

std::unique_ptr<Kernel> LowerDeformable(OpContext& context) {
  CheckType(context);
  const int bias = context.Has("bias") ? context.Port("bias") : -1;
  CheckBiasType(context, bias, context.In("x").type);
  return ThroughFloat(context, std::make_unique<DeformableKernel>(DeformableOf(context), bias));
}

const RegisterOp deformable({
    OpDef("DeformableOffsets")
        .Infer(InferOffsets)
        .Lower(LowerOffsets)
        .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}),
    OpDef("DeformableConv2D")
        .Infer(InferDeformable)
        .Lower(LowerDeformable)
        .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}),
});

}  // namespace
}  // namespace foothold
