// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The preparation of pictures by its definition, pixel by pixel and in double, for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "ops/aipp/settings.h"

namespace foothold {

using Bytes8 = std::vector<std::uint8_t>;

struct PlainPixel {
  double c[4] = {};
};

inline PlainPixel PixelOf(const AippSettings& s, const std::uint8_t* p, std::int64_t x, std::int64_t y) {
  const std::int64_t w = s.src_image_size_w, h = s.src_image_size_h, at = y * w + x;
  const auto pixel = [](double a, double b = 0, double c = 0, double d = 0) {
    return PlainPixel{{a, b, c, d}};
  };
  switch (s.input_format) {
    case AippFormat::kYuv420sp:
      return pixel(p[at], p[w * h + y / 2 * w + x / 2 * 2], p[w * h + y / 2 * w + x / 2 * 2 + 1]);
    case AippFormat::kYuv422sp:
      return pixel(p[at], p[w * h + y * w + x / 2 * 2], p[w * h + y * w + x / 2 * 2 + 1]);
    case AippFormat::kYuyv:
      return pixel(p[2 * at], p[(y * w + x / 2 * 2) * 2 + 1], p[(y * w + x / 2 * 2) * 2 + 3]);
    case AippFormat::kYuv400:
      return pixel(p[at]);
    case AippFormat::kRgb888:
      return pixel(p[3 * at], p[3 * at + 1], p[3 * at + 2]);
    default:
      return pixel(p[4 * at], p[4 * at + 1], p[4 * at + 2], p[4 * at + 3]);
  }
}

inline bool PlainIsYuv(AippFormat format) {
  return format != AippFormat::kRgb888 && format != AippFormat::kXrgb8888 && format != AippFormat::kArgb8888;
}

inline void PlainRecolour(const AippSettings& s, PlainPixel& p) {
  const bool four = s.input_format == AippFormat::kXrgb8888 || s.input_format == AippFormat::kArgb8888 ||
                    s.input_format == AippFormat::kAyuv444;
  const bool yuv = PlainIsYuv(s.input_format);
  if (s.ax_swap_switch && four) std::rotate(p.c, p.c + 1, p.c + 4);
  if (s.rbuv_swap_switch && s.input_format != AippFormat::kYuv400) std::swap(p.c[yuv ? 1 : 0], p.c[2]);
  if (!s.csc_switch) return;
  const PlainPixel from = p;
  for (int r = 0; r < 3; ++r) {
    double sum = 0;
    for (int k = 0; k < 3; ++k)
      sum += static_cast<double>(s.matrix[3 * r + k]) *
             (from.c[k] - (yuv ? static_cast<double>(s.input_bias[k]) : 0));
    p.c[r] =
        std::clamp(std::floor(sum / 256) + (yuv ? 0 : static_cast<double>(s.output_bias[r])), 0.0, 255.0);
  }
}

// One picture in planes, or with channels last; settings are complete.
inline std::vector<double> PlainAipp(const AippSettings& s, const std::uint8_t* picture,
                                     std::int64_t channels, std::int64_t height, std::int64_t width,
                                     bool last, bool normalise) {
  std::vector<double> out(static_cast<std::size_t>(channels * height * width));
  const std::int64_t left = s.padding ? s.left_padding_size : 0, top = s.padding ? s.top_padding_size : 0;
  const std::int64_t right = s.padding ? s.right_padding_size : 0,
                     bottom = s.padding ? s.bottom_padding_size : 0;
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x)
      for (std::int64_t k = 0; k < channels; ++k) {
        double value = s.padding_value;
        if (x >= left && x < width - right && y >= top && y < height - bottom) {
          PlainPixel pixel = PixelOf(s, picture, x - left + (s.crop ? s.load_start_pos_w : 0),
                                     y - top + (s.crop ? s.load_start_pos_h : 0));
          PlainRecolour(s, pixel);
          const auto at = static_cast<std::size_t>(k);
          value = normalise ? (pixel.c[k] - static_cast<double>(s.mean_chn[at]) - s.min_chn[at]) *
                                  s.var_reci_chn[at]
                            : pixel.c[k];
        }
        out[static_cast<std::size_t>(last ? (y * width + x) * channels + k : (k * height + y) * width + x)] =
            value;
      }
  return out;
}

// Bytes that look like nothing, the same every time.
inline Bytes8 SomeBytes(std::size_t count, unsigned seed) {
  Bytes8 bytes(count);
  for (std::uint8_t& byte : bytes)
    byte = static_cast<std::uint8_t>((seed = seed * 1664525u + 1013904223u) >> 24);
  return bytes;
}

}  // namespace foothold
