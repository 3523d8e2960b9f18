// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ResizeBicubic and ResizeArea as TensorFlow defines them.
#include <algorithm>
#include <cmath>

#include "ops/data/rule_arguments.h"
#include "ops/op.h"
#include "ops/resize/coordinate_map.h"
#include "ops/resize/resample_kernel.h"
#include "ops/resize/resize_image.h"

namespace foothold {
namespace {

double ScaleOf(const PixelMap& map, ResizeSide side) {
  const auto from = static_cast<double>(side.from), to = static_cast<double>(side.to);
  return map.align_corners && side.to > 1 ? (from - 1) / (to - 1) : from / to;
}

// With half-pixel centres the kernel is that of Keys and leaves out what is outside; the older form is
// steeper and repeats the edge.
Taps CubicTaps(const PixelMap& map, ResizeSide side) {
  Taps taps;
  const double scale = ScaleOf(map, side);
  for (std::int64_t i = 0; i < side.to; ++i) {
    const auto at = static_cast<double>(i);
    const double coordinate = map.half_pixels ? (at + 0.5) * scale - 0.5 : at * scale;
    AddCubicTaps(coordinate, static_cast<std::size_t>(side.from), map.half_pixels ? -0.5 : -0.75,
                 map.half_pixels, taps);
    taps.EndResult();
  }
  return taps;
}

// Every result is the mean of the stretch it covers.
Taps AreaTaps(const PixelMap& map, ResizeSide side) {
  Taps taps;
  const double scale = ScaleOf(map, side);
  for (std::int64_t i = 0; i < side.to; ++i) {
    const double begin = static_cast<double>(i) * scale, end = static_cast<double>(i + 1) * scale;
    if (scale == 0) taps.Add(static_cast<std::size_t>(begin), 1);
    for (double cell = std::floor(begin); cell < end; ++cell) {
      const double covered = std::min(cell + 1, end) - std::max(cell, begin);
      const double inside = std::min(cell, static_cast<double>(side.from - 1));
      if (covered > 0) taps.Add(static_cast<std::size_t>(inside), covered / scale);
    }
    taps.EndResult();
  }
  return taps;
}

using MakeTaps = Taps (*)(const PixelMap&, ResizeSide);

void InferResize(OpContext& context) {
  ReadPixelMap(context);
  const DataType type = TypeAttribute(context, "dtype", DataType::kFloat);
  if (type != DataType::kFloat && type != DataType::kUint8)
    context.Refuse("attribute 'dtype' is {}, expected float or uint8", DataTypeName(type));
  context.SetOut(0, type, ResizedDims(ReadResize(context)), context.In(0).format);
}

std::unique_ptr<Kernel> LowerResize(OpContext& context, MakeTaps make) {
  const ResizeImage image = ReadResize(context);
  const PixelMap map = ReadPixelMap(context);
  Ignore(context, {"size"});
  const std::size_t row = image.channels_last ? 1 : 2;
  std::vector<AxisResize> axes;
  axes.push_back({row, make(map, image.height), {}});
  axes.push_back({row + 1, make(map, image.width), {}});
  return LowerResample(context, std::move(axes));
}

OpDef ResizeOp(const char* type, MakeTaps make) {
  return OpDef(type)
      .Infer(InferResize)
      .Lower([make](OpContext& context) { return LowerResize(context, make); })
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kDouble, DataType::kInt8, DataType::kUint8,
              DataType::kInt16, DataType::kUint16, DataType::kInt32, DataType::kInt64});
}

const RegisterOp resize({ResizeOp("ResizeBicubic", CubicTaps), ResizeOp("ResizeArea", AreaTaps)});

}  // namespace
}  // namespace foothold
