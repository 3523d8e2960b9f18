// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A 3-D convolution as 2-D ones: for each position along the depth, the slices its window covers become the
// channels of one image, zero where they are in the padding. Here are the copies between volumes and such
// images. Any thread.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/thread_pool.h"
#include "kernels/convolution_shape.h"
#include "kernels/plain_product.h"

namespace foothold {

// The channels of an image are ordered group, place along the depth, channel of the group.
struct VolumeShape {
  ConvolutionShape images;  // `batch` images at a time, with all slices as channels
  std::size_t batch = 0;    // volumes
  std::size_t depth = 0, out_depth = 0;
  std::size_t kernel_depth = 1, stride_depth = 1, dilation_depth = 1, pad_front = 0;

  std::size_t Channels() const { return images.channels / kernel_depth; }
  std::size_t GroupChannels() const { return Channels() / images.groups; }
  // Elements of one volume, of the input and of the output.
  std::size_t VolumeSize() const { return Channels() * depth * images.Pixels(); }
  std::size_t OutVolumeSize() const { return images.out_channels * out_depth * images.OutPixels(); }
  std::size_t ImageSize() const { return images.channels * images.Pixels(); }
  std::size_t OutImageSize() const { return images.out_channels * images.OutPixels(); }
};

constexpr std::size_t kSliceGrain = std::size_t{1} << 14;  // elements worth a piece of a parallel loop

// Calls visit(image, slice, length) for every stretch that lies in one piece in an image (its channels
// from `position` on) and in the volume; `slice` is the first element in the volume, or null if the stretch
// is padding.
template <typename T, typename Image, typename Visit>
void ForEachStretch(const VolumeShape& s, T* volume, std::size_t position, Image* image, Visit&& visit) {
  const std::size_t pixels = s.images.Pixels(), own = s.GroupChannels();
  for (std::size_t group = 0; group < s.images.groups; ++group)
    for (std::size_t z = 0; z < s.kernel_depth; ++z) {
      const std::size_t padded = position * s.stride_depth + z * s.dilation_depth;
      const bool inside = padded >= s.pad_front && padded - s.pad_front < s.depth;
      const std::size_t d = inside ? padded - s.pad_front : 0;
      const std::size_t first = (group * s.kernel_depth + z) * own;
      if (s.images.channels_last) {
        for (std::size_t p = 0; p < pixels; ++p)
          visit(image + p * s.images.channels + first,
                inside ? volume + (d * pixels + p) * s.Channels() + group * own : nullptr, own);
      } else {
        for (std::size_t c = 0; c < own; ++c)
          visit(image + (first + c) * pixels,
                inside ? volume + ((group * own + c) * s.depth + d) * pixels : nullptr, pixels);
      }
    }
}

// Positions [first, first + count) of one volume as images; `padding` is what stands outside.
template <typename T>
void ImagesFromVolume(const VolumeShape& s, const T* volume, std::size_t first, std::size_t count, T padding,
                      T* images) {
  ParallelFor(count, 1 + kSliceGrain / (1 + s.ImageSize()), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      ForEachStretch(s, volume, first + i, images + i * s.ImageSize(),
                     [padding](T* to, const T* from, std::size_t length) {
                       if (from == nullptr)
                         std::fill_n(to, length, padding);
                       else
                         std::copy_n(from, length, to);
                     });
  });
}

// Adds images to the slices of one volume they came from.
template <typename T>
void AddImagesToVolume(const VolumeShape& s, const T* images, std::size_t first, std::size_t count,
                       T* volume) {
  for (std::size_t i = 0; i < count; ++i)
    ForEachStretch(s, volume, first + i, images + i * s.ImageSize(),
                   [](const T* from, T* to, std::size_t length) {
                     if (to == nullptr) return;
                     for (std::size_t e = 0; e < length; ++e)
                       to[e] = PlusWrapping(to[e], from[e]);
                   });
}

// Calls copy(image, volume) for the planes of output images [count, channels, pixels] and their places in an
// output volume [channels, depth, pixels]. With channels last both lie the same way, and nobody needs this.
template <typename Copy>
void ForEachOutputPlane(const VolumeShape& s, std::size_t first, std::size_t count, Copy&& copy) {
  const std::size_t pixels = s.images.OutPixels(), channels = s.images.out_channels;
  ParallelFor(channels * count, 1 + kSliceGrain / (1 + pixels), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      copy(i * pixels, (i % channels * s.out_depth + first + i / channels) * pixels);
  });
}

}  // namespace foothold
