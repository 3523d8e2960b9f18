// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/window/window.h"

#include <algorithm>

namespace foothold {

bool ChannelsLast(const OpContext& context, const TensorType& type, std::string_view default_format) {
  if (type.dims.size() == 4 && type.format == Format::kNchw) return false;
  if (type.dims.size() == 4 && type.format == Format::kNhwc) return true;
  const std::string format = context.node().Text("data_format", default_format);
  if (format == "NCHW") return false;
  if (format == "NHWC") return true;
  context.Refuse("data_format is '{}'; NCHW and NHWC are possible", format);
}

ImageDims ImageDimsOf(const OpContext& context, const Dims& dims, bool channels_last, std::string_view what) {
  if (dims.size() != 4) context.Refuse("{} is {}; it must have four dimensions", what, ToString(dims));
  if (channels_last) return {dims[0], dims[3], dims[1], dims[2]};
  return {dims[0], dims[1], dims[2], dims[3]};
}

Dims ToDims(const ImageDims& image, bool channels_last) {
  if (channels_last) return {image.batch, image.height, image.width, image.channels};
  return {image.batch, image.channels, image.height, image.width};
}

HeightWidth SpatialEntries(const OpContext& context, std::string_view attribute,
                           const std::vector<std::int64_t>& list, bool channels_last) {
  if (list.size() == 1) return {list[0], list[0]};
  if (list.size() == 2) return {list[0], list[1]};
  if (list.size() != 4) context.Refuse("{} has {} entries; it must have four", attribute, list.size());
  const std::size_t row = channels_last ? 1 : 2;
  return {list[row], list[row + 1]};
}

namespace {

void CheckRange(const OpContext& context, std::string_view what, std::string_view name, std::int64_t value,
                std::int64_t least) {
  if (value < least || value > kMostExtent)
    context.Refuse("the {} of the {} is {}; it must be at least {} and at most 2^30", name, what, value,
                   least);
}

void SetSamePads(WindowAxis& axis, PadMode mode) {
  const std::int64_t out = (axis.extent + axis.stride - 1) / axis.stride;
  const std::int64_t total = std::max<std::int64_t>(0, (out - 1) * axis.stride + axis.Reach() - axis.extent);
  const std::int64_t smaller = total / 2;
  axis.pad_begin = mode == PadMode::kSameUpper ? smaller : total - smaller;
  axis.pad_end = total - axis.pad_begin;
}

}  // namespace

void Resolve(const OpContext& context, WindowAxis& axis, PadMode mode, bool ceil, std::string_view what) {
  CheckRange(context, what, "extent", axis.extent, 0);
  CheckRange(context, what, "window", axis.kernel, 1);
  CheckRange(context, what, "stride", axis.stride, 1);
  CheckRange(context, what, "dilation", axis.dilation, 1);
  if (mode == PadMode::kValid) axis.pad_begin = axis.pad_end = 0;
  if (mode == PadMode::kSameUpper || mode == PadMode::kSameLower) SetSamePads(axis, mode);
  if (mode == PadMode::kExplicit) {
    CheckRange(context, what, "padding", axis.pad_begin, 0);
    CheckRange(context, what, "padding", axis.pad_end, 0);
  }
  const std::int64_t free = axis.extent + axis.pad_begin + axis.pad_end - axis.Reach();
  if (free < 0)
    context.Refuse("a window of {} does not fit into a {} of {} with paddings {} and {}", axis.Reach(), what,
                   axis.extent, axis.pad_begin, axis.pad_end);
  axis.out = (free + (ceil && mode == PadMode::kExplicit ? axis.stride - 1 : 0)) / axis.stride + 1;
}

void SetPads(const OpContext& context, Window& window, const std::vector<std::int64_t>& pads) {
  if (pads.size() != 4)
    context.Refuse("pads has {} entries; it must have four: top, bottom, left, right", pads.size());
  window.height.pad_begin = pads[0];
  window.height.pad_end = pads[1];
  window.width.pad_begin = pads[2];
  window.width.pad_end = pads[3];
}

PadMode PadModeOf(const OpContext& context, std::string_view attribute, const std::string& text) {
  if (text == "SAME" || text == "SAME_UPPER") return PadMode::kSameUpper;
  if (text == "SAME_LOWER") return PadMode::kSameLower;
  if (text == "VALID") return PadMode::kValid;
  if (text.empty() || text == "NOTSET" || text == "EXPLICIT" || text == "CALCULATED")
    return PadMode::kExplicit;
  context.Refuse("{} is '{}'; SAME, VALID and explicit paddings are possible", attribute, text);
}

}  // namespace foothold
