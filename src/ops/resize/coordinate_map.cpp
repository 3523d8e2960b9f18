// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/resize/coordinate_map.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace foothold {
namespace {

template <typename Mode>
struct NamedMode {
  const char* name;
  Mode mode;
};

template <typename Mode, std::size_t kCount>
Mode Find(const OpContext& context, const char* attribute, const std::string& text,
          const NamedMode<Mode> (&modes)[kCount]) {
  for (const NamedMode<Mode>& each : modes)
    if (text == each.name) return each.mode;
  context.Refuse("attribute '{}' is '{}', which is none of its values", attribute, text);
}

// The place of an index that may be outside.
std::size_t Inside(double index, std::size_t in) {
  return static_cast<std::size_t>(std::clamp(index, 0.0, static_cast<double>(in - 1)));
}

double CubicWeight(double distance, double a) {
  const double x = std::abs(distance);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

}  // namespace

CoordinateMode CoordinateModeOf(const OpContext& context, const std::string& text) {
  static constexpr NamedMode<CoordinateMode> kModes[] = {
      {"half_pixel", CoordinateMode::kHalfPixel},
      {"half_pixel_symmetric", CoordinateMode::kHalfPixelSymmetric},
      {"pytorch_half_pixel", CoordinateMode::kPytorchHalfPixel},
      {"align_corners", CoordinateMode::kAlignCorners},
      {"asymmetric", CoordinateMode::kAsymmetric},
      {"tf_half_pixel_for_nn", CoordinateMode::kTfHalfPixelForNn},
      {"tf_crop_and_resize", CoordinateMode::kTfCropAndResize}};
  return Find(context, "coordinate_transformation_mode", text, kModes);
}

Interpolation InterpolationOf(const OpContext& context, const std::string& text) {
  static constexpr NamedMode<Interpolation> kModes[] = {{"nearest", Interpolation::kNearest},
                                                        {"linear", Interpolation::kLinear},
                                                        {"bilinear", Interpolation::kLinear},
                                                        {"cubic", Interpolation::kCubic}};
  return Find(context, "mode", text, kModes);
}

NearestMode NearestModeOf(const OpContext& context, const std::string& text) {
  static constexpr NamedMode<NearestMode> kModes[] = {{"round_prefer_floor", NearestMode::kRoundPreferFloor},
                                                      {"round_prefer_ceil", NearestMode::kRoundPreferCeil},
                                                      {"floor", NearestMode::kFloor},
                                                      {"ceil", NearestMode::kCeil}};
  return Find(context, "nearest_mode", text, kModes);
}

double CoordinateOf(CoordinateMode mode, const ResizedAxis& axis, std::size_t i) {
  const auto at = static_cast<double>(i), in = static_cast<double>(axis.in);
  const double asked = axis.asked;
  const double half_pixel = (at + 0.5) * in / asked - 0.5;
  switch (mode) {
    case CoordinateMode::kHalfPixelSymmetric:
      return half_pixel + in / 2 * (1 - static_cast<double>(axis.out) / asked);
    case CoordinateMode::kPytorchHalfPixel:
      return axis.out > 1 ? half_pixel : 0;
    case CoordinateMode::kAlignCorners:
      return axis.out > 1 ? at * (in - 1) / (asked - 1) : 0;
    case CoordinateMode::kAsymmetric:
      return at * in / asked;
    case CoordinateMode::kTfHalfPixelForNn:
      return (at + 0.5) * in / asked;
    case CoordinateMode::kTfCropAndResize:
      if (axis.out <= 1) return (axis.roi_begin + axis.roi_end) * (in - 1) / 2;
      return axis.roi_begin * (in - 1) + at * (axis.roi_end - axis.roi_begin) * (in - 1) / (asked - 1);
    default:
      return half_pixel;
  }
}

std::size_t NearestTo(NearestMode mode, double coordinate, std::size_t in) {
  switch (mode) {
    case NearestMode::kRoundPreferFloor:
      return Inside(std::ceil(coordinate - 0.5), in);
    case NearestMode::kRoundPreferCeil:
      return Inside(std::floor(coordinate + 0.5), in);
    case NearestMode::kFloor:
      return Inside(std::floor(coordinate), in);
    default:
      return Inside(std::ceil(coordinate), in);
  }
}

void AddLinearTaps(double coordinate, std::size_t in, Taps& taps) {
  const double low = std::floor(coordinate), share = coordinate - low;
  taps.Add(Inside(low, in), 1 - share);
  if (share > 0) taps.Add(Inside(low + 1, in), share);
}

void AddCubicTaps(double coordinate, std::size_t in, double a, bool exclude_outside, Taps& taps) {
  const double low = std::floor(coordinate);
  std::array<double, 4> weights;
  double sum = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double index = low - 1 + static_cast<double>(i);
    const bool outside = index < 0 || index > static_cast<double>(in - 1);
    weights[i] = exclude_outside && outside ? 0 : CubicWeight(coordinate - index, a);
    sum += weights[i];
  }
  const double scale = exclude_outside && sum != 0 ? 1 / sum : 1;
  for (std::size_t i = 0; i < 4; ++i)
    if (weights[i] != 0) taps.Add(Inside(low - 1 + static_cast<double>(i), in), weights[i] * scale);
}

}  // namespace foothold
