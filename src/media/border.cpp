// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "media/border_index.h"
#include "media/convert.h"
#include "media/owned_picture.h"

namespace foothold::media {
namespace {

using PixelValue = std::array<std::uint8_t, 4>;

// Pixels of the plane that are there already.
struct Inside {
  std::uint32_t left, top, right, bottom;
};

// Where each place of a line comes from; -1 for the constant.
std::vector<std::int64_t> SourcesOf(std::uint32_t count, std::uint32_t begin, std::uint32_t end,
                                    BorderKind kind) {
  std::vector<std::int64_t> sources(count);
  for (std::uint32_t at = 0; at < count; ++at) {
    const std::int64_t inner = BorderIndex(std::int64_t{at} - begin, end - begin, kind);
    sources[at] = inner < 0 ? -1 : inner + begin;
  }
  return sources;
}

void FillPixel(std::uint8_t* row, std::uint32_t x, std::int64_t source, const PlaneView& plane,
               const PixelValue& value) {
  const std::uint32_t bytes = plane.pixel_bytes;
  const std::uint8_t* const from = source < 0 ? value.data() : row + static_cast<std::size_t>(source) * bytes;
  std::memcpy(row + std::size_t{x} * bytes, from, bytes);
}

void FillPlane(const PlaneView& plane, const Inside& inside, BorderKind kind, const PixelValue& value) {
  const auto columns = SourcesOf(plane.width, inside.left, inside.right, kind);
  const auto rows = SourcesOf(plane.height, inside.top, inside.bottom, kind);
  for (std::uint32_t y = inside.top; y < inside.bottom; ++y) {
    std::uint8_t* const row = plane.data + y * plane.row_step;
    for (std::uint32_t x = 0; x < plane.width; ++x)
      if (x < inside.left || x >= inside.right) FillPixel(row, x, columns[x], plane, value);
  }
  for (std::uint32_t y = 0; y < plane.height; ++y) {
    if (y >= inside.top && y < inside.bottom) continue;
    std::uint8_t* const row = plane.data + y * plane.row_step;
    if (rows[y] >= 0) {
      std::memcpy(row, plane.data + static_cast<std::size_t>(rows[y]) * plane.row_step,
                  std::size_t{plane.width} * plane.pixel_bytes);
    } else {
      for (std::uint32_t x = 0; x < plane.width; ++x)
        FillPixel(row, x, -1, plane, value);
    }
  }
}

PixelValue ValueOf(const FormatLayout& layout, int plane, const std::array<double, 4>& value) {
  PixelValue out{};
  for (std::uint32_t c = 0; c < layout.components; ++c) {
    const ComponentPlace& place = layout.component[c];
    if (place.plane == plane)
      out[place.first] = static_cast<std::uint8_t>(std::clamp(std::nearbyint(value[c]), 0., 255.));
  }
  return out;
}

void FillAround(const Picture& out, const Region& inner, BorderKind kind,
                const std::array<double, 4>& value) {
  const FormatLayout& layout = LayoutOf(out.format, "output");
  for (int plane = 0; plane < layout.planes; ++plane) {
    const PlaneView all = PlaneOf(out, plane), part = PlaneOf(out, plane, inner);
    const std::uint32_t left = inner.left >> layout.plane[plane].shift_x;
    const std::uint32_t top = inner.top >> layout.plane[plane].shift_y;
    FillPlane(all, {left, top, left + part.width, top + part.height}, kind, ValueOf(layout, plane, value));
  }
}

Region InnerOf(const Picture& out, const Border& border) {
  const bool fits = std::uint64_t{border.left} + border.right < out.width &&
                    std::uint64_t{border.top} + border.bottom < out.height;
  if (!fits)
    Fail(kInvalidParam,
         "borders of {} above, {} below, {} left and {} right leave nothing of an output of {} x {} pixels",
         border.top, border.bottom, border.left, border.right, out.width, out.height);
  return {border.left, border.top, out.width - border.left - border.right,
          out.height - border.top - border.bottom};
}

}  // namespace

void CropResizeMakeBorder(const Picture& in, const Region& crop, const Picture& out, const Border& border,
                          const TransformOptions& options) {
  Check(in, "input");
  Check(out, "output");
  const Region inner = InnerOf(out, border);
  const FormatLayout& from = LayoutOf(in.format, "input");
  const FormatLayout& to = LayoutOf(out.format, "output");
  if (to.IsPacked422()) {
    const OwnedPicture planes(PixelFormat::kYuv422Sp, out.width, out.height);
    CropResizeMakeBorder(in, crop, planes.picture(), border, options);
    return CropResizePaste(planes.picture(), WholeOf(out), out, WholeOf(out), options);
  }
  CropResizePaste(in, crop, out, inner, options);
  const bool both_yuv = from.model != ColorModel::kRgb && to.model != ColorModel::kRgb;
  const ColorCoefficients& by =
      options.coefficients != nullptr ? *options.coefficients : CoefficientsOf(options.matrix);
  const ColorModel given = both_yuv ? ColorModel::kYuv : ColorModel::kRgb;
  FillAround(out, inner, border.kind, ConvertValue(border.value, given, to.model, by));
}

void MakeBorder(const Picture& in, const Picture& out, const Border& border,
                const TransformOptions& options) {
  const Region inner = InnerOf(out, border);
  if (inner.width != in.width || inner.height != in.height)
    Fail(kInvalidParam, "an input of {} x {} pixels with its borders is no output of {} x {}", in.width,
         in.height, out.width, out.height);
  CropResizeMakeBorder(in, WholeOf(in), out, border, options);
}

}  // namespace foothold::media
