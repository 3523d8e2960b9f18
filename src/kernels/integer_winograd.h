// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// 3x3 integer convolutions with stride 1 by Winograd's minimal filtering (winograd.h), without a rounding.
// The fractions of the transforms are left out, so that filters and inputs stay whole numbers of 16 bits and
// sums come out 576 (tiles of 4x4) or 4 times (2x2) too large. They wrap around, which does no harm: the odd
// part of the factor has an inverse modulo 2^32, the rest is shifted out. Any thread; a plan is constant
// after its construction.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/integer_convolution.h"
#include "kernels/integer_finish.h"
#include "kernels/winograd.h"

namespace foothold {

// The side of the tiles, 4 or 2; 0: another way is faster, or sums may become too large for this one, which
// are at most `largest_sum` before the bias.
std::size_t IntegerWinogradSide(const ConvolutionShape& shape, double largest_sum);

class IntegerWinogradPlan {
 public:
  IntegerWinogradPlan(const ConvolutionShape& shape, std::size_t side);

  std::size_t PackedFilterBytes() const { return pairs_.PackedFilterBytes(); }
  void PackFilter(IntegerFilter filter, std::byte* to) const;

  std::size_t WorkspaceBytes() const { return pairs_.WorkspaceBytes(); }
  // The bias, or null, is filled up to whole blocks.
  void Run(const std::int16_t* input, const std::byte* packed_filter, const std::int32_t* bias,
           const IntegerFinish& finish, std::int16_t* output, std::byte* workspace) const;

 private:
  ConvolutionShape shape_;
  std::size_t side_;
  WinogradPlan pairs_;
};

}  // namespace foothold
