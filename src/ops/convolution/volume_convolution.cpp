// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/convolution/volume_convolution.h"

#include <algorithm>

#include "ops/convolution/convolution_rules.h"

namespace foothold {
namespace {

constexpr Format kDhwcn{31};                                    // the Graph Engine has it, AscendCL has not
constexpr std::int64_t kImageElements = std::int64_t{4} << 20;  // of images at a time, if one is not larger

std::size_t Size(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

void CheckFilter(const OpContext& context, const Dims& dims) {
  if (dims.size() != 5) context.Refuse("filter is {}; it must have five dimensions", ToString(dims));
  for (const std::int64_t dim : dims)
    if (dim < 0 || dim > kMostExtent)
      context.Refuse("filter has the dimension {}, which is out of range", dim);
  ElementCount(dims);
}

// A filter for fewer channels than there are means groups, even if nobody said so.
std::int64_t GroupsOf(const OpContext& context, std::int64_t channels, const VolumeFilter& filter) {
  std::int64_t groups = GroupsAttribute(context);
  if (groups == 1 && filter.in > 0 && channels != filter.in && channels % filter.in == 0)
    groups = channels / filter.in;
  if (channels % groups != 0 || channels / groups != filter.in || filter.out % groups != 0)
    context.Refuse("{} channels and a filter of {} input and {} output channels do not make {} groups",
                   channels, filter.in, filter.out, groups);
  return groups;
}

PadMode ModeOf(const OpContext& context) {
  const PadMode mode = PadModeOf(context, "padding", context.node().Text("padding", ""));
  if (mode != PadMode::kExplicit) return mode;
  return PadModeOf(context, "auto_pad", context.node().Text("auto_pad", ""));
}

VolumeWindow WindowOf(const OpContext& context, const VolumeDims& input, const VolumeFilter& filter,
                      bool last) {
  const Node& node = context.node();
  const Triple strides = VolumeEntries(context, "strides", node.Ints("strides"), last);
  const Triple dilations = VolumeEntries(context, "dilations", node.Ints("dilations", {1}), last);
  VolumeWindow window;
  for (std::size_t i = 0; i < 3; ++i) {
    window[i].extent = input.space[i];
    window[i].kernel = filter.space[i];
    window[i].stride = strides[i];
    window[i].dilation = dilations[i];
  }
  ResolveVolume(context, window, ModeOf(context), false);
  return window;
}

// How many positions along the depth are computed at a time: a divisor of all of them.
std::int64_t PositionsAtATime(std::int64_t positions, std::int64_t image_elements) {
  const std::int64_t fitting = kImageElements / std::max<std::int64_t>(1, image_elements);
  std::int64_t count = std::clamp<std::int64_t>(fitting, 1, std::max<std::int64_t>(1, positions));
  while (positions % count != 0)
    --count;
  return count;
}

ConvolutionShape ImagesOf(const VolumeDims& input, const VolumeFilter& filter, const VolumeWindow& window,
                          std::int64_t groups, bool last) {
  const auto& [depth, height, width] = window;
  const std::int64_t channels = input.channels * depth.kernel;
  const Dims image{channels, height.extent, width.extent};
  ByteSize({DataType::kDouble, Format::kNd, image});  // of any type here must fit
  const std::int64_t elements = ElementCount(image);
  return {.batch = Size(PositionsAtATime(depth.out, elements)),
          .channels = Size(channels),
          .height = Size(height.extent),
          .width = Size(width.extent),
          .out_channels = Size(filter.out),
          .out_height = Size(height.out),
          .out_width = Size(width.out),
          .kernel_height = Size(height.kernel),
          .kernel_width = Size(width.kernel),
          .stride_height = Size(height.stride),
          .stride_width = Size(width.stride),
          .dilation_height = Size(height.dilation),
          .dilation_width = Size(width.dilation),
          .pad_top = Size(height.pad_begin),
          .pad_left = Size(width.pad_begin),
          .groups = Size(groups),
          .channels_last = last};
}

}  // namespace

VolumeFilter VolumeFilterOf(const OpContext& context, const TensorType& type, bool channels_last) {
  CheckFilter(context, type.dims);
  const Dims& d = type.dims;
  const bool named = type.format == Format::kNcdhw || type.format == Format::kNdhwc || type.format == kDhwcn;
  const Format format = named ? type.format : channels_last ? kDhwcn : Format::kNcdhw;
  if (format == kDhwcn) return {d[4], d[3], {d[0], d[1], d[2]}, 1, d[4], d[3] * d[4]};
  if (format == Format::kNdhwc) return {d[0], d[4], {d[1], d[2], d[3]}, d[1] * d[2] * d[3] * d[4], 1, d[4]};
  const std::int64_t places = d[2] * d[3] * d[4];
  return {d[0], d[1], {d[2], d[3], d[4]}, d[1] * places, places, 1};
}

VolumeShape ShapeOfVolumeConvolution(const OpContext& context, const VolumeDims& input,
                                     const VolumeFilter& filter, bool channels_last) {
  for (const std::int64_t dim : ToDims(input, channels_last))
    if (dim < 0 || dim > kMostExtent) context.Refuse("x has the dimension {}, which is out of range", dim);
  const std::int64_t groups = GroupsOf(context, input.channels, filter);
  const VolumeWindow window = WindowOf(context, input, filter, channels_last);
  const WindowAxis& depth = window[0];
  return {.images = ImagesOf(input, filter, window, groups, channels_last),
          .batch = Size(input.batch),
          .depth = Size(depth.extent),
          .out_depth = Size(depth.out),
          .kernel_depth = Size(depth.kernel),
          .stride_depth = Size(depth.stride),
          .dilation_depth = Size(depth.dilation),
          .pad_front = Size(depth.pad_begin)};
}

VolumeDims OutputDims(const VolumeShape& shape) {
  const auto whole = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  return {whole(shape.batch),
          whole(shape.images.out_channels),
          {whole(shape.out_depth), whole(shape.images.out_height), whole(shape.images.out_width)}};
}

StridedCopy ArrangedFilter(const VolumeFilter& filter, std::size_t element_size) {
  const auto unit = static_cast<std::ptrdiff_t>(element_size);
  const std::ptrdiff_t area = filter.space[1] * filter.space[2];
  const std::ptrdiff_t slice = area * filter.in;
  return StridedCopy(element_size,
                     {{Size(filter.out), filter.out_stride * unit, slice * filter.space[0] * unit},
                      {Size(filter.space[0]), filter.place_stride * area * unit, slice * unit},
                      {Size(filter.in), filter.in_stride * unit, area * unit},
                      {Size(area), filter.place_stride * unit, unit}});
}

std::size_t ElementsOf(const VolumeFilter& filter) {
  return Size(filter.out) * Size(filter.in) * Size(filter.space[0]) * Size(filter.space[1]) *
         Size(filter.space[2]);
}

FilterStrides ArrangedStrides(const VolumeShape& shape) {
  const ConvolutionShape& images = shape.images;
  return {images.Depth(), images.KernelArea(), images.kernel_width, 1};
}

}  // namespace foothold
