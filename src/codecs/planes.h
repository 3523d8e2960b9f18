// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Between the three planes of the codec libraries and pictures whose chroma comes in pairs (NV12, NV21). Rows
// of the pictures are as long as the visible part; nothing between rows is touched. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "codecs/codec.h"
#include "codecs/video_encoder.h"

namespace foothold {

struct PairedPicture {
  std::uint8_t* luma;
  std::uint8_t* chroma;
  std::size_t stride;  // bytes, of both
  bool v_first;        // NV21
};

// Samples of more than 8 bits lose the lower ones. Rounds odd sizes up: the last pair is there.
void CopyToPairs(const DecodedPicture& from, const PairedPicture& to);
// A planar picture without gaps, in memory of width * height * 3 / 2 bytes. Sizes are even.
PlanarPicture PlanesOf(const std::uint8_t* memory, std::uint32_t width, std::uint32_t height);
// Into such memory.
void SplitPairs(const PairedPicture& from, std::uint32_t width, std::uint32_t height, std::uint8_t* memory);

}  // namespace foothold
