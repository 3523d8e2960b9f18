// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/convolution/convolution_rules.h"

namespace foothold {
namespace {

std::size_t Size(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

Format FilterFormat(const TensorType& type, bool channels_last) {
  if (type.format == Format::kNchw || type.format == Format::kHwcn || type.format == Format::kNhwc)
    return type.format;
  return channels_last ? Format::kHwcn : Format::kNchw;
}

FilterDims InOrder(const Dims& d, Format format) {
  const auto s = [&](std::size_t i) { return Size(d[i]); };
  switch (format) {
    case Format::kHwcn:
      return {d[3], d[2], d[0], d[1], {1, s(3), s(1) * s(2) * s(3), s(2) * s(3)}};
    case Format::kNhwc:
      return {d[0], d[3], d[1], d[2], {s(1) * s(2) * s(3), 1, s(2) * s(3), s(3)}};
    default:
      return {d[0], d[1], d[2], d[3], {s(1) * s(2) * s(3), s(2) * s(3), s(3), 1}};
  }
}

void CheckFilter(const OpContext& context, const Dims& dims, std::string_view what) {
  if (dims.size() != 4) context.Refuse("{} is {}; it must have four dimensions", what, ToString(dims));
  for (const std::int64_t dim : dims)
    if (dim < 0 || dim > kMostExtent)
      context.Refuse("{} has the dimension {}, which is out of range", what, dim);
}

// A filter for fewer channels than there are means groups, even if nobody said so.
std::int64_t GroupsOf(const OpContext& context, std::int64_t channels, const FilterDims& filter) {
  std::int64_t groups = GroupsAttribute(context);
  if (groups == 1 && filter.in > 0 && channels != filter.in && channels % filter.in == 0)
    groups = channels / filter.in;
  if (channels % groups != 0 || channels / groups != filter.in)
    context.Refuse("the input has {} channels, the filter {} for each of {} groups", channels, filter.in,
                   groups);
  if (filter.out % groups != 0)
    context.Refuse("the filter has {} output channels, which {} groups cannot share", filter.out, groups);
  return groups;
}

PadMode ModeOf(const OpContext& context) {
  const Node& node = context.node();
  const PadMode mode = PadModeOf(context, "padding", node.Text("padding", ""));
  return mode != PadMode::kExplicit ? mode : PadModeOf(context, "auto_pad", node.Text("auto_pad", ""));
}

Window WindowOf(const OpContext& context, const FilterDims& filter, bool channels_last, PadMode mode) {
  const Node& node = context.node();
  const HeightWidth strides = SpatialEntries(context, "strides", node.Ints("strides"), channels_last);
  const HeightWidth dilations =
      SpatialEntries(context, "dilations", node.Ints("dilations", {1, 1, 1, 1}), channels_last);
  Window window;
  window.height.kernel = filter.height;
  window.width.kernel = filter.width;
  window.height.stride = strides.height;
  window.width.stride = strides.width;
  window.height.dilation = dilations.height;
  window.width.dilation = dilations.width;
  if (mode == PadMode::kExplicit) SetPads(context, window, node.Ints("pads"));
  return window;
}

ConvolutionShape ToShape(const ImageDims& input, const FilterDims& filter, const Window& window,
                         std::int64_t groups, bool channels_last) {
  return {.batch = Size(input.batch),
          .channels = Size(input.channels),
          .height = Size(input.height),
          .width = Size(input.width),
          .out_channels = Size(filter.out),
          .out_height = Size(window.height.out),
          .out_width = Size(window.width.out),
          .kernel_height = Size(filter.height),
          .kernel_width = Size(filter.width),
          .stride_height = Size(window.height.stride),
          .stride_width = Size(window.width.stride),
          .dilation_height = Size(window.height.dilation),
          .dilation_width = Size(window.width.dilation),
          .pad_top = Size(window.height.pad_begin),
          .pad_left = Size(window.width.pad_begin),
          .groups = Size(groups),
          .channels_last = channels_last};
}

}  // namespace

std::int64_t GroupsAttribute(const OpContext& context) {
  const std::int64_t groups = context.node().Int("groups", 1);
  if (groups < 1 || groups > kMostExtent) context.Refuse("groups is {}; it must be at least 1", groups);
  return groups;
}

FilterDims FilterDimsOf(const OpContext& context, const TensorType& type, bool channels_last,
                        std::string_view what) {
  CheckFilter(context, type.dims, what);
  return InOrder(type.dims, FilterFormat(type, channels_last));
}

FilterDims DepthwiseFilterDimsOf(const OpContext& context, const TensorType& type, bool channels_last,
                                 std::int64_t channels) {
  CheckFilter(context, type.dims, "filter");
  const Format format = FilterFormat(type, channels_last);
  const Dims& d = type.dims;
  if (format != Format::kHwcn) return InOrder(d, format);
  if (d[2] != channels) context.Refuse("the filter is for {} channels, the input has {}", d[2], channels);
  const std::size_t row = Size(d[1]) * Size(d[2]) * Size(d[3]), column = Size(d[2]) * Size(d[3]);
  return {d[2] * d[3], 1, d[0], d[1], {1, 0, row, column}};
}

ConvolutionShape ShapeOfConvolution(const OpContext& context, const ImageDims& input,
                                    const FilterDims& filter, bool channels_last) {
  const std::int64_t groups = GroupsOf(context, input.channels, filter);
  const PadMode mode = ModeOf(context);
  Window window = WindowOf(context, filter, channels_last, mode);
  window.height.extent = input.height;
  window.width.extent = input.width;
  Resolve(context, window.height, mode, false, "height");
  Resolve(context, window.width, mode, false, "width");
  return ToShape(input, filter, window, groups, channels_last);
}

ConvolutionShape ShapeOfGradient(const OpContext& context, const ImageDims& input, const FilterDims& filter,
                                 const ImageDims& output, bool channels_last) {
  const ConvolutionShape shape = ShapeOfConvolution(context, input, filter, channels_last);
  const ImageDims expected = OutputDims(shape);
  if (output.batch != input.batch || output.channels != expected.channels ||
      output.height != expected.height || output.width != expected.width)
    context.Refuse("out_backprop is {}; the convolution's output is {}",
                   ToString(ToDims(output, channels_last)), ToString(ToDims(expected, channels_last)));
  return shape;
}

ImageDims OutputDims(const ConvolutionShape& shape) {
  return {static_cast<std::int64_t>(shape.batch), static_cast<std::int64_t>(shape.out_channels),
          static_cast<std::int64_t>(shape.out_height), static_cast<std::int64_t>(shape.out_width)};
}

int CheckedBias(const OpContext& context, std::int64_t channels) {
  if (!context.Has("bias")) return -1;
  const int port = context.Port("bias");
  if (ElementCount(context.InDims(port)) != channels)
    context.Refuse("bias is {}; it must have {} elements", ToString(context.In(port)), channels);
  return port;
}

}  // namespace foothold
