// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Pieces of rows of pictures whose channels are bytes: taken apart into channels, converted to other colours,
// and made into floats. For aipp_picture. Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace foothold {

// Pixels at a time: all of a piece stays in the first cache.
constexpr std::size_t kAippPiece = 512;

// The channels of a piece, each by itself. A piece begins at an even column where two pixels share colours.
using AippChannels = std::array<std::uint8_t*, 4>;

// Y of each pixel, and U and V side by side for each two: of a last single pixel too.
void SplitLumaAndPairs(const std::uint8_t* luma, const std::uint8_t* pairs, std::size_t pixels,
                       const AippChannels& to);
// Y U Y V for each two pixels, whole also for a last single one.
void SplitYuyv(const std::uint8_t* from, std::size_t pixels, const AippChannels& to);
void SplitThree(const std::uint8_t* from, std::size_t pixels, const AippChannels& to);
void SplitFour(const std::uint8_t* from, std::size_t pixels, const AippChannels& to);

// (matrix * (p - before) >> 8) + after, put into 0..255. The matrix is in units of 1/256.
struct AippColours {
  std::array<std::int16_t, 9> matrix{};
  std::array<std::uint8_t, 3> before{}, after{};
};
void ConvertColours(const AippColours& colours, std::size_t pixels, const AippChannels& channels);

// (p - mean - min) * factor of each channel.
struct AippScale {
  std::array<float, 4> mean{}, min{}, factor{1, 1, 1, 1};
};
void FloatsOfChannel(const AippScale& scale, std::size_t channel, const std::uint8_t* from,
                     std::size_t pixels, float* to);
// The first channels of a pixel side by side: one to four.
void FloatsOfPixels(const AippScale& scale, std::size_t channels, const AippChannels& from,
                    std::size_t pixels, float* to);

}  // namespace foothold
