// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Maximum or average over the windows of planes (NCHW) or of images with channels last (NHWC), and the
// gradients. Any thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "base/thread_pool.h"

namespace foothold {

struct PoolingAxis {
  std::size_t extent = 0, kernel = 1, stride = 1, dilation = 1, pad = 0, out = 0;
  std::size_t padded = 0;  // extent with both paddings: average windows are cut off there
};

enum class PoolingMode { kMax, kAverage };

struct PoolingShape {
  std::size_t batch = 0, channels = 0;
  PoolingAxis height, width;
  bool channels_last = false;
  PoolingMode mode = PoolingMode::kMax;
  bool count_padding = false;  // averages divide by the window, not only by what of it is inside
  std::size_t divisor = 0;     // if not 0, averages divide by this

  std::size_t Pixels() const { return height.extent * width.extent; }
  std::size_t OutPixels() const { return height.out * width.out; }
};

// What a window has inside: taps [begin, end), the first at `first`; and how long it is, cut off at the
// padding.
struct PoolingSpan {
  std::size_t begin = 0, end = 0, first = 0, length = 0;
};
PoolingSpan SpanOf(const PoolingAxis& axis, std::size_t position);

// By what the average over a window is divided. Windows with nothing inside are zero: at least 1.
std::size_t DivisorOf(const PoolingShape& shape, const PoolingSpan& rows, const PoolingSpan& columns);

void PoolFloats(const PoolingShape& shape, const float* input, float* output);

// NaN wins over everything, as it does in maxima everywhere.
template <typename T>
T MaxOrNaN(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a > b || a != a ? a : b;
  } else {
    return a > b ? a : b;
  }
}

template <typename T>
constexpr T LowestOf() {
  return std::is_floating_point_v<T> ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
}

// The window at (row, column) of one channel: calls visit(element) for what is inside.
template <typename Visit>
void ForEachInside(const PoolingShape& shape, const PoolingSpan& rows, const PoolingSpan& columns,
                   Visit&& visit) {
  const std::size_t step = shape.channels_last ? shape.channels : 1;
  for (std::size_t y = rows.begin; y < rows.end; ++y)
    for (std::size_t x = columns.begin; x < columns.end; ++x) {
      const std::size_t h = rows.first + (y - rows.begin) * shape.height.dilation;
      const std::size_t w = columns.first + (x - columns.begin) * shape.width.dilation;
      visit((h * shape.width.extent + w) * step);
    }
}

// Calls visit(in, out, row, column) for each output element: `in` is the first element of its plane.
template <typename Visit>
void ForEachWindow(const PoolingShape& shape, Visit&& visit) {
  const bool last = shape.channels_last;
  ParallelFor(shape.batch * shape.channels, 1 + 8192 / (1 + shape.OutPixels()),
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                  const std::size_t image = i / shape.channels, channel = i % shape.channels;
                  const std::size_t in =
                      last ? image * shape.Pixels() * shape.channels + channel : i * shape.Pixels();
                  const std::size_t out =
                      last ? image * shape.OutPixels() * shape.channels + channel : i * shape.OutPixels();
                  for (std::size_t p = 0; p < shape.OutPixels(); ++p)
                    visit(in, out + p * (last ? shape.channels : 1), p / shape.width.out,
                          p % shape.width.out);
                }
              });
}

// Every element type; integer averages are rounded towards zero.
template <typename T>
void PoolPlain(const PoolingShape& shape, const T* input, T* output) {
  ForEachWindow(shape, [&](std::size_t in, std::size_t out, std::size_t row, std::size_t column) {
    const PoolingSpan rows = SpanOf(shape.height, row), columns = SpanOf(shape.width, column);
    if (shape.mode == PoolingMode::kMax) {
      T best = LowestOf<T>();
      ForEachInside(shape, rows, columns, [&](std::size_t i) { best = MaxOrNaN(best, input[in + i]); });
      output[out] = best;
    } else {
      using Sum = std::conditional_t<std::is_floating_point_v<T>, T, long long>;
      Sum sum{};
      ForEachInside(shape, rows, columns, [&](std::size_t i) { sum += static_cast<Sum>(input[in + i]); });
      output[out] = static_cast<T>(sum / static_cast<Sum>(DivisorOf(shape, rows, columns)));
    }
  });
}

// Whether every window is inside the image as a whole, without gaps.
bool HasWholeWindows(const PoolingShape& shape);

// PoolGradient of maxima in planes of whole windows.
template <typename T>
void WholeMaxGradient(const PoolingShape& shape, const T* input, const T* output_gradient,
                      T* input_gradient) {
  const std::size_t width = shape.width.extent;
  ParallelFor(shape.batch * shape.channels, 1 + 8192 / (1 + shape.OutPixels()),
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin * shape.OutPixels(); i < end * shape.OutPixels(); ++i) {
                  const std::size_t plane = i / shape.OutPixels(), place = i % shape.OutPixels();
                  const std::size_t row = place / shape.width.out, column = place % shape.width.out;
                  const std::size_t first = plane * shape.Pixels() + row * shape.height.stride * width +
                                            column * shape.width.stride;
                  std::size_t best = first;
                  for (std::size_t y = 0; y < shape.height.kernel; ++y)
                    for (std::size_t x = 0; x < shape.width.kernel; ++x) {
                      const std::size_t at = first + y * width + x;
                      const T now = input[best], other = input[at];
                      best = other > now || (other != other && now == now) ? at : best;
                    }
                  input_gradient[best] += output_gradient[i];
                }
              });
}

// The gradient goes to the first element that is the maximum, or in equal parts to all in the window.
template <typename T>
void PoolGradient(const PoolingShape& shape, const T* input, const T* output_gradient, T* input_gradient) {
  std::fill_n(input_gradient, shape.batch * shape.channels * shape.Pixels(), T{});
  if (shape.mode == PoolingMode::kMax && HasWholeWindows(shape) && !shape.channels_last)
    return WholeMaxGradient(shape, input, output_gradient, input_gradient);
  ForEachWindow(shape, [&](std::size_t in, std::size_t out, std::size_t row, std::size_t column) {
    const PoolingSpan rows = SpanOf(shape.height, row), columns = SpanOf(shape.width, column);
    if (rows.begin == rows.end || columns.begin == columns.end) return;
    if (shape.mode == PoolingMode::kAverage) {
      const T part = output_gradient[out] / static_cast<T>(DivisorOf(shape, rows, columns));
      ForEachInside(shape, rows, columns, [&](std::size_t i) { input_gradient[in + i] += part; });
      return;
    }
    const std::size_t step = shape.channels_last ? shape.channels : 1;
    std::size_t best = (rows.first * shape.width.extent + columns.first) * step;
    ForEachInside(shape, rows, columns, [&](std::size_t i) {
      const T now = input[in + best], other = input[in + i];
      if (other > now || (other != other && now == now)) best = i;
    });
    input_gradient[in + best] += output_gradient[out];
  });
}

}  // namespace foothold
