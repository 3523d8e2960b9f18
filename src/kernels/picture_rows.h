// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rows of bytes taken apart, put together, spread and averaged: what formats of pictures differ in. Rows do
// not overlap. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

// Pixels of 2, 3 or 4 bytes into as many rows, and back.
void SplitPixels(const std::uint8_t* pixels, std::size_t channels, std::size_t count,
                 std::uint8_t* const* rows);
void MergePixels(const std::uint8_t* const* rows, std::size_t channels, std::size_t count,
                 std::uint8_t* pixels);
// ab -> ba.
void SwapPairs(const std::uint8_t* in, std::size_t pairs, std::uint8_t* out);

// Each sample twice; `count` samples are written.
void SpreadSamples(const std::uint8_t* in, std::size_t count, std::uint8_t* out);
// Averages, halves rounded up: of two samples side by side (`count` are read; an odd last one stands alone),
// of two rows, and of both at once.
void AveragePairs(const std::uint8_t* in, std::size_t count, std::uint8_t* out);
void AverageRows(const std::uint8_t* top, const std::uint8_t* bottom, std::size_t count, std::uint8_t* out);
void AverageSquares(const std::uint8_t* top, const std::uint8_t* bottom, std::size_t count,
                    std::uint8_t* out);

}  // namespace foothold
