// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/aipp/geometry.h"

#include <algorithm>

#include "base/error.h"
#include "kernels/half_float.h"

namespace foothold {
namespace {

// Larger ones are refused, so that products of sizes cannot overflow.
constexpr std::size_t kMostSide = std::size_t{1} << 20;

std::size_t Size(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

// The hardware has these in half precision.
float AsHalf(double value) {
  return FloatFromFloat16(Float16FromFloat(static_cast<float>(value)));
}

void SetCrop(const AippSettings& s, AippPicture& p) {
  p.crop_width = p.width;
  p.crop_height = p.height;
  if (!s.crop) return;
  p.left = Size(s.load_start_pos_w);
  p.top = Size(s.load_start_pos_h);
  p.crop_width = Size(s.crop_size_w);
  p.crop_height = Size(s.crop_size_h);
}

void SetPadding(const AippSettings& s, AippPicture& p) {
  if (!s.padding) return;
  p.pad_left = Size(s.left_padding_size);
  p.pad_right = Size(s.right_padding_size);
  p.pad_top = Size(s.top_padding_size);
  p.pad_bottom = Size(s.bottom_padding_size);
  p.padding = static_cast<float>(s.padding_value);
}

void SetColours(const AippSettings& s, AippPicture& p) {
  p.swaps_colours = s.rbuv_swap_switch;
  p.first_is_last = s.ax_swap_switch;
  p.converts = s.csc_switch;
  for (std::size_t i = 0; i < 9; ++i)
    p.colours.matrix[i] = static_cast<std::int16_t>(s.matrix[i]);
  const bool yuv = IsYuv(p.format);
  for (std::size_t i = 0; i < 3; ++i) {
    p.colours.before[i] = static_cast<std::uint8_t>(yuv ? s.input_bias[i] : 0);
    p.colours.after[i] = static_cast<std::uint8_t>(yuv ? 0 : s.output_bias[i]);
  }
  for (std::size_t i = 0; i < 4; ++i) {
    p.scale.mean[i] = static_cast<float>(s.mean_chn[i]);
    p.scale.min[i] = AsHalf(s.min_chn[i]);
    p.scale.factor[i] = AsHalf(s.var_reci_chn[i]);
  }
}

void CheckSource(const AippPicture& p) {
  if (p.width < 1 || p.height < 1 || p.width > kMostSide || p.height > kMostSide)
    Fail(kInvalidParam, "the source is {} x {} pixels; expected 1 to {} each", p.width, p.height, kMostSide);
  const bool even_width =
      p.format == AippFormat::kYuv420sp || p.format == AippFormat::kYuv422sp || p.format == AippFormat::kYuyv;
  const bool even_height = p.format == AippFormat::kYuv420sp;
  if ((even_width && p.width % 2 != 0) || (even_height && p.height % 2 != 0))
    Fail(kInvalidParam, "the source is {} x {} pixels; {} has an even width{}", p.width, p.height,
         NameOf(p.format), even_height ? " and height" : "");
  if (p.format == AippFormat::kYuv420sp && (p.left % 2 != 0 || p.top % 2 != 0))
    Fail(kInvalidParam, "the crop begins at {}, {}; that of {} begins at even numbers", p.left, p.top,
         NameOf(p.format));
}

}  // namespace

AippSettings Complete(const AippSettings& settings, AippSize network) {
  AippSettings s = settings;
  if ((s.src_image_size_w == 0 || s.src_image_size_h == 0) && (s.crop || s.padding))
    Fail(kInvalidParam,
         "src_image_size_w and src_image_size_h are {} and {}; {} needs the size of the source",
         s.src_image_size_w, s.src_image_size_h, s.crop ? "crop" : "padding");
  if (s.crop && s.padding && (s.crop_size_w == 0 || s.crop_size_h == 0))
    Fail(kInvalidParam, "crop_size_w and crop_size_h are {} and {}; with padding both have to be given",
         s.crop_size_w, s.crop_size_h);
  const auto fill = [](std::int64_t& size, std::int64_t of_network) {
    if (size == 0 && of_network > 0) size = of_network;
  };
  fill(s.src_image_size_w, network.width);
  fill(s.src_image_size_h, network.height);
  if (s.crop) fill(s.crop_size_w, network.width);
  if (s.crop) fill(s.crop_size_h, network.height);
  return s;
}

AippPicture PictureOf(const AippSettings& s, AippSize source) {
  AippPicture p;
  p.format = s.input_format;
  p.width = Size(std::max<std::int64_t>(source.width, 0));
  p.height = Size(std::max<std::int64_t>(source.height, 0));
  SetCrop(s, p);
  p.scaled_width = p.crop_width;
  p.scaled_height = p.crop_height;
  SetPadding(s, p);
  SetColours(s, p);
  CheckPicture(p);
  return p;
}

void CheckPicture(const AippPicture& p) {
  CheckSource(p);
  if (p.crop_width < 1 || p.crop_height < 1 || p.left > p.width || p.crop_width > p.width - p.left ||
      p.top > p.height || p.crop_height > p.height - p.top)
    Fail(kInvalidParam, "the crop of {} x {} pixels from {}, {} on is not inside the source of {} x {}",
         p.crop_width, p.crop_height, p.left, p.top, p.width, p.height);
  if (p.converts && p.format == AippFormat::kYuv400)
    Fail(kInvalidParam, "csc_switch is on, and {} has no colours to convert", NameOf(p.format));
}

void CheckFits(const AippPicture& p, AippSize network, std::int64_t channels) {
  if (p.OutWidth() != Size(network.width) || p.OutHeight() != Size(network.height))
    Fail(kInvalidParam,
         "pictures of {} x {} pixels become {} x {} (crop {} x {}, resized {} x {}, padding {} + {}, {} + "
         "{}); "
         "the input of the network is {} wide and {} high",
         p.width, p.height, p.OutWidth(), p.OutHeight(), p.crop_width, p.crop_height, p.scaled_width,
         p.scaled_height, p.pad_left, p.pad_right, p.pad_top, p.pad_bottom, network.width, network.height);
  if (channels < 1 || Size(channels) > ChannelsOf(p.format))
    Fail(kInvalidParam, "the input of the network has {} channels; {} has {}", channels, NameOf(p.format),
         ChannelsOf(p.format));
}

}  // namespace foothold
