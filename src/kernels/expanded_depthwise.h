// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A 1x1 convolution of floats and the depthwise one behind it, both on blocks of channels, as networks for
// small machines have them: what lies between them is several times the input and the output, and stays in
// the first caches here, some rows of two blocks at a time. Any thread; a plan is constant after its
// construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/blocked_convolution.h"
#include "kernels/blocked_depthwise.h"

namespace foothold {

class ExpandedDepthwisePlan {
 public:
  ExpandedDepthwisePlan(const ConvolutionShape& expansion, const ConvolutionShape& depthwise);

  static bool Applies(const ConvolutionShape& expansion, const ConvolutionShape& depthwise);

  // The filters are packed as for the two alone.
  const BlockedConvolutionPlan& expansion() const { return expansion_; }
  const BlockedDepthwisePlan& depthwise() const { return depthwise_; }

  std::size_t WorkspaceBytes() const { return slots_ * SlotFloats() * sizeof(float); }

  struct Layer {
    const float* packed_filter;
    OutputFinish finish;  // biases are filled up to whole blocks; the expansion has no residual
  };
  void Run(const float* input, const Layer& expansion, const Layer& depthwise, float* output,
           std::byte* workspace) const;

 private:
  // Some rows of the output, of some blocks of channels.
  struct Item {
    std::size_t image = 0, row = 0, end_row = 0, block = 0, end_block = 0;
  };
  struct Job {
    const float* input;
    const Layer *expansion, *depthwise;
    float* output;
  };

  void ChooseStrips();
  void ChooseItems();
  Item ItemOf(std::size_t index) const;
  std::size_t SlotFloats() const { return StripFloats() + kept_floats_ + depthwise_.ScratchFloats(); }
  std::size_t StripFloats() const { return kTileBlocks * strip_height_ * line_; }
  void RunItem(const Job& job, const Item& item, float* slot) const;
  void RunStrip(const Job& job, const Item& item, std::size_t row, std::size_t end_row, float* slot) const;
  void Expand(const Job& job, std::size_t image, std::size_t block, std::size_t blocks, InsideRange rows,
              float* to) const;

  ConvolutionShape from_, to_;
  BlockedConvolutionPlan expansion_;
  BlockedDepthwisePlan depthwise_;
  std::size_t lanes_, line_;      // floats of a row of a block in between
  std::size_t blocks_;            // in between
  std::size_t strip_rows_ = 1;    // of the output at a time
  std::size_t strip_height_ = 1;  // and what they are computed from
  std::size_t kept_rows_ = 0;     // that the strip behind uses too
  std::size_t kept_floats_ = 0;   // of all blocks of an item
  std::size_t row_step_ = 1, row_parts_ = 1, block_step_ = 1, block_parts_ = 1;
  std::size_t items_ = 1, slots_ = 1;
  std::vector<std::int32_t> offsets_;  // of pixels side by side
};

}  // namespace foothold
