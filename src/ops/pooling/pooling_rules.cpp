// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/pooling/pooling_rules.h"

namespace foothold {
namespace {

std::size_t Size(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

PoolingShape ToShape(const ImageDims& image, const Window& window, bool channels_last, PoolingMode mode) {
  PoolingShape shape;
  shape.batch = Size(image.batch);
  shape.channels = Size(image.channels);
  shape.height = ToPoolingAxis(window.height);
  shape.width = ToPoolingAxis(window.width);
  shape.channels_last = channels_last;
  shape.mode = mode;
  return shape;
}

bool InBlocks(const TensorType& type) {
  return type.format == Format::kNc1hwc0 && type.dims.size() == 5;
}

// Each block of channels is an image with the channels last.
ImageDims BlocksAsImages(const Dims& d) {
  return {d[0] * d[1], d[4], d[2], d[3]};
}

// -1 is the whole extent.
Window WindowOf(const ImageDims& image, HeightWidth kernel, HeightWidth strides) {
  Window window;
  window.height.extent = image.height;
  window.width.extent = image.width;
  window.height.kernel = kernel.height == -1 ? image.height : kernel.height;
  window.width.kernel = kernel.width == -1 ? image.width : kernel.width;
  window.height.stride = strides.height;
  window.width.stride = strides.width;
  return window;
}

void DropOutside(WindowAxis& axis) {
  if (axis.out > 1 && (axis.out - 1) * axis.stride >= axis.extent + axis.pad_begin) --axis.out;
}

}  // namespace

void ResolvePooling(const OpContext& context, WindowAxis& axis, PadMode mode, bool ceil,
                    std::string_view what) {
  Resolve(context, axis, mode, ceil, what);
  if (context.node().Bool("last_starts_inside", false)) DropOutside(axis);
}

PoolingAxis ToPoolingAxis(const WindowAxis& axis) {
  return {.extent = Size(axis.extent),
          .kernel = Size(axis.kernel),
          .stride = Size(axis.stride),
          .dilation = Size(axis.dilation),
          .pad = Size(axis.pad_begin),
          .out = Size(axis.out),
          .padded = Size(axis.extent + axis.pad_begin + axis.pad_end)};
}

std::size_t DivisorOverride(const OpContext& context) {
  const std::int64_t divisor = context.node().Int("divisor_override", 0);
  if (divisor < 0 || divisor > kMostExtent)
    context.Refuse("divisor_override is {}; it must not be negative", divisor);
  return Size(divisor);
}

PoolingShape ShapeOfPooling(const OpContext& context, const TensorType& input, const PoolingWay& way) {
  const Node& node = context.node();
  const bool blocked = InBlocks(input);
  const bool last = !blocked && ChannelsLast(context, input, way.default_format);
  const ImageDims image =
      blocked ? BlocksAsImages(input.dims) : ImageDimsOf(context, input.dims, last, "the input");
  const bool global = node.Bool("global_pooling", false);
  const HeightWidth kernel =
      global ? HeightWidth{-1, -1} : SpatialEntries(context, "ksize", node.Ints("ksize"), last);
  const HeightWidth strides =
      global ? HeightWidth{1, 1} : SpatialEntries(context, "strides", node.Ints("strides"), last);
  const PadMode mode =
      global ? PadMode::kValid : PadModeOf(context, way.padding, node.Text(way.padding, "CALCULATED"));
  Window window = WindowOf(image, kernel, strides);
  if (mode == PadMode::kExplicit) SetPads(context, window, node.Ints("pads", {0, 0, 0, 0}));
  const bool ceil = node.Bool("ceil_mode", false);
  ResolvePooling(context, window.height, mode, ceil, "height");
  ResolvePooling(context, window.width, mode, ceil, "width");
  PoolingShape shape = ToShape(image, window, last || blocked, way.mode);
  shape.count_padding = !node.Bool("exclusive", true);
  shape.divisor = DivisorOverride(context);
  return shape;
}

PoolingShape ShapeOfCaffePooling(const OpContext& context, const TensorType& input) {
  const Node& node = context.node();
  const std::int64_t mode = node.Int("mode", 0);
  if (mode != 0 && mode != 1) context.Refuse("mode is {}; 0 is the maximum, 1 the average", mode);
  const bool last = ChannelsLast(context, input, "NCHW");
  const ImageDims image = ImageDimsOf(context, input.dims, last, "x");
  const bool global = node.Bool("global_pooling", false);
  const auto kernel = SpatialEntries(context, "window", node.Ints("window", {1, 1}), last);
  const auto strides = SpatialEntries(context, "stride", node.Ints("stride", {1, 1}), last);
  Window window =
      WindowOf(image, global ? HeightWidth{-1, -1} : kernel, global ? HeightWidth{1, 1} : strides);
  if (!global) SetPads(context, window, node.Ints("pad", {0, 0, 0, 0}));
  const bool ceil = node.Int("ceil_mode", 0) == 0;
  for (WindowAxis* axis : {&window.height, &window.width}) {
    Resolve(context, *axis, PadMode::kExplicit, ceil, axis == &window.height ? "height" : "width");
    DropOutside(*axis);
  }
  PoolingShape shape = ToShape(image, window, last, mode == 0 ? PoolingMode::kMax : PoolingMode::kAverage);
  shape.count_padding = true;
  return shape;
}

PoolingShape ShapeOfGlobalPooling(const OpContext& context, const TensorType& input, PoolingMode mode) {
  if (input.dims.size() < 2) context.Refuse("x is {}; it must have at least two dimensions", ToString(input));
  const bool blocked = InBlocks(input);
  const Dims& d = input.dims;
  const std::int64_t pixels = blocked ? d[2] * d[3] : ElementCount(Dims(d.begin() + 2, d.end()));
  ImageDims image{d[0], d[1], 1, pixels};
  if (blocked) image = {d[0] * d[1], d[4], 1, pixels};
  Window window = WindowOf(image, {-1, -1}, {1, 1});
  Resolve(context, window.height, PadMode::kValid, false, "height");
  Resolve(context, window.width, PadMode::kValid, false, "extent");
  return ToShape(image, window, blocked, mode);
}

Dims OutputDims(const PoolingShape& shape, const TensorType& input) {
  if (InBlocks(input))
    return {input.dims[0], input.dims[1], static_cast<std::int64_t>(shape.height.out),
            static_cast<std::int64_t>(shape.width.out), input.dims[4]};
  return OutputDims(shape);
}

Dims OutputDims(const PoolingShape& shape) {
  return ToDims(
      ImageDims{static_cast<std::int64_t>(shape.batch), static_cast<std::int64_t>(shape.channels),
                static_cast<std::int64_t>(shape.height.out), static_cast<std::int64_t>(shape.width.out)},
      shape.channels_last);
}

}  // namespace foothold
