// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/channel_blocks.h"

#include <algorithm>

#include "base/thread_pool.h"
#include "kernels/blocked_tiles.h"
#include "kernels/transpose_tile.h"

namespace foothold {
namespace {

constexpr std::size_t kStrip = 512;  // pixels at a time: what is read and written stays in the first cache

// Calls visit(plane, block, channels, pixels) for strips of pixels of each block.
template <typename Visit>
void ForEachStrip(const BlockedImage& image, Visit&& visit) {
  const std::size_t strips = (image.pixels + kStrip - 1) / kStrip;
  const std::size_t items = image.batch * image.Blocks() * strips;
  const std::size_t grain =
      std::max<std::size_t>(1, 16384 / (std::min(image.pixels, kStrip) * image.lanes + 1));
  ParallelFor(items, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t pixel = i % strips * kStrip, block = i / strips;
      const std::size_t channel = block % image.Blocks() * image.lanes;
      const std::size_t plane = block / image.Blocks() * image.channels + channel;
      visit(plane * image.pixels + pixel, (block * image.pixels + pixel) * image.lanes,
            std::min(image.lanes, image.channels - channel), std::min(kStrip, image.pixels - pixel));
    }
  });
}

std::ptrdiff_t Bytes(std::size_t floats) {
  return static_cast<std::ptrdiff_t>(floats * sizeof(float));
}

// Lines of one channel are the same in both.
void InterleaveLine(const float* planes, std::size_t plane, std::size_t width, std::size_t channels,
                    float* pixels) {
  if (channels == 1) {
    std::copy_n(planes, width, pixels);
    return;
  }
  TransposeTile(reinterpret_cast<const std::byte*>(planes), Bytes(plane),
                reinterpret_cast<std::byte*>(pixels), Bytes(channels), width, channels, sizeof(float));
}

}  // namespace

std::size_t ChannelBlock() {
  return BlockedTileLanes();
}

void ToChannelBlocks(const BlockedImage& image, const float* planes, float* blocks) {
  ForEachStrip(image, [&](std::size_t plane, std::size_t block, std::size_t channels, std::size_t pixels) {
    if (channels < image.lanes) std::fill_n(blocks + block, pixels * image.lanes, 0.0f);
    TransposeTile(reinterpret_cast<const std::byte*>(planes + plane), Bytes(image.pixels),
                  reinterpret_cast<std::byte*>(blocks + block), Bytes(image.lanes), pixels, channels,
                  sizeof(float));
  });
}

void FromChannelBlocks(const BlockedImage& image, const float* blocks, float* planes) {
  ForEachStrip(image, [&](std::size_t plane, std::size_t block, std::size_t channels, std::size_t pixels) {
    TransposeTile(reinterpret_cast<const std::byte*>(blocks + block), Bytes(image.lanes),
                  reinterpret_cast<std::byte*>(planes + plane), Bytes(image.pixels), channels, pixels,
                  sizeof(float));
  });
}

void ToPaddedPixels(const PaddedImage& image, const float* planes, float* pixels) {
  const std::size_t rows = image.top + image.height + image.bottom;
  const std::size_t line = (image.left + image.width + image.right) * image.channels;
  const std::size_t plane = image.height * image.width;
  ParallelFor(image.batch * rows, 1 + 16384 / (line + 1), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      float* to = pixels + i * line;
      const std::size_t row = i % rows - image.top;  // before the first wraps around
      if (row >= image.height) {
        std::fill_n(to, line, 0.0f);
        continue;
      }
      std::fill_n(to, image.left * image.channels, 0.0f);
      std::fill_n(to + line - image.right * image.channels, image.right * image.channels, 0.0f);
      InterleaveLine(planes + i / rows * image.channels * plane + row * image.width, plane, image.width,
                     image.channels, to + image.left * image.channels);
    }
  });
}

}  // namespace foothold
