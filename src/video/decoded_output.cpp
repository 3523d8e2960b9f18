// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "video/decoded_output.h"

#include <algorithm>

#include "base/error.h"
#include "codecs/planes.h"

namespace foothold::video {
namespace {

using media::Picture;
using media::PixelFormat;

constexpr std::uint32_t kRowPixels = 16;
constexpr std::uint32_t kShortestRow = 32;

std::uint32_t Up(std::uint32_t value, std::uint32_t step) {
  return (value + step - 1) / step * step;
}

bool IsPaired(PixelFormat format) {
  return format == PixelFormat::kNv12 || format == PixelFormat::kNv21;
}

PairedPicture Paired(const Picture& picture) {
  return {picture.data, picture.data + std::size_t{picture.width_stride} * picture.height_stride,
          picture.width_stride, picture.format == PixelFormat::kNv21};
}

}  // namespace

Picture PlanOutput(const Picture& asked, std::uint32_t width, std::uint32_t height) {
  const int set =
      (asked.width != 0) + (asked.height != 0) + (asked.width_stride != 0) + (asked.height_stride != 0);
  if (set == 4) return asked;
  if (set != 0)
    Fail(kInvalidParam,
         "the output must have all of width, height, widthStride and heightStride, or none of them; found {} "
         "x {} "
         "with strides {} x {}",
         asked.width, asked.height, asked.width_stride, asked.height_stride);
  Picture planned = asked;
  planned.width = width;
  planned.height = height;
  planned.height_stride = Up(height, 2);
  const std::uint32_t pixels = std::max(Up(width, kRowPixels), kShortestRow);
  planned.width_stride = static_cast<std::uint32_t>(media::RowBytes(asked.format, pixels));
  if (media::RequiredBytes(asked.format, planned.width_stride, planned.height_stride) > asked.bytes)
    planned.width_stride = static_cast<std::uint32_t>(media::RowBytes(asked.format, width));
  return planned;
}

void WriteOutput(const DecodedPicture& picture, const Picture& out, const media::TransformOptions& options,
                 std::vector<std::uint8_t>& scratch) {
  media::Check(out, "output");
  if (IsPaired(out.format) && out.width == picture.width && out.height == picture.height)
    return CopyToPairs(picture, Paired(out));
  scratch.resize(media::TightBytes(PixelFormat::kNv12, picture.width, picture.height));
  const Picture whole =
      media::TightPicture(PixelFormat::kNv12, picture.width, picture.height, scratch.data());
  CopyToPairs(picture, Paired(whole));
  media::Resize(whole, out, options);
}

}  // namespace foothold::video
