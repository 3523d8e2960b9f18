// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/winograd.h"

#include <algorithm>

#include "base/environment.h"
#include "kernels/blocked_tiles.h"
#include "kernels/channel_blocks.h"
#include "kernels/gemm_pack.h"
#include "kernels/parallel_items.h"

namespace foothold {
namespace {

constexpr std::size_t kCacheFloats = 160 * 1024;  // of a part: transforms and products stay in the caches
constexpr std::size_t kLeastTiles = 48;           // of a part: less would read the filter too often
// Between places of a filter, so that those of one channel do not meet in one set of the caches.
constexpr std::size_t kApart = 16;

// Nanoseconds on a machine that does 90 products of floats in one.
struct Cost {
  static constexpr double kProduct = 1.0 / 45;
  static constexpr double kByteNear = 1.0 / 40,
                          kByteFar = 1.0 / 15;  // of the filter, in the last cache or not
  static constexpr double kFar = 12e6;          // bytes
};

double DirectCost(const ConvolutionShape& s) {
  return s.Work() * Cost::kProduct;
}

double WinogradCost(const ConvolutionShape& s, std::size_t side) {
  const double tiles = static_cast<double>(s.batch * Parts(s.out_height, side) * Parts(s.out_width, side));
  const double in = static_cast<double>(s.channels), out = static_cast<double>(s.out_channels);
  const double places = static_cast<double>((side + 2) * (side + 2));
  const double bytes = places * in * out * 4;
  const double products = places * tiles * in * out * Cost::kProduct;
  const double reading = bytes * (bytes > Cost::kFar ? Cost::kByteFar : Cost::kByteNear);
  const double transforms = tiles * places * (in + out) * 0.25;
  return std::max(products * 1.1, reading) + transforms;
}

}  // namespace

std::size_t WinogradSide(const ConvolutionShape& s) {
  const bool plain = s.kernel_height == 3 && s.kernel_width == 3 && s.stride_height == 1 &&
                     s.stride_width == 1 && s.dilation_height == 1 && s.dilation_width == 1 && s.groups == 1;
  if (GetEnvInt("FOOTHOLD_WINOGRAD", 1, 0, 1) == 0) return 0;
  if (!plain || s.channels < ChannelBlock() || s.out_channels < ChannelBlock()) return 0;
  const double direct = DirectCost(s), two = WinogradCost(s, 2), four = WinogradCost(s, 4);
  if (direct <= two && direct <= four) return 0;
  return four <= two ? 4 : 2;
}

WinogradPlan::WinogradPlan(const ConvolutionShape& shape, std::size_t side, bool pairs)
    : shape_(shape),
      pairs_(pairs),
      side_(side),
      places_((side + 2) * (side + 2)),
      in_blocks_(Parts(shape.channels, ChannelBlock())),
      out_blocks_(Parts(shape.out_channels, ChannelBlock())),
      tile_rows_(Parts(shape.out_height, side)),
      tile_columns_(Parts(shape.out_width, side)) {
  const std::size_t lanes = ChannelBlock(), tiles = shape.batch * tile_rows_ * tile_columns_;
  matrix_ = in_blocks_ * out_blocks_ * lanes * lanes + kApart;
  // Odd numbers of cache lines, so that the same channel of all tiles does not meet in one set.
  in_stride_ = (in_blocks_ * lanes / 16 | 1) * 16 + (in_blocks_ * lanes % 16 == 0 ? 0 : 16);
  out_stride_ = (out_blocks_ * lanes / 16 | 1) * 16 + (out_blocks_ * lanes % 16 == 0 ? 0 : 16);
  const std::size_t fitting = kCacheFloats / (places_ * (in_stride_ + out_stride_));
  const std::size_t wanted = std::max(kLeastTiles, fitting);
  tile_step_ = RoundUp(Parts(tiles, Parts(tiles, wanted)), kTilePixels);
  tile_step_ = std::min(tile_step_, RoundUp(tiles, kTilePixels));
  tile_parts_ = Parts(tiles, tile_step_);
  const auto threads = static_cast<std::size_t>(ParallelThreads());
  slots_ = tile_parts_ >= 2 * threads ? SlotsFor(tile_parts_, shape.Work()) : 1;
  panel_slots_ = SlotsFor(Parts(out_blocks_, kTileBlocks), shape.Work());
  for (std::size_t i = 0; i < tile_step_; ++i)
    offsets_.push_back(static_cast<std::int32_t>(i * in_stride_));
}

std::size_t WinogradPlan::PackedFilterBytes() const {
  return places_ * matrix_ * sizeof(float);
}

// Panel by panel from `to` on.
void WinogradPlan::PackBlocks(const LooseFilter& filter, std::size_t block, std::size_t blocks, float* to,
                              std::size_t place_stride) const {
  const std::size_t lanes = ChannelBlock(), depth = in_blocks_ * lanes;
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::size_t panel = i / kTileBlocks * kTileBlocks, o = (block + i) * lanes;
    const std::size_t width = std::min(kTileBlocks, out_blocks_ - block - panel) * lanes;
    float* line = to + panel * lanes * depth + (i - panel) * lanes;
    const std::size_t filters = std::min(lanes, shape_.out_channels - o);
    for (std::size_t c = 0; c < shape_.channels; ++c)
      TransformWinogradFilters(side_,
                               {filter.data + o * filter.strides.out + c * filter.strides.in, filter.strides,
                                filter.turned, filters},
                               line + c * width, place_stride);
    for (std::size_t c = shape_.channels; c < depth; ++c)
      for (std::size_t place = 0; place < places_; ++place)
        std::fill_n(line + place * place_stride + c * width, lanes, 0.0f);
  }
}

void WinogradPlan::PackFilter(const float* filter, const FilterStrides& strides, float* to) const {
  const std::size_t lanes = ChannelBlock(), depth = in_blocks_ * lanes;
  for (std::size_t place = 0; place < places_;
       ++place)  // nothing is left as it was: packed filters are saved
    std::fill_n(to + (place + 1) * matrix_ - kApart, kApart, 0.0f);
  ParallelFor(Parts(out_blocks_, kTileBlocks), 1, [&](std::size_t begin, std::size_t end) {
    const std::size_t block = begin * kTileBlocks, past = std::min(end * kTileBlocks, out_blocks_);
    PackBlocks({filter, strides}, block, past - block, to + block * lanes * depth, matrix_);
  });
}

void WinogradPlan::PackTransformed(const TransformFilter& transform, float* to) const {
  const std::size_t lanes = ChannelBlock(), depth = in_blocks_ * lanes;
  std::fill_n(to, places_ * matrix_, 0.0f);
  ParallelFor(out_blocks_, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t o = begin * lanes; o < std::min(end * lanes, shape_.out_channels); ++o) {
      const std::size_t panel = o / lanes / kTileBlocks * kTileBlocks;
      const std::size_t width = std::min(kTileBlocks, out_blocks_ - panel) * lanes;
      float* line = to + panel * lanes * depth + o - panel * lanes;
      for (std::size_t c = 0; c < shape_.channels; ++c) {
        float transformed[36];
        transform(o, c, transformed);
        for (std::size_t place = 0; place < places_; ++place)
          line[place * matrix_ + c * width] = transformed[place];
      }
    }
  });
}

std::size_t WinogradPlan::SlotFloats() const {
  return places_ * tile_step_ * (in_stride_ + out_stride_);
}

std::size_t WinogradPlan::WorkspaceBytes() const {
  return slots_ * SlotFloats() * sizeof(float);
}

WinogradPlan::Part WinogradPlan::PartOf(std::size_t index, std::byte* workspace, std::size_t slot) const {
  Part part;
  part.tile = index * tile_step_;
  part.tiles = std::min(tile_step_, shape_.batch * tile_rows_ * tile_columns_ - part.tile);
  part.transformed = reinterpret_cast<float*>(workspace) + slot * SlotFloats();
  part.products = part.transformed + places_ * tile_step_ * in_stride_;
  return part;
}

// Calls visit(image, tile, tiles, at) for the tiles of each image; `at` is where they stand in the part.
template <typename Visit>
void WinogradPlan::ForEachImage(const Part& part, Visit&& visit) const {
  const std::size_t all = tile_rows_ * tile_columns_;
  for (std::size_t at = 0; at < part.tiles;) {
    const std::size_t image = (part.tile + at) / all, tile = (part.tile + at) % all;
    const std::size_t tiles = std::min(part.tiles - at, all - tile);
    visit(image, tile, tiles, at);
    at += tiles;
  }
}

void WinogradPlan::TransformIn(const Part& part, const float* input, const WinogradSteps& steps,
                               std::size_t block) const {
  const std::size_t lanes = ChannelBlock();
  ForEachImage(part, [&](std::size_t image, std::size_t tile, std::size_t count, std::size_t at) {
    const WinogradTiles tiles{&shape_,   side_, tile, count, tile_columns_, tile_step_ * in_stride_,
                              in_stride_};
    steps.in(tiles, input + (image * in_blocks_ + block) * shape_.Pixels() * lanes,
             part.transformed + at * in_stride_ + block * lanes);
  });
}

void WinogradPlan::Multiply(const Part& part, const Panels& panels, std::size_t place) const {
  const std::size_t lanes = ChannelBlock(), depth = in_blocks_ * lanes;
  BlockedTiles tiles;
  tiles.pairs = pairs_;
  tiles.input = part.transformed + place * tile_step_ * in_stride_;
  tiles.offsets = offsets_.data();
  tiles.lanes = tiles.last_lanes = depth;
  tiles.distance = in_stride_;
  tiles.filter = panels.filter + place * panels.place_stride;
  tiles.filter_step = kTileBlocks * lanes * depth;
  tiles.pixels = part.tiles;
  tiles.out_blocks = panels.blocks;
  tiles.out = part.products + place * tile_step_ * out_stride_ + panels.block * lanes;
  tiles.pixel_step = out_stride_;
  tiles.block_step = lanes;
  RunBlockedTiles(tiles);
}

void WinogradPlan::TransformOut(const Part& part, const WinogradSteps& steps, std::size_t step) const {
  const std::size_t block = step * steps.out_blocks;
  ForEachImage(part, [&](std::size_t image, std::size_t tile, std::size_t count, std::size_t at) {
    const WinogradTiles tiles{&shape_,    side_, tile, count, tile_columns_, tile_step_ * out_stride_,
                              out_stride_};
    steps.out(tiles, part.products + at * out_stride_ + block * ChannelBlock(), image, block);
  });
}

void WinogradPlan::RunAlone(const Part& part, const float* input, const float* filter,
                            const WinogradSteps& steps) const {
  for (std::size_t block = 0; block < in_blocks_; ++block)
    TransformIn(part, input, steps, block);
  for (std::size_t place = 0; place < places_; ++place)
    Multiply(part, {0, out_blocks_, filter, matrix_}, place);
  for (std::size_t step = 0; step < Parts(out_blocks_, steps.out_blocks); ++step)
    TransformOut(part, steps, step);
}

void WinogradPlan::RunTogether(const Part& part, const float* input, const float* filter,
                               const WinogradSteps& steps) const {
  ForEachItem(in_blocks_, SlotsFor(in_blocks_, shape_.Work()),
              [&](std::size_t, std::size_t block) { TransformIn(part, input, steps, block); });
  ForEachItem(places_, SlotsFor(places_, shape_.Work()), [&](std::size_t, std::size_t place) {
    Multiply(part, {0, out_blocks_, filter, matrix_}, place);
  });
  const std::size_t outs = Parts(out_blocks_, steps.out_blocks);
  ForEachItem(outs, SlotsFor(outs, shape_.Work()),
              [&](std::size_t, std::size_t step) { TransformOut(part, steps, step); });
}

// Those of floats; they refer to the finish.
WinogradSteps WinogradPlan::StepsOf(const OutputFinish& finish, float* output) const {
  WinogradSteps steps;
  steps.in = TransformWinogradInput;
  steps.out = [this, &finish, output](const WinogradTiles& tiles, const float* products, std::size_t image,
                                      std::size_t block) {
    const std::size_t lanes = ChannelBlock();
    const std::size_t plane = (image * out_blocks_ + block) * shape_.OutPixels() * lanes;
    OutputFinish shifted = finish;
    if (finish.bias != nullptr) shifted.bias += block * lanes;
    if (finish.residual != nullptr) shifted.residual += plane;
    TransformWinogradOutput(tiles, products, shifted, output + plane);
  };
  return steps;
}

void WinogradPlan::Run(const float* input, const float* packed_filter, const OutputFinish& finish,
                       float* output, std::byte* workspace) const {
  RunSteps(input, packed_filter, StepsOf(finish, output), workspace);
}

void WinogradPlan::RunSteps(const float* input, const float* packed_filter, const WinogradSteps& steps,
                            std::byte* workspace) const {
  if (slots_ > 1) {
    ForEachItem(tile_parts_, slots_, [&](std::size_t slot, std::size_t index) {
      RunAlone(PartOf(index, workspace, slot), input, packed_filter, steps);
    });
    return;
  }
  for (std::size_t index = 0; index < tile_parts_; ++index)
    RunTogether(PartOf(index, workspace, 0), input, packed_filter, steps);
}

// Of a panel that is packed by itself.
std::size_t WinogradPlan::PanelStride() const {
  return in_blocks_ * ChannelBlock() * kTileBlocks * ChannelBlock() + kApart;
}

std::size_t WinogradPlan::PackingWorkspaceBytes() const {
  const std::size_t packed =
      PacksByPanel() ? panel_slots_ * places_ * PanelStride() * sizeof(float) : PackedFilterBytes();
  return RoundUp(WorkspaceBytes(), 64) + packed;
}

void WinogradPlan::RunPanel(const Part& part, const LooseFilter& filter, std::size_t panel,
                            const WinogradSteps& steps, float* packed) const {
  const std::size_t block = panel * kTileBlocks, blocks = std::min(kTileBlocks, out_blocks_ - block);
  PackBlocks(filter, block, blocks, packed, PanelStride());
  for (std::size_t place = 0; place < places_; ++place)
    Multiply(part, {block, blocks, packed, PanelStride()}, place);
  for (std::size_t i = 0; i < blocks; ++i)
    TransformOut(part, steps, block + i);
}

void WinogradPlan::RunPacking(const float* input, const LooseFilter& filter, const OutputFinish& finish,
                              float* output, std::byte* workspace) const {
  auto* packed = reinterpret_cast<float*>(workspace + RoundUp(WorkspaceBytes(), 64));
  const std::size_t lanes = ChannelBlock(), panels = Parts(out_blocks_, kTileBlocks);
  if (!PacksByPanel()) {
    ForEachItem(panels, panel_slots_, [&](std::size_t, std::size_t panel) {
      const std::size_t block = panel * kTileBlocks;
      PackBlocks(filter, block, std::min(kTileBlocks, out_blocks_ - block),
                 packed + block * lanes * in_blocks_ * lanes, matrix_);
    });
    return Run(input, packed, finish, output, workspace);
  }
  const Part part = PartOf(0, workspace, 0);
  const WinogradSteps steps = StepsOf(finish, output);
  ForEachItem(in_blocks_, SlotsFor(in_blocks_, shape_.Work()),
              [&](std::size_t, std::size_t block) { TransformIn(part, input, steps, block); });
  ForEachItem(panels, panel_slots_, [&](std::size_t slot, std::size_t panel) {
    RunPanel(part, filter, panel, steps, packed + slot * places_ * PanelStride());
  });
}

}  // namespace foothold
