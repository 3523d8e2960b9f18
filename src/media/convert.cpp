// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "media/convert.h"

#include <algorithm>
#include <cstring>

#include "base/thread_pool.h"
#include "kernels/color_rows.h"
#include "kernels/picture_rows.h"
#include "media/picture_lines.h"

namespace foothold::media {
namespace {

bool IsRgb(const FormatLayout& layout) {
  return layout.model == ColorModel::kRgb;
}

// From the model of one line to that of another.
class LineColors {
 public:
  LineColors(bool from_rgb, bool to_rgb, const ColorCoefficients& by, std::uint32_t width)
      : kind_(from_rgb == to_rgb ? kSame
              : to_rgb           ? kToRgb
                                 : kMix),
        width_(width),
        room_(3, width) {
    constexpr double kNone[3] = {};
    if (kind_ == kMix) mix_ = MakeColorMix(by.to_yuv.data(), kNone, by.rgb_bias.data());
    if (kind_ == kToRgb && !MakeYuvToRgb(by.to_rgb.data(), by.yuv_bias.data(), &to_rgb_)) {
      kind_ = kMix;
      mix_ = MakeColorMix(by.to_rgb.data(), by.yuv_bias.data(), kNone);
    }
  }

  // In place of the line's rows come rows of this object's, valid until the next call.
  void Apply(Line* line) {
    if (kind_ == kSame) return;
    std::uint8_t* const out[] = {room_.row(0), room_.row(1), room_.row(2)};
    if (kind_ == kToRgb) {
      YuvToRgbRow(to_rgb_, line->component[0], line->component[1], line->component[2], width_, out[0], out[1],
                  out[2]);
    } else {
      MixColorRow(mix_, line->component, width_, out);
    }
    std::copy(out, out + 3, line->component);
  }

 private:
  enum Kind { kSame, kToRgb, kMix } kind_;
  std::uint32_t width_;
  LineRoom room_;
  YuvToRgb to_rgb_{};
  ColorMix mix_{};
};

// A reader and its colours: what gives one line of the output.
struct LineSource {
  LineReader reader;
  LineColors colors;

  Line Get(std::uint32_t y) {
    Line line = reader.Read(y);
    colors.Apply(&line);
    return line;
  }
};

// Rows that a thread does at a time.
std::size_t GrainOf(std::uint32_t width, std::size_t steps) {
  constexpr std::size_t kWorthAThread = 40000;  // pixels
  const auto threads = static_cast<std::size_t>(ParallelThreads());
  const std::size_t even = (steps + 2 * threads - 1) / (2 * threads);
  return threads == 1 ? steps : std::max(kWorthAThread / (2 * std::size_t{width}) + 1, even);
}

// Lines in pairs that begin at even places of the output.
void ConvertByLines(const Picture& in, const Region& from, const Picture& out, const Region& to,
                    const ColorCoefficients& by) {
  const bool from_rgb = IsRgb(LayoutOf(in.format, "input")), to_rgb = IsRgb(LayoutOf(out.format, "output"));
  const std::uint32_t lead = to.top & 1;
  const std::uint32_t steps = (to.height + lead + 1) / 2;
  ParallelFor(steps, GrainOf(to.width, steps), [&](std::size_t begin, std::size_t end) {
    LineSource source[] = {{{in, from}, {from_rgb, to_rgb, by, to.width}},
                           {{in, from}, {from_rgb, to_rgb, by, to.width}}};
    LineWriter writer(out, to);
    for (auto step = static_cast<std::uint32_t>(begin); step < end; ++step) {
      const std::uint32_t first = step == 0 ? 0 : 2 * step - lead;
      const std::uint32_t behind = std::min(2 * step + 2 - lead, to.height);
      const Line top = source[0].Get(first);
      const bool two = behind - first == 2;
      const Line bottom = two ? source[1].Get(first + 1) : Line{};
      writer.Write(first, top, two ? &bottom : nullptr);
    }
  });
}

void CopyRows(const PlaneView& in, const PlaneView& out) {
  const std::uint32_t height = std::min(in.height, out.height);
  const std::size_t bytes = std::size_t{std::min(in.width, out.width)} * in.pixel_bytes;
  for (std::uint32_t y = 0; y < height; ++y)
    std::memcpy(out.data + y * out.row_step, in.data + y * in.row_step, bytes);
}

void SwapRows(const PlaneView& in, const PlaneView& out) {
  const std::uint32_t height = std::min(in.height, out.height), width = std::min(in.width, out.width);
  for (std::uint32_t y = 0; y < height; ++y)
    SwapPairs(in.data + y * in.row_step, width, out.data + y * out.row_step);
}

bool IsEven(const Region& region) {
  return ((region.left | region.top) & 1) == 0;
}

// Whole pairs of pixels, so that a pair is no part of ours and of others.
bool HasWholePairs(const Region& from, const Region& to) {
  return ((from.left | to.left | to.width) & 1) == 0;
}

bool SamePlanes(const FormatLayout& a, const FormatLayout& b) {
  return a.model == b.model && a.planes == 2 && b.planes == 2 && a.shift_x == b.shift_x &&
         a.shift_y == b.shift_y;
}

bool TryCopy(const Picture& in, const Region& from, const Picture& out, const Region& to) {
  const FormatLayout& layout = LayoutOf(in.format, "input");
  if (in.format != out.format || (layout.IsPacked422() && !HasWholePairs(from, to))) return false;
  for (int plane = 0; plane < layout.planes; ++plane)
    CopyRows(PlaneOf(in, plane, from), PlaneOf(out, plane, to));
  return true;
}

bool TrySwap(const Picture& in, const Region& from, const Picture& out, const Region& to) {
  if (!SamePlanes(LayoutOf(in.format, "input"), LayoutOf(out.format, "output"))) return false;
  CopyRows(PlaneOf(in, 0, from), PlaneOf(out, 0, to));
  SwapRows(PlaneOf(in, 1, from), PlaneOf(out, 1, to));
  return true;
}

// NV12 or NV21 to RGB888 or BGR888, the way of most pictures.
bool TryPairedRows(const Picture& in, const Region& from, const Picture& out, const Region& to,
                   const ColorCoefficients& coefficients) {
  using enum PixelFormat;
  YuvToRgb by;
  const bool fits = (in.format == kNv12 || in.format == kNv21) &&
                    (out.format == kRgb || out.format == kBgr) && IsEven(from) &&
                    MakeYuvToRgb(coefficients.to_rgb.data(), coefficients.yuv_bias.data(), &by);
  if (!fits) return false;
  const PlaneView luma = PlaneOf(in, 0, from), chroma = PlaneOf(in, 1, from), rgb = PlaneOf(out, 0, to);
  const std::size_t steps = chroma.height;
  ParallelFor(steps, GrainOf(to.width, steps), [&](std::size_t begin, std::size_t end) {
    for (std::size_t step = begin; step < end; ++step) {
      const std::uint8_t* const first = luma.data + 2 * step * luma.row_step;
      std::uint8_t* const first_out = rgb.data + 2 * step * rgb.row_step;
      const bool two = 2 * step + 1 < to.height;
      PairedRowsToRgb(by,
                      {first, two ? first + luma.row_step : nullptr, chroma.data + step * chroma.row_step,
                       first_out, two ? first_out + rgb.row_step : nullptr, to.width},
                      out.format == kBgr, in.format == kNv21);
    }
  });
  return true;
}

}  // namespace

void ConvertPart(const Picture& in, const Region& from, const Picture& out, const Region& to,
                 const ColorCoefficients& coefficients) {
  if (TryCopy(in, from, out, to) || TrySwap(in, from, out, to)) return;
  if (!TryPairedRows(in, from, out, to, coefficients)) ConvertByLines(in, from, out, to, coefficients);
}

std::array<double, 4> ConvertValue(const std::array<double, 4>& value, ColorModel from, ColorModel to,
                                   const ColorCoefficients& by) {
  const bool from_rgb = from == ColorModel::kRgb, to_rgb = to == ColorModel::kRgb;
  if (from_rgb == to_rgb) return value;
  std::array<double, 4> out = value;
  for (std::size_t row = 0; row < 3; ++row) {
    double sum = to_rgb ? 0 : by.rgb_bias[row];
    for (std::size_t column = 0; column < 3; ++column)
      sum += to_rgb ? by.to_rgb[3 * row + column] * (value[column] - by.yuv_bias[column])
                    : by.to_yuv[3 * row + column] * value[column];
    out[row] = sum;
  }
  return out;
}

}  // namespace foothold::media
