// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Images and the windows that convolutions and pooling move over them: from formats and attributes to sizes.
// Used by rules; any thread. Everything that does not fit is refused, and what is returned is safe to compute
// with.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ops/op.h"

namespace foothold {

// Larger extents are refused, so that sums and products of two of them cannot overflow.
constexpr std::int64_t kMostExtent = std::int64_t{1} << 30;

// Four dimensions by meaning.
struct ImageDims {
  std::int64_t batch, channels, height, width;
};

// The format of the tensor decides; the attribute data_format (with this default) if the format does not say.
bool ChannelsLast(const OpContext& context, const TensorType& type, std::string_view default_format);
// Of a tensor that must have four dimensions; `what` names it in messages.
ImageDims ImageDimsOf(const OpContext& context, const Dims& dims, bool channels_last, std::string_view what);
Dims ToDims(const ImageDims& image, bool channels_last);

// Of a list in the layout's order, the entries for height and width. The others must be 1 (or are ignored
// where they are). Two entries are height and width, one stands for both.
struct HeightWidth {
  std::int64_t height, width;
};
HeightWidth SpatialEntries(const OpContext& context, std::string_view attribute,
                           const std::vector<std::int64_t>& list, bool channels_last);

enum class PadMode { kExplicit, kValid, kSameUpper, kSameLower };

// A window along one dimension. Fill in what comes before `out`; Resolve finds the rest.
struct WindowAxis {
  std::int64_t extent = 0;
  std::int64_t kernel = 1, stride = 1, dilation = 1;
  std::int64_t pad_begin = 0, pad_end = 0;
  std::int64_t out = 0;

  std::int64_t Reach() const { return dilation * (kernel - 1) + 1; }
};

// Checks the ranges, replaces the pads as the mode says, and computes how many positions there are; `ceil`
// counts a last one that reaches past explicit paddings.
void Resolve(const OpContext& context, WindowAxis& axis, PadMode mode, bool ceil, std::string_view what);

struct Window {
  WindowAxis height, width;
};

// Sets pads from [top, bottom, left, right].
void SetPads(const OpContext& context, Window& window, const std::vector<std::int64_t>& pads);

// SAME, VALID (TensorFlow); NOTSET, SAME_UPPER, SAME_LOWER (ONNX); EXPLICIT, CALCULATED. Refuses other texts.
PadMode PadModeOf(const OpContext& context, std::string_view attribute, const std::string& text);

}  // namespace foothold
