// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/expanded_depthwise.h"

#include <algorithm>

#include "kernels/channel_blocks.h"
#include "kernels/even_division.h"
#include "kernels/gemm_pack.h"
#include "kernels/parallel_items.h"

namespace foothold {
namespace {

constexpr std::size_t kStripFloats = 48 * 1024;  // of two blocks: a part of the second cache
constexpr std::size_t kLeastRows = 8;            // of a part: what its neighbours compute too must be little

}  // namespace

bool ExpandedDepthwisePlan::Applies(const ConvolutionShape& expansion, const ConvolutionShape& depthwise) {
  return expansion.Pointwise() && expansion.groups == 1 && expansion.Work() > 0 &&
         BlockedDepthwisePlan::Applies(depthwise) && depthwise.channels == expansion.out_channels &&
         depthwise.Pixels() == expansion.OutPixels() &&
         Parts(expansion.channels, ChannelBlock()) <=
             BlockedConvolutionPlan(expansion, ChannelBlock()).DepthBlocks();
}

ExpandedDepthwisePlan::ExpandedDepthwisePlan(const ConvolutionShape& expansion,
                                             const ConvolutionShape& depthwise)
    : from_(expansion),
      to_(depthwise),
      expansion_(expansion, ChannelBlock()),
      depthwise_(depthwise),
      lanes_(ChannelBlock()),
      line_(depthwise.width * lanes_),
      blocks_(Parts(depthwise.channels, lanes_)) {
  ChooseStrips();
  ChooseItems();
  // General loops read those of whole tiles.
  for (std::size_t pixel = 0; pixel < RoundUp(strip_height_ * to_.width, kTilePixels); ++pixel)
    offsets_.push_back(static_cast<std::int32_t>(pixel * lanes_));
}

void ExpandedDepthwisePlan::ChooseStrips() {
  const std::size_t reach = (to_.kernel_height - 1) * to_.dilation_height + 1;
  const std::size_t fitting = std::max(reach, kStripFloats / (kTileBlocks * line_));
  strip_rows_ = std::min((fitting - reach) / to_.stride_height + 1, to_.out_height);
  if (depthwise_.Whole()) strip_rows_ = to_.out_height;
  strip_height_ = std::min((strip_rows_ - 1) * to_.stride_height + reach, to_.height);
  const bool overlap = strip_rows_ < to_.out_height && reach > to_.stride_height;
  kept_rows_ = overlap ? reach - to_.stride_height : 0;
}

// Blocks are divided before rows, some of which both sides need.
void ExpandedDepthwisePlan::ChooseItems() {
  const std::size_t panels = Parts(blocks_, kTileBlocks);
  const std::size_t threads = static_cast<std::size_t>(ParallelThreads());
  const std::size_t wanted = threads == 1 ? 1 : Parts(4 * threads, to_.batch);
  const std::size_t step = Parts(panels, std::min(panels, wanted)), height = to_.out_height;
  const std::size_t most = depthwise_.Whole() ? 1 : Parts(height, kLeastRows);
  const std::size_t parts = std::min(most, Parts(wanted, Parts(panels, step)));
  const GridPart part = EvenPart({height, panels, to_.batch}, {Parts(height, parts), step}, 1, most);
  row_step_ = part.rows;
  row_parts_ = Parts(height, row_step_);
  block_step_ = part.columns * kTileBlocks;
  block_parts_ = Parts(blocks_, block_step_);
  kept_floats_ = block_step_ * kept_rows_ * line_;
  items_ = to_.batch * row_parts_ * block_parts_;
  slots_ = SlotsFor(items_, from_.Work() + to_.Work());
}

ExpandedDepthwisePlan::Item ExpandedDepthwisePlan::ItemOf(std::size_t index) const {
  Item item;
  item.block = index % block_parts_ * block_step_;
  item.end_block = std::min(item.block + block_step_, blocks_);
  index /= block_parts_;
  item.row = index % row_parts_ * row_step_;
  item.end_row = std::min(item.row + row_step_, to_.out_height);
  item.image = index / row_parts_;
  return item;
}

void ExpandedDepthwisePlan::Run(const float* input, const Layer& expansion, const Layer& depthwise,
                                float* output, std::byte* workspace) const {
  const Job job{input, &expansion, &depthwise, output};
  auto* slots = reinterpret_cast<float*>(workspace);
  ForEachItem(items_, slots_, [&](std::size_t slot, std::size_t index) {
    RunItem(job, ItemOf(index), slots + slot * SlotFloats());
  });
}

void ExpandedDepthwisePlan::RunItem(const Job& job, const Item& item, float* slot) const {
  for (std::size_t row = item.row; row < item.end_row; row += strip_rows_)
    RunStrip(job, item, row, std::min(row + strip_rows_, item.end_row), slot);
}

// The rows that the strip before has made too are kept for each block.
void ExpandedDepthwisePlan::RunStrip(const Job& job, const Item& item, std::size_t row, std::size_t end_row,
                                     float* slot) const {
  const InsideRange rows = depthwise_.RowsBefore(row, end_row);
  const std::size_t made = row > item.row ? depthwise_.RowsBefore(row - 1, row).end : rows.begin;
  const std::size_t from_before = made > rows.begin ? made - rows.begin : 0;
  const std::size_t next =
      end_row < item.end_row ? depthwise_.RowsBefore(end_row, end_row + 1).begin : rows.end;
  const std::size_t step = strip_height_ * line_, height = rows.end - rows.begin;
  float* kept = slot + StripFloats();
  for (std::size_t panel = item.block; panel < item.end_block; panel += kTileBlocks) {
    const std::size_t blocks = std::min(kTileBlocks, item.end_block - panel);
    for (std::size_t i = 0; i < blocks; ++i)
      std::copy_n(kept + (panel - item.block + i) * kept_rows_ * line_, from_before * line_, slot + i * step);
    Expand(job, item.image, panel, blocks, {rows.begin + from_before, rows.end}, slot + from_before * line_);
    for (std::size_t i = 0; i < blocks; ++i) {
      const float* strip = slot + i * step;
      depthwise_.RunRows(strip, item.image * blocks_ + panel + i, row, end_row, job.depthwise->packed_filter,
                         job.depthwise->finish, job.output, slot + StripFloats() + kept_floats_);
      if (next < rows.end)
        std::copy(strip + (next - rows.begin) * line_, strip + height * line_,
                  kept + (panel - item.block + i) * kept_rows_ * line_);
    }
  }
}

void ExpandedDepthwisePlan::Expand(const Job& job, std::size_t image, std::size_t block, std::size_t blocks,
                                   InsideRange rows, float* to) const {
  if (rows.begin >= rows.end) return;
  const std::size_t in_blocks = Parts(from_.channels, lanes_), depth = in_blocks * lanes_;
  BlockedTiles tiles;
  tiles.input = job.input + (image * in_blocks * to_.height + rows.begin) * line_;
  tiles.input_step = to_.height * line_;
  tiles.offsets = offsets_.data();
  tiles.distance = tiles.lanes = lanes_;
  tiles.blocks = in_blocks;
  tiles.last_lanes = from_.channels - (in_blocks - 1) * lanes_;
  tiles.filter = job.expansion->packed_filter + block * lanes_ * depth;
  tiles.filter_step = kTileBlocks * lanes_ * depth;
  tiles.pixels = (rows.end - rows.begin) * to_.width;
  tiles.out_blocks = blocks;
  tiles.out = to;
  tiles.pixel_step = lanes_;
  tiles.block_step = strip_height_ * line_;
  const OutputFinish& finish = job.expansion->finish;
  if (finish.bias != nullptr) tiles.bias = finish.bias + block * lanes_;
  tiles.finish = &finish;
  RunBlockedTiles(tiles);
}

}  // namespace foothold
