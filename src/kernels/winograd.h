// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// 3x3 convolutions with stride 1 on blocks of channels by Winograd's minimal filtering: tiles of the input
// and the filter are transformed, multiplied element by element and summed over channels, which are matrix
// products, and transformed back. Takes 4 (tiles of 4x4 outputs) or 2.25 times (2x2) fewer multiplications.
// Any thread; a plan is constant after its construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/convolution_shape.h"
#include "kernels/output_finish.h"
#include "kernels/winograd_transform.h"

namespace foothold {

// 4 or 2 for the side of the output tiles that is estimated to be fastest, 0 if summing directly is, or if
// this is no such convolution. Depends on nothing but the shape, and on FOOTHOLD_WINOGRAD, which may be 0:
// packed filters are up to four times as large as the plain ones, and sums less exact.
std::size_t WinogradSide(const ConvolutionShape& shape);

// The transforms that tiles of the input and products go through; see RunSteps.
struct WinogradSteps {
  // One block of the input, `plane`.
  std::function<void(const WinogradTiles& tiles, const float* plane, float* transformed)> in;
  // `out_blocks` blocks of the output of an image, or what is left of them, from `block` on, side by side.
  std::function<void(const WinogradTiles& tiles, const float* products, std::size_t image, std::size_t block)>
      out;
  std::size_t out_blocks = 1;
};

// A filter that is not packed. Turned: its window is read from the last place to the first.
struct LooseFilter {
  const float* data = nullptr;
  FilterStrides strides{};
  bool turned = false;
};

class WinogradPlan {
 public:
  // `pairs`: what counts as a float is a pair of int16, products are int32 (BlockedTiles).
  WinogradPlan(const ConvolutionShape& shape, std::size_t side, bool pairs = false);

  std::size_t PackedFilterBytes() const;
  void PackFilter(const float* filter, const FilterStrides& strides, float* to) const;
  // transform(out, in, to) makes the (side + 2) squared numbers of a filter.
  using TransformFilter = std::function<void(std::size_t out, std::size_t in, float* to)>;
  void PackTransformed(const TransformFilter& transform, float* to) const;

  std::size_t WorkspaceBytes() const;
  // The bias is filled up to whole blocks.
  void Run(const float* input, const float* packed_filter, const OutputFinish& finish, float* output,
           std::byte* workspace) const;
  // The same by other transforms, which are called on several threads.
  void RunSteps(const float* input, const float* packed_filter, const WinogradSteps& steps,
                std::byte* workspace) const;

  // The same with a filter that is packed on the way, where it can be a part at a time that stays in the
  // caches.
  std::size_t PackingWorkspaceBytes() const;
  void RunPacking(const float* input, const LooseFilter& filter, const OutputFinish& finish, float* output,
                  std::byte* workspace) const;

 private:
  struct Part {
    std::size_t tile, tiles;  // counted through all images
    float* transformed;
    float* products;
  };
  template <typename Visit>
  void ForEachImage(const Part& part, Visit&& visit) const;
  WinogradSteps StepsOf(const OutputFinish& finish, float* output) const;
  void TransformIn(const Part& part, const float* input, const WinogradSteps& steps, std::size_t block) const;
  // Some blocks of output channels, and where their packed filters are.
  struct Panels {
    std::size_t block, blocks;
    const float* filter;
    std::size_t place_stride;
  };
  void PackBlocks(const LooseFilter& filter, std::size_t block, std::size_t blocks, float* to,
                  std::size_t place_stride) const;
  void Multiply(const Part& part, const Panels& panels, std::size_t place) const;
  void TransformOut(const Part& part, const WinogradSteps& steps, std::size_t step) const;
  Part PartOf(std::size_t index, std::byte* workspace, std::size_t slot) const;
  void RunAlone(const Part& part, const float* input, const float* filter, const WinogradSteps& steps) const;
  void RunTogether(const Part& part, const float* input, const float* filter,
                   const WinogradSteps& steps) const;
  void RunPanel(const Part& part, const LooseFilter& filter, std::size_t panel, const WinogradSteps& steps,
                float* packed) const;
  bool PacksByPanel() const { return slots_ == 1 && tile_parts_ == 1; }
  std::size_t PanelStride() const;
  std::size_t SlotFloats() const;

  ConvolutionShape shape_;
  bool pairs_;
  std::size_t side_, places_;           // of a tile of outputs; of its transform
  std::size_t in_blocks_, out_blocks_;  // of channels
  std::size_t matrix_;                  // floats from one place of the packed filter to the next
  std::size_t tile_rows_, tile_columns_;
  std::size_t tile_step_, tile_parts_;  // tiles at a time
  std::size_t in_stride_, out_stride_;  // floats from one tile to the next
  std::size_t slots_;                   // parts at a time; 1: all threads share each part
  std::size_t panel_slots_;             // panels of a filter that is packed on the way, at a time
  std::vector<std::int32_t> offsets_;
};

}  // namespace foothold
