// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/convolution/blocked_conv2d_transpose.h"

#include <algorithm>

#include "kernels/channel_blocks.h"
#include "ops/convolution/blocked_conv2d.h"
#include "ops/convolution/blocked_kernel.h"
#include "ops/convolution/convolution_rules.h"

namespace foothold {
namespace {

constexpr char kChannels[] = "channels";  // of the input, without what fills its last block

std::size_t Size(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

WideningShape ShapeOf(const ImageDims& x, const FilterDims& filter) {
  return {Size(x.batch),   Size(x.channels),    Size(x.height),    Size(x.width),
          Size(filter.in), Size(filter.height), Size(filter.width)};
}

FilterDims FilterOf(const OpContext& context) {
  return FilterDimsOf(context, context.In("filter"), false, "filter");
}

WideningShape BlockedOf(const OpContext& context) {
  const TensorType& x = context.In("x");
  if (!IsBlocked(x)) context.Refuse("x is {}, expected NC1HWC0", ToString(x));
  const ImageDims image{x.dims[0], context.node().Int(kChannels, 0), x.dims[2], x.dims[3]};
  return ShapeOf(image, FilterOf(context));
}

void InferTransposed(OpContext& context) {
  const WideningShape s = BlockedOf(context);
  const Dims planes = {static_cast<std::int64_t>(s.batch), static_cast<std::int64_t>(s.out_channels),
                       static_cast<std::int64_t>(s.height * s.window_height),
                       static_cast<std::int64_t>(s.width * s.window_width)};
  context.SetOut(0, BlockedType({context.In("x").type, Format::kNchw, planes}, ChannelBlock()));
}

std::unique_ptr<Kernel> LowerTransposed(OpContext& context) {
  const WideningShape shape = BlockedOf(context);
  const FilterStrides given = FilterOf(context).strides;
  const FilterStrides strides{given.in, given.out, given.row, given.column};
  if (context.node().InputIndex("input_size") >= 0 && context.Has("input_size"))
    context.SetUnused(context.Port("input_size"));
  return LowerBlocked(context, BlockedWideningPlan(shape), strides, shape.out_channels, "widening");
}

bool IsPlain(const OpContext& context, const FilterDims& filter) {
  const Node& node = context.node();
  const HeightWidth strides = SpatialEntries(context, "strides", node.Ints("strides"), false);
  const HeightWidth dilations =
      SpatialEntries(context, "dilations", node.Ints("dilations", {1, 1, 1, 1}), false);
  const std::vector<std::int64_t> pads = node.Ints("pads");
  return strides.height == filter.height && strides.width == filter.width && dilations.height == 1 &&
         dilations.width == 1 && GroupsAttribute(context) == 1 &&
         std::all_of(pads.begin(), pads.end(), [](std::int64_t pad) { return pad == 0; });
}

const RegisterOp transposed(
    OpDef("BlockedConv2DTranspose").Infer(InferTransposed).Lower(LowerTransposed).Types({DataType::kFloat}));

}  // namespace

std::optional<WideningShape> BlockableTransposed(const OpContext& context) {
  const TensorType& x = context.In("x");
  if (!HasKnownFloatFilter(context) || ChannelsLast(context, x, "NHWC")) return std::nullopt;
  const FilterDims filter = FilterOf(context);
  const ImageDims image = ImageDimsOf(context, x.dims, false, "x");
  const Dims& out = context.Out(0).dims;
  const bool whole = out[2] == image.height * filter.height && out[3] == image.width * filter.width;
  if (!whole || filter.out != image.channels || !IsPlain(context, filter)) return std::nullopt;
  return ShapeOf(image, filter);
}

void MakeBlockedConv2DTranspose(Node& node, const WideningShape& shape) {
  node.set_type("BlockedConv2DTranspose");
  node.attributes[kChannels] = static_cast<std::int64_t>(shape.channels);
}

}  // namespace foothold
