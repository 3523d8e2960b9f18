// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Depthwise convolution of quantised numbers with exact sums in int32, on blocks of int16 (integer_finish.h).
// Two taps of the window at a time are multiplied as pairs. Any thread; a plan is constant after its
// construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/integer_convolution.h"
#include "kernels/integer_finish.h"

namespace foothold {

class IntegerDepthwisePlan {
 public:
  explicit IntegerDepthwisePlan(const ConvolutionShape& shape);

  static bool Applies(const ConvolutionShape& shape);

  std::size_t PackedFilterBytes() const;
  void PackFilter(IntegerFilter filter, std::byte* to) const;

  std::size_t WorkspaceBytes() const { return 0; }
  // The bias, or null, is filled up to whole blocks. Without a residual.
  void Run(const std::int16_t* input, const std::byte* packed_filter, const std::int32_t* bias,
           const IntegerFinish& finish, std::int16_t* output, std::byte* workspace) const;

 private:
  ConvolutionShape shape_;
  std::size_t blocks_, taps_;  // taps are even in number: the last may be none
};

}  // namespace foothold
