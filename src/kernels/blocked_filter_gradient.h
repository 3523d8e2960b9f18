// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The gradient of the filter of a convolution whose data are in blocks of channels (channel_blocks.h): there
// its products need no packing. Sums do not depend on the number of threads. Any thread; a plan is constant
// after its construction.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/convolution_shape.h"
#include "kernels/filter_gradient_rows.h"

namespace foothold {

class BlockedFilterGradientPlan {
 public:
  explicit BlockedFilterGradientPlan(const ConvolutionShape& shape);

  static bool Applies(const ConvolutionShape& shape);

  std::size_t WorkspaceBytes() const;
  // Both in blocks of ChannelBlock() lanes; the result is written as `strides` say.
  void Run(const float* input, const float* output_gradient, const FilterStrides& strides,
           float* filter_gradient, std::byte* workspace) const;

 private:
  // Some blocks of the output's channels, whose sums stay in registers, and some of the input's.
  struct Item {
    std::size_t out, outs, in, ins;
  };
  using Row = FilterGradientRow;

  Item ItemOf(std::size_t index) const;
  std::size_t TapFloats(const Item& item) const;    // sums of one place of the window and one block
  std::size_t BlockFloats(const Item& item) const;  // of all places
  std::size_t SlotFloats() const;
  std::size_t RowsFloats() const;
  std::size_t FindRows(std::size_t first, std::size_t window_row, Row* rows) const;
  void AddRows(const Item& item, std::size_t first, const float* input, const float* gradient, Row* rows,
               float* sums) const;
  void AddWindowRow(FilterGradientSums job, std::size_t window_row, const float* input, const float* gradient,
                    float* sums) const;
  void Write(const Item& item, const float* sums, const FilterStrides& strides, float* filter) const;
  void WriteWindow(const Item& item, const float* sums, const FilterStrides& strides, float* window) const;

  ConvolutionShape shape_;
  std::size_t lanes_, in_blocks_, out_blocks_;
  std::size_t row_step_;            // output rows of all images at a time
  std::vector<std::size_t> tiles_;  // where each begins among the blocks of the output, and the end
  std::size_t in_step_, in_parts_;
  std::size_t items_, slots_;
};

}  // namespace foothold
