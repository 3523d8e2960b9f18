// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Rows of pixels from YUV to RGB and back, by any matrix, in integers: each result is within 1 of the same in
// double precision. Rows do not overlap. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

// RGB = matrix * (YUV - bias), rounded. Sums are kept in 1/128, less 128: twice such a sum, cut off at the
// ends of 16 bits, has the colour in its upper byte, but for the sign.
struct YuvToRgb {
  std::int16_t luma;  // of Y - 128, in 1/16384
  std::int16_t offset;
  std::int16_t u[3];  // for R, G in 1/16384, for B in 1/8192, because it may be larger, and is added twice
  std::int16_t v[3];
};
// False if the arithmetic above cannot do it: luma counts differently for the colours, the bias of U or V is
// not 128, or coefficients are larger than any standard's.
bool MakeYuvToRgb(const double matrix[9], const double bias[3], YuvToRgb* out);

void YuvToRgbRow(const YuvToRgb& by, const std::uint8_t* y, const std::uint8_t* u, const std::uint8_t* v,
                 std::size_t count, std::uint8_t* r, std::uint8_t* g, std::uint8_t* b);
// Two rows of luma that share a row of U V pairs, to pixels of three bytes. `second` (with `second_out`) may
// be null: then it is one row. R comes first unless `b_first`, pairs are V U if `v_first`.
struct PairedRows {
  const std::uint8_t* first;
  const std::uint8_t* second;
  const std::uint8_t* pairs;
  std::uint8_t* first_out;
  std::uint8_t* second_out;
  std::size_t count;
};
void PairedRowsToRgb(const YuvToRgb& by, const PairedRows& rows, bool b_first, bool v_first);

// Any three numbers by any matrix: out = (matrix * in + bias), rounded by floor(x + round); in 1/65536.
struct ColorMix {
  std::int32_t matrix[9];
  std::int32_t bias[3];  // rounding included
};
// The rows of the matrix are made to add up to what they do in double precision. `round` is 0.5, or less
// where the bias says so.
ColorMix MakeColorMix(const double matrix[9], const double bias_before[3], const double bias_after[3]);
void MixColorRow(const ColorMix& by, const std::uint8_t* const in[3], std::size_t count,
                 std::uint8_t* const out[3]);

}  // namespace foothold
