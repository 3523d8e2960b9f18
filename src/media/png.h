// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// PNG files in memory. The header is read by code of our own; samples are decoded by libpng, which is loaded
// when first needed. Palettes are expanded, 16 bits become 8, interlaced files are put together, alpha is
// dropped where the output has none. Fails with 100000 for what is no PNG or not decodable, with 200001
// without the library. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "media/picture.h"

namespace foothold::media {

// By the number in the file.
enum class PngColor : std::uint8_t { kGray = 0, kRgb = 2, kPalette = 3, kGrayAlpha = 4, kRgba = 6 };

struct PngInfo {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::int32_t components = 0;  // 1..4; 3 for a palette
  PngColor color = PngColor::kRgb;
  std::uint32_t bit_depth = 8;
};

PngInfo ReadPngInfo(const std::uint8_t* data, std::size_t size);
// RGB888 or RGBA8888: itself, or by the colours of the file for kUnknown. Fails for other formats.
PixelFormat PngOutputFormat(const PngInfo& info, PixelFormat asked);
std::uint64_t PredictPngDecodeBytes(const PngInfo& info, PixelFormat asked);

// Like DecodeJpeg: what `out` leaves open is filled in (strides: 128 pixels x 16 rows); answers the picture
// as it was written.
Picture DecodePng(const std::uint8_t* data, std::size_t size, const Picture& out);
Picture PlanPngDecode(const PngInfo& info, const Picture& out);

}  // namespace foothold::media
