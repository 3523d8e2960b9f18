// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where an element of a resized axis lies in the original one, and what is taken from around there: the
// modes of ONNX's Resize. Used by rules; any thread.
#pragma once

#include <string>
#include <string_view>

#include "kernels/resample.h"
#include "ops/op.h"

namespace foothold {

struct ResizedAxis {
  std::size_t in = 0, out = 0;
  double asked = 0;                   // the length asked for, of which `out` is the whole part
  double roi_begin = 0, roi_end = 1;  // parts of the axis, for tf_crop_and_resize
};

enum class CoordinateMode {
  kHalfPixel,
  kHalfPixelSymmetric,
  kPytorchHalfPixel,
  kAlignCorners,
  kAsymmetric,
  kTfHalfPixelForNn,
  kTfCropAndResize,
};
enum class Interpolation { kNearest, kLinear, kCubic };
enum class NearestMode { kRoundPreferFloor, kRoundPreferCeil, kFloor, kCeil };

// The texts of ONNX; others are refused.
CoordinateMode CoordinateModeOf(const OpContext& context, const std::string& text);
Interpolation InterpolationOf(const OpContext& context, const std::string& text);
NearestMode NearestModeOf(const OpContext& context, const std::string& text);

double CoordinateOf(CoordinateMode mode, const ResizedAxis& axis, std::size_t i);
// The element nearest to a coordinate, inside the axis.
std::size_t NearestTo(NearestMode mode, double coordinate, std::size_t in);

// Elements outside the axis count as those at its edge, or not at all: then the other weights of a cubic are
// scaled up.
void AddLinearTaps(double coordinate, std::size_t in, Taps& taps);
void AddCubicTaps(double coordinate, std::size_t in, double a, bool exclude_outside, Taps& taps);

}  // namespace foothold
