// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Images in blocks of channels, [N, C1, H, W, C0]: the channels of a block stand side by side, as many as a
// vector of the CPU has lanes. Where channels do not fill the last block, its other lanes hold numbers that
// mean nothing but are finite. Any thread.
#pragma once

#include <cstddef>

namespace foothold {

// Lanes of a block. The same during the life of the process.
std::size_t ChannelBlock();

struct BlockedImage {
  std::size_t batch = 0, channels = 0, pixels = 0;
  std::size_t lanes = 0;  // of a block

  std::size_t Blocks() const { return (channels + lanes - 1) / lanes; }
};

// From planes to blocks, filled up with zeros, and back.
void ToChannelBlocks(const BlockedImage& image, const float* planes, float* blocks);
void FromChannelBlocks(const BlockedImage& image, const float* blocks, float* planes);

// An image of few channels with zeros around it, for convolutions that begin a region: the channels of a
// pixel are its only block.
struct PaddedImage {
  std::size_t batch = 0, channels = 0, height = 0, width = 0;
  std::size_t top = 0, bottom = 0, left = 0, right = 0;
};
void ToPaddedPixels(const PaddedImage& image, const float* planes, float* pixels);

}  // namespace foothold
