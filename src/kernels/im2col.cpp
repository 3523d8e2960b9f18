// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/im2col.h"

#include <algorithm>

#include "kernels/gemm_pack.h"

namespace foothold {
namespace {

// One element of the depth: a place in the kernel and a channel of the group.
struct Tap {
  std::size_t channel, row, column;
};

Tap PlaneTap(const ConvolutionShape& shape, std::size_t depth) {
  const std::size_t place = depth % shape.KernelArea();
  return {depth / shape.KernelArea(), place / shape.kernel_width, place % shape.kernel_width};
}

Tap ChannelsLastTap(const ConvolutionShape& shape, std::size_t depth) {
  const std::size_t place = depth / shape.GroupChannels();
  return {depth % shape.GroupChannels(), place / shape.kernel_width, place % shape.kernel_width};
}

// The tap after this one, channel by channel.
void Advance(const ConvolutionShape& shape, Tap& tap) {
  if (++tap.column < shape.kernel_width) return;
  tap.column = 0;
  if (++tap.row < shape.kernel_height) return;
  tap.row = 0;
  ++tap.channel;
}

// Neighbouring output pixels of one row.
struct Segment {
  std::size_t row, column, count;
};

// Calls visit(segment, position) for the parts of [pixel, pixel + count) that lie in one output row.
template <typename Visit>
void ForEachSegment(const ConvolutionShape& shape, std::size_t pixel, std::size_t count, Visit&& visit) {
  for (std::size_t done = 0; done < count;) {
    const std::size_t row = (pixel + done) / shape.out_width;
    const std::size_t column = (pixel + done) % shape.out_width;
    const std::size_t length = std::min(count - done, shape.out_width - column);
    visit(Segment{row, column, length}, done);
    done += length;
  }
}

// What a tap sees of a segment: which of its pixels are inside, and where the first of these is.
struct Sight {
  InsideRange inside;
  std::size_t first;  // element of the image; meaningful if something is inside
  std::size_t step;   // to that of the next pixel
};

Sight SightOf(const ConvolutionShape& shape, const ImageStrides& strides, const Tap& tap,
              const Segment& segment) {
  const auto row =
      static_cast<std::ptrdiff_t>(segment.row * shape.stride_height + tap.row * shape.dilation_height) -
      static_cast<std::ptrdiff_t>(shape.pad_top);
  const auto column =
      static_cast<std::ptrdiff_t>(segment.column * shape.stride_width + tap.column * shape.dilation_width) -
      static_cast<std::ptrdiff_t>(shape.pad_left);
  if (row < 0 || row >= static_cast<std::ptrdiff_t>(shape.height)) return {{0, 0}, 0, 0};
  const InsideRange inside = PositionsInside(column, shape.stride_width, shape.width, segment.count);
  if (inside.begin == inside.end) return {{0, 0}, 0, 0};
  const auto first =
      static_cast<std::size_t>(column + static_cast<std::ptrdiff_t>(inside.begin * shape.stride_width));
  return {
      inside,
      tap.channel * strides.channel + static_cast<std::size_t>(row) * strides.row + first * strides.column,
      shape.stride_width * strides.column};
}

void CopySegment(const float* image, const Sight& sight, std::size_t count, std::size_t to_step, float* to) {
  for (std::size_t i = 0; i < sight.inside.begin; ++i)
    to[i * to_step] = 0.0f;
  const float* from = image + sight.first;
  if (sight.step == 1 && to_step == 1) {
    std::copy(from, from + (sight.inside.end - sight.inside.begin), to + sight.inside.begin);
  } else {
    for (std::size_t i = sight.inside.begin; i < sight.inside.end; ++i, from += sight.step)
      to[i * to_step] = *from;
  }
  for (std::size_t i = sight.inside.end; i < count; ++i)
    to[i * to_step] = 0.0f;
}

// Several channels of the same place, which lie side by side.
void CopyChannels(const float* image, const Sight& sight, std::size_t count, std::size_t channels,
                  std::size_t width, float* to) {
  for (std::size_t i = 0; i < count; ++i) {
    if (i < sight.inside.begin || i >= sight.inside.end) {
      for (std::size_t c = 0; c < channels; ++c)
        to[c * width + i] = 0.0f;
      continue;
    }
    const float* from = image + sight.first + (i - sight.inside.begin) * sight.step;
    for (std::size_t c = 0; c < channels; ++c)
      to[c * width + i] = from[c];
  }
}

ImageStrides InputStrides(const ConvolutionShape& shape) {
  return StridesOf(shape.channels, shape.height, shape.width, shape.channels_last);
}

void PackPlanes(const ConvolutionShape& shape, const float* image, const ColumnBlock& block,
                const Segment& segment, std::size_t width, float* to) {
  const ImageStrides strides = InputStrides(shape);
  Tap tap = PlaneTap(shape, block.depth_begin);
  for (std::size_t k = 0; k < block.depth; ++k, Advance(shape, tap))
    CopySegment(image, SightOf(shape, strides, tap, segment), segment.count, 1, to + k * width);
}

void PackChannelsLast(const ConvolutionShape& shape, const float* image, const ColumnBlock& block,
                      const Segment& segment, std::size_t width, float* to) {
  const ImageStrides strides = InputStrides(shape);
  for (std::size_t k = 0; k < block.depth;) {
    const Tap tap = ChannelsLastTap(shape, block.depth_begin + k);
    const std::size_t run = std::min(shape.GroupChannels() - tap.channel, block.depth - k);
    CopyChannels(image, SightOf(shape, strides, tap, segment), segment.count, run, width, to + k * width);
    k += run;
  }
}

}  // namespace

void PackPixels(const ConvolutionShape& shape, const float* image, const ColumnBlock& block,
                std::size_t width, float* to) {
  for (std::size_t begin = 0; begin < block.pixels; begin += width, to += width * block.depth) {
    const std::size_t count = std::min(width, block.pixels - begin);
    if (count < width) std::fill_n(to, width * block.depth, 0.0f);
    if (shape.Pointwise() && !shape.channels_last) {
      const float* from = image + block.depth_begin * shape.Pixels() + block.pixel + begin;
      for (std::size_t k = 0; k < block.depth; ++k)
        std::copy_n(from + k * shape.Pixels(), count, to + k * width);
      continue;
    }
    ForEachSegment(shape, block.pixel + begin, count, [&](const Segment& segment, std::size_t at) {
      if (shape.channels_last)
        PackChannelsLast(shape, image, block, segment, width, to + at);
      else
        PackPlanes(shape, image, block, segment, width, to + at);
    });
  }
}

void PackDepth(const ConvolutionShape& shape, const float* image, const ColumnBlock& block, std::size_t width,
               float* to) {
  const ImageStrides strides = InputStrides(shape);
  for (std::size_t begin = 0; begin < block.depth; begin += width, to += width * block.pixels) {
    const std::size_t count = std::min(width, block.depth - begin);
    if (count < width) std::fill_n(to, width * block.pixels, 0.0f);
    Tap tap = PlaneTap(shape, block.depth_begin + begin);
    for (std::size_t k = 0; k < count; ++k, Advance(shape, tap)) {
      ForEachSegment(shape, block.pixel, block.pixels, [&](const Segment& segment, std::size_t at) {
        CopySegment(image, SightOf(shape, strides, tap, segment), segment.count, width, to + at * width + k);
      });
    }
  }
}

void AddColumns(const ConvolutionShape& shape, const float* columns, std::size_t stride,
                const ColumnBlock& block, float* image) {
  const ImageStrides strides = InputStrides(shape);
  Tap tap = PlaneTap(shape, block.depth_begin);
  for (std::size_t k = 0; k < block.depth; ++k, Advance(shape, tap)) {
    ForEachSegment(shape, block.pixel, block.pixels, [&](const Segment& segment, std::size_t at) {
      const Sight sight = SightOf(shape, strides, tap, segment);
      const float* from = columns + k * stride + at;
      float* to = image + sight.first;
      for (std::size_t i = sight.inside.begin; i < sight.inside.end; ++i, to += sight.step)
        *to += from[i];
    });
  }
}

}  // namespace foothold
