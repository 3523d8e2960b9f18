// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/pooling.h"

#include "kernels/convolution_shape.h"

#ifndef FOOTHOLD_KERNEL_BATCH  // which is compiled for all targets as a whole
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/pooling.cpp"
#endif
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "kernels/vector_math-inl.h"

#ifndef FOOTHOLD_KERNELS_POOLING_STRIP
#define FOOTHOLD_KERNELS_POOLING_STRIP
namespace foothold {
namespace {
constexpr std::size_t kStrip = 512;       // columns of a plane that are combined at a time
constexpr std::size_t kWideStrip = 4096;  // elements of rows with channels last

bool CoversPlane(const PoolingAxis& axis) {
  return axis.out == 1 && axis.kernel == axis.extent && axis.pad == 0 && axis.dilation == 1;
}
}  // namespace
}  // namespace foothold
#endif

HWY_BEFORE_NAMESPACE();
namespace foothold {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;

template <PoolingMode kMode>
HWY_INLINE hn::Vec<Floats> Combine(hn::Vec<Floats> a, hn::Vec<Floats> b) {
  if constexpr (kMode == PoolingMode::kAverage) return hn::Add(a, b);
  return hn::IfThenElse(hn::IsNaN(a), a, MaxOrSecond(a, b));
}

template <PoolingMode kMode>
float CombineOne(float a, float b) {
  return kMode == PoolingMode::kAverage ? a + b : MaxOrNaN(a, b);
}

template <PoolingMode kMode>
HWY_INLINE float StartOf() {
  return kMode == PoolingMode::kAverage ? 0.0f : LowestOf<float>();
}

// to[i] = to[i] ⊕ from[i]
template <PoolingMode kMode>
void CombineInto(const float* from, std::size_t count, float* to) {
  const Floats d;
  std::size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d))
    hn::StoreU(Combine<kMode>(hn::LoadU(d, to + i), hn::LoadU(d, from + i)), d, to + i);
  for (; i < count; ++i)
    to[i] = CombineOne<kMode>(to[i], from[i]);
}

// A window as large as the plane.
template <PoolingMode kMode>
float WholePlane(const float* plane, std::size_t count) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  auto a = hn::Set(d, StartOf<kMode>()), b = a;
  std::size_t i = 0;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    a = Combine<kMode>(a, hn::LoadU(d, plane + i));
    b = Combine<kMode>(b, hn::LoadU(d, plane + i + lanes));
  }
  HWY_ALIGN float parts[hn::MaxLanes(Floats())];
  hn::Store(Combine<kMode>(a, b), d, parts);
  float result = StartOf<kMode>();
  for (std::size_t lane = 0; lane < lanes; ++lane)
    result = CombineOne<kMode>(result, parts[lane]);
  for (; i < count; ++i)
    result = CombineOne<kMode>(result, plane[i]);
  return result;
}

// First down the columns of a strip of the plane, which goes by vectors, then along its one row.
template <PoolingMode kMode>
void PlaneRow(const PoolingShape& s, const float* plane, std::size_t row, float* out) {
  HWY_ALIGN float strip[kStrip];
  const PoolingSpan rows = SpanOf(s.height, row);
  std::size_t begin = 0, end = 0;  // of the columns in the strip
  for (std::size_t column = 0; column < s.width.out; ++column) {
    const PoolingSpan span = SpanOf(s.width, column);
    const std::size_t taps = span.end - span.begin;
    const std::size_t past = taps == 0 ? span.first : span.first + (taps - 1) * s.width.dilation + 1;
    if (past > end && taps > 0) {
      begin = span.first;
      end = std::min(s.width.extent, begin + kStrip);
      std::fill_n(strip, end - begin, StartOf<kMode>());
      for (std::size_t y = 0; y < rows.end - rows.begin; ++y)
        CombineInto<kMode>(plane + (rows.first + y * s.height.dilation) * s.width.extent + begin, end - begin,
                           strip);
    }
    float value = StartOf<kMode>();
    for (std::size_t x = 0; x < taps; ++x)
      value = CombineOne<kMode>(value, strip[span.first + x * s.width.dilation - begin]);
    out[column] = kMode == PoolingMode::kMax ? value : value / static_cast<float>(DivisorOf(s, rows, span));
  }
}

template <PoolingMode kMode>
void PixelOf(const PoolingShape& s, const float* image, std::size_t row, std::size_t column, float* out) {
  const PoolingSpan rows = SpanOf(s.height, row), columns = SpanOf(s.width, column);
  std::fill_n(out, s.channels, StartOf<kMode>());
  ForEachInside(s, rows, columns, [&](std::size_t i) { CombineInto<kMode>(image + i, s.channels, out); });
  if (kMode == PoolingMode::kMax) return;
  const auto divisor = static_cast<float>(DivisorOf(s, rows, columns));
  for (std::size_t c = 0; c < s.channels; ++c)
    out[c] /= divisor;
}

// to[i] = the combination of rows[i], rows[i + step], ...
template <PoolingMode kMode>
void CombineRows(const float* rows, std::size_t step, std::size_t count, std::size_t length, float* to) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + 4 * lanes <= length; i += 4 * lanes) {
    auto a = hn::Set(d, StartOf<kMode>()), b = a, c = a, e = a;
    for (std::size_t y = 0; y < count; ++y) {
      const float* from = rows + y * step + i;
      a = Combine<kMode>(a, hn::LoadU(d, from));
      b = Combine<kMode>(b, hn::LoadU(d, from + lanes));
      c = Combine<kMode>(c, hn::LoadU(d, from + 2 * lanes));
      e = Combine<kMode>(e, hn::LoadU(d, from + 3 * lanes));
    }
    hn::StoreU(a, d, to + i);
    hn::StoreU(b, d, to + i + lanes);
    hn::StoreU(c, d, to + i + 2 * lanes);
    hn::StoreU(e, d, to + i + 3 * lanes);
  }
  std::fill(to + i, to + length, StartOf<kMode>());
  for (std::size_t y = 0; y < count; ++y)
    CombineInto<kMode>(rows + y * step + i, length - i, to + i);
}

// One pixel of one vector from all pixels of an image: four sums, so that none waits for the one before.
template <PoolingMode kMode>
void WholeImage(const PoolingShape& s, const float* image, float* out) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d), pixels = s.Pixels();
  auto a = hn::Set(d, StartOf<kMode>()), b = a, c = a, e = a;
  std::size_t i = 0;
  for (; i + 4 <= pixels; i += 4, image += 4 * lanes) {
    a = Combine<kMode>(a, hn::LoadU(d, image));
    b = Combine<kMode>(b, hn::LoadU(d, image + lanes));
    c = Combine<kMode>(c, hn::LoadU(d, image + 2 * lanes));
    e = Combine<kMode>(e, hn::LoadU(d, image + 3 * lanes));
  }
  for (; i < pixels; ++i, image += lanes)
    a = Combine<kMode>(a, hn::LoadU(d, image));
  auto value = Combine<kMode>(Combine<kMode>(a, b), Combine<kMode>(c, e));
  if (kMode == PoolingMode::kAverage)
    value =
        hn::Div(value, hn::Set(d, static_cast<float>(DivisorOf(s, SpanOf(s.height, 0), SpanOf(s.width, 0)))));
  hn::StoreU(value, d, out);
}

// A pixel of the output from a row of the input in which the rows of its window are combined.
template <PoolingMode kMode>
HWY_INLINE void AlongRow(const PoolingShape& s, const float* strip, std::size_t first, std::size_t taps,
                         float* out) {
  const Floats d;
  const std::size_t lanes = hn::Lanes(d), step = s.width.dilation * s.channels;
  for (std::size_t c = 0; c + lanes <= s.channels; c += lanes) {
    const float* from = strip + first * s.channels + c;
    auto value = hn::Set(d, StartOf<kMode>());
    for (std::size_t x = 0; x < taps; ++x)
      value = Combine<kMode>(value, hn::LoadU(d, from + x * step));
    hn::StoreU(value, d, out + c);
  }
  for (std::size_t c = s.channels / lanes * lanes; c < s.channels; ++c) {
    out[c] = StartOf<kMode>();
    for (std::size_t x = 0; x < taps; ++x)
      out[c] = CombineOne<kMode>(out[c], strip[first * s.channels + c + x * step]);
  }
}

// With channels last a window is combined along its columns first: windows beside each other share that work.
template <PoolingMode kMode>
void WideRow(const PoolingShape& s, const float* image, std::size_t row, float* out) {
  HWY_ALIGN float strip[kWideStrip];
  const PoolingSpan rows = SpanOf(s.height, row);
  const std::size_t length = s.width.extent * s.channels;
  CombineRows<kMode>(image + rows.first * length, s.height.dilation * length, rows.end - rows.begin, length,
                     strip);
  const auto left = -static_cast<std::ptrdiff_t>(s.width.pad);
  const auto reach = static_cast<std::ptrdiff_t>((s.width.kernel - 1) * s.width.dilation);
  const std::size_t begin = PositionsInside(left, s.width.stride, s.width.extent, s.width.out).begin;
  const std::size_t end = PositionsInside(left + reach, s.width.stride, s.width.extent, s.width.out).end;
  for (std::size_t column = 0; column < s.width.out; ++column, out += s.channels) {
    if (kMode == PoolingMode::kMax && column >= begin && column < end) {
      AlongRow<kMode>(s, strip, column * s.width.stride - s.width.pad, s.width.kernel, out);
      continue;
    }
    const PoolingSpan span = SpanOf(s.width, column);
    AlongRow<kMode>(s, strip, span.first, span.end - span.begin, out);
    if (kMode == PoolingMode::kMax) continue;
    const auto divisor = static_cast<float>(DivisorOf(s, rows, span));
    for (std::size_t c = 0; c < s.channels; ++c)
      out[c] /= divisor;
  }
}

template <PoolingMode kMode>
void RowOf(const PoolingShape& s, const float* input, std::size_t index, float* output) {
  const std::size_t row = index % s.height.out, image = index / s.height.out;
  if (!s.channels_last)
    return PlaneRow<kMode>(s, input + image * s.Pixels(), row, output + index * s.width.out);
  const float* from = input + image * s.Pixels() * s.channels;
  float* to = output + index * s.width.out * s.channels;
  const bool whole = CoversPlane(s.height) && CoversPlane(s.width);
  if (whole && s.channels == hn::Lanes(Floats())) return WholeImage<kMode>(s, from, to);
  if (s.width.extent * s.channels <= kWideStrip) return WideRow<kMode>(s, from, row, to);
  for (std::size_t column = 0; column < s.width.out; ++column, to += s.channels)
    PixelOf<kMode>(s, from, row, column, to);
}

void PoolingRow(const PoolingShape& s, const float* input, std::size_t index, float* output) {
  s.mode == PoolingMode::kMax ? RowOf<PoolingMode::kMax>(s, input, index, output)
                              : RowOf<PoolingMode::kAverage>(s, input, index, output);
}

void PoolingPlane(const PoolingShape& s, const float* input, std::size_t plane, float* output) {
  const float* from = input + plane * s.Pixels();
  if (s.mode == PoolingMode::kMax)
    output[plane] = WholePlane<PoolingMode::kMax>(from, s.Pixels());
  else
    output[plane] = WholePlane<PoolingMode::kAverage>(from, s.Pixels()) /
                    static_cast<float>(DivisorOf(s, SpanOf(s.height, 0), SpanOf(s.width, 0)));
}

}  // namespace HWY_NAMESPACE
}  // namespace foothold
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace foothold {
namespace {
HWY_EXPORT(PoolingRow);
HWY_EXPORT(PoolingPlane);

// A window may reach over more columns than a strip holds.
bool FitsStrip(const PoolingAxis& axis) {
  return axis.dilation * (axis.kernel - 1) + 1 <= kStrip;
}

}  // namespace

PoolingSpan SpanOf(const PoolingAxis& axis, std::size_t position) {
  const auto start =
      static_cast<std::ptrdiff_t>(position * axis.stride) - static_cast<std::ptrdiff_t>(axis.pad);
  const InsideRange taps = PositionsInside(start, axis.dilation, axis.extent, axis.kernel);
  const auto first = start + static_cast<std::ptrdiff_t>(taps.begin * axis.dilation);
  const std::size_t from = position * axis.stride;
  const std::size_t left = axis.padded > from ? axis.padded - from : 0;
  return {taps.begin, taps.end, taps.begin == taps.end ? 0 : static_cast<std::size_t>(first),
          std::min(axis.kernel, left)};
}

bool HasWholeWindows(const PoolingShape& shape) {
  const auto whole = [](const PoolingAxis& axis) {
    return axis.pad == 0 && axis.dilation == 1 && axis.out > 0 && axis.kernel > 0 &&
           (axis.out - 1) * axis.stride + axis.kernel <= axis.extent;
  };
  return whole(shape.height) && whole(shape.width);
}

std::size_t DivisorOf(const PoolingShape& shape, const PoolingSpan& rows, const PoolingSpan& columns) {
  if (shape.divisor != 0) return shape.divisor;
  const std::size_t count = shape.count_padding ? rows.length * columns.length
                                                : (rows.end - rows.begin) * (columns.end - columns.begin);
  return std::max<std::size_t>(1, count);
}

void PoolFloats(const PoolingShape& shape, const float* input, float* output) {
  const std::size_t planes = shape.batch * shape.channels;
  if (!shape.channels_last && CoversPlane(shape.height) && CoversPlane(shape.width))
    return ParallelFor(planes, 1 + 65536 / (1 + shape.Pixels()), [&](std::size_t begin, std::size_t end) {
      for (std::size_t plane = begin; plane < end; ++plane)
        HWY_DYNAMIC_DISPATCH(PoolingPlane)(shape, input, plane, output);
    });
  if (!shape.channels_last && !FitsStrip(shape.width)) return PoolPlain(shape, input, output);
  const std::size_t rows = shape.height.out * (shape.channels_last ? shape.batch : planes);
  const std::size_t work =
      shape.width.out * shape.height.kernel * shape.width.kernel * (shape.channels_last ? shape.channels : 1);
  ParallelFor(rows, 1 + 32768 / (1 + work), [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      HWY_DYNAMIC_DISPATCH(PoolingRow)(shape, input, row, output);
  });
}

}  // namespace foothold
#endif
