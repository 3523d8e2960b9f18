// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Transposed convolution of floats on blocks of channels whose stride is the size of its window: every input
// pixel becomes a window of outputs, and no two windows meet. Any thread; a plan is constant after its
// construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/convolution_shape.h"
#include "kernels/output_finish.h"

namespace foothold {

struct WideningShape {
  std::size_t batch = 0, channels = 0, height = 0, width = 0;  // of the input
  std::size_t out_channels = 0;
  std::size_t window_height = 1, window_width = 1;
};

class BlockedWideningPlan {
 public:
  explicit BlockedWideningPlan(const WideningShape& shape);

  std::size_t PackedFilterBytes() const;
  // `strides.out` leads to the next output channel, `strides.in` to the next input channel.
  void PackFilter(const float* filter, const FilterStrides& strides, float* to) const;

  std::size_t WorkspaceBytes() const { return 0; }
  // The bias is filled up to whole blocks.
  void Run(const float* input, const float* packed_filter, const OutputFinish& finish, float* output,
           std::byte* workspace) const;

 private:
  void RunRow(std::size_t image, std::size_t row, std::size_t tap, const float* input, const float* filter,
              const OutputFinish& finish, float* output) const;

  WideningShape shape_;
  std::size_t in_blocks_, out_blocks_;
  std::vector<std::int32_t> offsets_;  // of the pixels of a row
};

}  // namespace foothold
