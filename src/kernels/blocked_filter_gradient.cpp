// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/blocked_filter_gradient.h"

#include <algorithm>

#include "kernels/channel_blocks.h"
#include "kernels/gemm_pack.h"
#include "kernels/parallel_items.h"

namespace foothold {
namespace {

constexpr std::size_t kPixelsTogether =
    160;  // with three blocks of the gradient they stay in the first cache
constexpr std::size_t kMostRows = 64;
constexpr std::size_t kItemsPerThread = 4;
constexpr std::size_t kMostSums = 64 * 1024;  // floats of an item: they stay in the second cache

// Threes, and twos where a single one would be left.
std::vector<std::size_t> TilesOf(std::size_t blocks) {
  std::vector<std::size_t> begins = {0};
  while (begins.back() < blocks) {
    const std::size_t left = blocks - begins.back();
    const std::size_t next = left == 4 ? 2 : std::min(left, kMostGradientBlocks);
    begins.push_back(begins.back() + next);
  }
  return begins;
}

}  // namespace

bool BlockedFilterGradientPlan::Applies(const ConvolutionShape& shape) {
  return shape.groups == 1 && shape.Work() > 0;
}

BlockedFilterGradientPlan::BlockedFilterGradientPlan(const ConvolutionShape& shape)
    : shape_(shape),
      lanes_(ChannelBlock()),
      in_blocks_(Parts(shape.channels, lanes_)),
      out_blocks_(Parts(shape.out_channels, lanes_)),
      row_step_(std::clamp<std::size_t>(kPixelsTogether / shape.out_width, 1, kMostRows)),
      tiles_(TilesOf(out_blocks_)) {
  const std::size_t tiles = tiles_.size() - 1;
  const std::size_t wanted = kItemsPerThread * static_cast<std::size_t>(ParallelThreads());
  const std::size_t fitting = kMostSums / (shape.KernelArea() * lanes_ * lanes_ * kMostGradientBlocks);
  in_step_ = std::min(std::max<std::size_t>(1, fitting), Parts(in_blocks_, Parts(wanted, tiles)));
  in_parts_ = Parts(in_blocks_, in_step_);
  items_ = tiles * in_parts_;
  slots_ = SlotsFor(items_, shape.Work());
}

BlockedFilterGradientPlan::Item BlockedFilterGradientPlan::ItemOf(std::size_t index) const {
  const std::size_t tile = index / in_parts_, in = index % in_parts_ * in_step_;
  return {tiles_[tile], tiles_[tile + 1] - tiles_[tile], in, std::min(in_step_, in_blocks_ - in)};
}

std::size_t BlockedFilterGradientPlan::TapFloats(const Item& item) const {
  return lanes_ * lanes_ * item.outs;
}

std::size_t BlockedFilterGradientPlan::BlockFloats(const Item& item) const {
  return shape_.KernelArea() * TapFloats(item);
}

std::size_t BlockedFilterGradientPlan::SlotFloats() const {
  return RoundUp(in_step_ * BlockFloats({0, kMostGradientBlocks, 0, 0}), 16) + RowsFloats();
}

std::size_t BlockedFilterGradientPlan::RowsFloats() const {
  return RoundUp(row_step_ * sizeof(Row) / sizeof(float), 16);
}

std::size_t BlockedFilterGradientPlan::WorkspaceBytes() const {
  return slots_ * SlotFloats() * sizeof(float);
}

// Those of `row_step_` output rows from `first` on whose row of the window is inside the image.
std::size_t BlockedFilterGradientPlan::FindRows(std::size_t first, std::size_t window_row, Row* rows) const {
  const ConvolutionShape& s = shape_;
  const std::size_t past = std::min(first + row_step_, s.batch * s.out_height);
  std::size_t count = 0, image = first / s.out_height, y = first % s.out_height;
  for (std::size_t row = first; row < past; ++row) {
    const std::size_t from = y * s.stride_height + window_row * s.dilation_height - s.pad_top;
    if (from < s.height)  // before the first wraps around
      rows[count++] = {(image * in_blocks_ * s.Pixels() + from * s.width) * lanes_,
                       (image * out_blocks_ * s.OutPixels() + y * s.out_width) * lanes_};
    if (++y == s.out_height) y = 0, ++image;
  }
  return count;
}

// `job` has the rows and the blocks; `sums` are those of one block of the input.
void BlockedFilterGradientPlan::AddWindowRow(FilterGradientSums job, std::size_t window_row,
                                             const float* input, const float* gradient, float* sums) const {
  const ConvolutionShape& s = shape_;
  const std::size_t tap = lanes_ * lanes_ * job.blocks;
  job.input_step = s.stride_width * lanes_;
  job.block_step = s.OutPixels() * lanes_;
  for (std::size_t column = 0; column < s.kernel_width; ++column) {
    const auto offset =
        static_cast<std::ptrdiff_t>(column * s.dilation_width) - static_cast<std::ptrdiff_t>(s.pad_left);
    const InsideRange inside = PositionsInside(offset, s.stride_width, s.width, s.out_width);
    if (inside.begin >= inside.end) continue;
    const auto first =
        static_cast<std::size_t>(static_cast<std::ptrdiff_t>(inside.begin * s.stride_width) + offset);
    job.pixels = inside.end - inside.begin;
    job.input = input + first * lanes_;
    job.gradient = gradient + inside.begin * lanes_;
    job.sums = sums + (window_row * s.kernel_width + column) * tap;
    AddFilterGradient(job);
  }
}

void BlockedFilterGradientPlan::AddRows(const Item& item, std::size_t first, const float* input,
                                        const float* gradient, Row* rows, float* sums) const {
  const float* from = gradient + item.out * shape_.OutPixels() * lanes_;
  FilterGradientSums job;
  job.rows = rows;
  job.blocks = item.outs;
  for (std::size_t window_row = 0; window_row < shape_.kernel_height; ++window_row) {
    job.count = FindRows(first, window_row, rows);
    for (std::size_t block = 0; block < item.ins && job.count > 0; ++block) {
      job.channels = std::min(lanes_, shape_.channels - (item.in + block) * lanes_);
      AddWindowRow(job, window_row, input + (item.in + block) * shape_.Pixels() * lanes_, from,
                   sums + block * BlockFloats(item));
    }
  }
}

void BlockedFilterGradientPlan::Write(const Item& item, const float* sums, const FilterStrides& strides,
                                      float* filter) const {
  const std::size_t width = item.outs * lanes_, first_out = item.out * lanes_;
  const std::size_t outs = std::min(width, shape_.out_channels - first_out);
  for (std::size_t block = 0; block < item.ins; ++block, sums += BlockFloats(item)) {
    const std::size_t first_in = (item.in + block) * lanes_;
    const std::size_t ins = std::min(lanes_, shape_.channels - first_in);
    for (std::size_t o = 0; o < outs; ++o)
      for (std::size_t c = 0; c < ins; ++c)
        WriteWindow(item, sums + c * width + o, strides,
                    filter + (first_out + o) * strides.out + (first_in + c) * strides.in);
  }
}

void BlockedFilterGradientPlan::WriteWindow(const Item& item, const float* sums, const FilterStrides& strides,
                                            float* window) const {
  const std::size_t step = TapFloats(item);
  for (std::size_t y = 0; y < shape_.kernel_height; ++y)
    for (std::size_t x = 0; x < shape_.kernel_width; ++x, sums += step)
      window[y * strides.row + x * strides.column] = *sums;
}

void BlockedFilterGradientPlan::Run(const float* input, const float* output_gradient,
                                    const FilterStrides& strides, float* filter_gradient,
                                    std::byte* workspace) const {
  auto* scratch = reinterpret_cast<float*>(workspace);
  ForEachItem(items_, slots_, [&](std::size_t slot, std::size_t index) {
    const Item item = ItemOf(index);
    auto* rows = reinterpret_cast<Row*>(scratch + slot * SlotFloats());
    float* sums = scratch + slot * SlotFloats() + RowsFloats();
    std::fill_n(sums, item.ins * BlockFloats(item), 0.0f);
    for (std::size_t first = 0; first < shape_.batch * shape_.out_height; first += row_step_)
      AddRows(item, first, input, output_gradient, rows, sums);
    Write(item, sums, strides, filter_gradient);
  });
}

}  // namespace foothold
