// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/integer_blocks.h"

#include <algorithm>
#include <cmath>

#include "base/thread_pool.h"
#include "kernels/gemm_pack.h"

namespace foothold {
namespace {

constexpr std::size_t kGrain = 16384;  // numbers that are worth a thread

// One row of an image: channels that lie a plane apart come together.
template <typename T>
void InterleaveRow(const T* row, std::size_t plane, std::size_t channels, std::size_t width,
                   std::size_t lanes, int zero, std::int16_t* to) {
  for (std::size_t c = 0; c < channels; ++c, row += plane)
    for (std::size_t x = 0; x < width; ++x)
      to[x * lanes + c] = static_cast<std::int16_t>(row[x] - zero);
}

}  // namespace

template <typename T>
void ToIntegerBlocks(const PaddedImage& image, std::size_t lanes, int zero, const T* planes,
                     std::int16_t* blocks) {
  const std::size_t all = Parts(image.channels, lanes), plane = image.height * image.width;
  const std::size_t height = image.top + image.height + image.bottom;
  const std::size_t width = image.left + image.width + image.right;
  const bool filled = image.channels % lanes == 0 && width == image.width;
  ParallelFor(
      image.batch * all * height, 1 + kGrain / (width * lanes + 1), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const std::size_t y = i % height - image.top, block = i / height % all, n = i / height / all;
          std::int16_t* to = blocks + i * width * lanes;
          const bool inside = y < image.height;  // before the first wraps around
          if (!inside || !filled) std::fill_n(to, width * lanes, std::int16_t{0});
          if (!inside) continue;
          const std::size_t first = block * lanes, count = std::min(lanes, image.channels - first);
          InterleaveRow(planes + (n * image.channels + first) * plane + y * image.width, plane, count,
                        image.width, lanes, zero, to + image.left * lanes);
        }
      });
}

template <typename T>
void FromIntegerBlocks(const BlockedImage& image, int zero, const std::int16_t* blocks, T* planes) {
  ParallelFor(
      image.batch * image.channels, 1 + kGrain / (image.pixels + 1), [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const std::size_t n = i / image.channels, c = i % image.channels;
          const std::int16_t* from =
              blocks + (n * image.Blocks() + c / image.lanes) * image.pixels * image.lanes;
          for (std::size_t p = 0; p < image.pixels; ++p)
            planes[i * image.pixels + p] = static_cast<T>(from[p * image.lanes + c % image.lanes] + zero);
        }
      });
}

template void ToIntegerBlocks(const PaddedImage&, std::size_t, int, const std::int8_t*, std::int16_t*);
template void ToIntegerBlocks(const PaddedImage&, std::size_t, int, const std::uint8_t*, std::int16_t*);
template void FromIntegerBlocks(const BlockedImage&, int, const std::int16_t*, std::int8_t*);
template void FromIntegerBlocks(const BlockedImage&, int, const std::int16_t*, std::uint8_t*);

void PoolLargestIntegers(const PoolingShape& shape, const std::int16_t* input, std::int16_t* output) {
  const std::size_t lanes = shape.channels, line = shape.width.out * lanes;
  ParallelFor(shape.batch * shape.height.out, 1 + kGrain / (line + 1),
              [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i) {
                  const std::int16_t* image = input + i / shape.height.out * shape.Pixels() * lanes;
                  const PoolingSpan rows = SpanOf(shape.height, i % shape.height.out);
                  for (std::size_t x = 0; x < shape.width.out; ++x) {
                    const PoolingSpan columns = SpanOf(shape.width, x);
                    std::int16_t* best = output + i * line + x * lanes;
                    std::fill_n(best, lanes, LowestOf<std::int16_t>());
                    ForEachInside(shape, rows, columns, [&](std::size_t at) {
                      for (std::size_t lane = 0; lane < lanes; ++lane)
                        best[lane] = std::max(best[lane], image[at + lane]);
                    });
                  }
                }
              });
}

void MeanOfIntegers(const IntegerMean& mean, const std::int16_t* input, std::int16_t* output) {
  constexpr std::size_t kMostLanes = 64;
  ParallelFor(
      mean.planes, 1 + kGrain / (mean.pixels * mean.lanes + 1), [&](std::size_t begin, std::size_t end) {
        for (std::size_t plane = begin; plane < end; ++plane) {
          std::int64_t sums[kMostLanes] = {};
          const std::int16_t* from = input + plane * mean.pixels * mean.lanes;
          for (std::size_t i = 0; i < mean.pixels; ++i)
            for (std::size_t lane = 0; lane < mean.lanes; ++lane)
              sums[lane] += from[i * mean.lanes + lane];
          for (std::size_t lane = 0; lane < mean.lanes; ++lane)
            output[plane * mean.lanes + lane] = static_cast<std::int16_t>(
                std::nearbyint(std::clamp(static_cast<float>(sums[lane]) * mean.scale, mean.low, mean.high)));
        }
      });
}

}  // namespace foothold
