// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/blocked_convolution.h"

#include <algorithm>

#include "kernels/channel_blocks.h"
#include "kernels/even_division.h"
#include "kernels/gemm_pack.h"
#include "kernels/parallel_items.h"

namespace foothold {
namespace {

constexpr std::size_t kPixelStep = 32 * kTilePixels;
constexpr std::size_t kDepthStep = 320;      // a panel of the filter stays in the first cache
constexpr std::size_t kLongDepthStep = 512;  // with one tap: then it need not share it with rows of the input
constexpr std::size_t kWholeDepthStep = 1024;  // few tiles use a panel, and another pass over them costs more
constexpr std::size_t kFewPixels = 16 * kTilePixels;
constexpr std::size_t kLeastPixels = 8 * kTilePixels;
constexpr std::size_t kMostOffsets = 8192;  // in the table of an item: it stays in the second cache

constexpr std::size_t kFewFloats = 16384;  // of an image: putting pixels together costs next to nothing

// With all channels in one block, the pixels of a window's row lie side by side.
bool MayHaveWholeRows(const ConvolutionShape& s) {
  return s.pad_top == 0 && s.pad_left == 0 && s.groups == 1 && s.dilation_width == 1 &&
         (s.out_height - 1) * s.stride_height + (s.kernel_height - 1) * s.dilation_height < s.height &&
         (s.out_width - 1) * s.stride_width + s.kernel_width <= s.width;
}

// Long rows of few taps instead of many taps of few blocks, the last of which is not full.
bool WorthJoining(const ConvolutionShape& s, std::size_t lanes) {
  return MayHaveWholeRows(s) && s.kernel_width > 1 && s.channels % lanes != 0 &&
         s.batch * s.channels * s.Pixels() <= kFewFloats;
}

// One pixel of the input for each of the output, but not all of them.
bool TakesEveryNth(const ConvolutionShape& s) {
  return s.KernelArea() == 1 && (s.stride_height > 1 || s.stride_width > 1) && s.pad_top == 0 &&
         s.pad_left == 0 && (s.out_height - 1) * s.stride_height < s.height &&
         (s.out_width - 1) * s.stride_width < s.width;
}

template <std::size_t kLanes>
float* CopyPixels(const float* from, std::size_t step, std::size_t lanes, std::size_t count, float* to) {
  const std::size_t width = kLanes > 0 ? kLanes : lanes;
  for (std::size_t i = 0; i < count; ++i, to += width, from += step)
    std::copy_n(from, width, to);
  return to;
}

}  // namespace

bool BlockedConvolutionPlan::Applies(const ConvolutionShape& shape) {
  if (shape.Work() == 0) return false;
  const std::size_t width = ChannelBlock();
  return shape.groups == 1 || (shape.GroupChannels() % width == 0 && shape.GroupOutChannels() % width == 0);
}

BlockedConvolutionPlan::BlockedConvolutionPlan(const ConvolutionShape& shape, std::size_t lanes, bool pairs)
    : shape_(shape),
      pairs_(pairs),
      source_lanes_(lanes),
      joins_(WorthJoining(shape, lanes)),
      lanes_(joins_ ? shape.channels : lanes),
      taps_(MayHaveWholeRows(shape) && lanes_ == shape.channels ? shape.kernel_height : shape.KernelArea()),
      tap_lanes_(lanes_ * shape.KernelArea() / taps_),
      in_blocks_(Parts(shape.GroupChannels(), lanes_)),
      out_blocks_(Parts(shape.GroupOutChannels(), ChannelBlock())) {
  gathers_ = TakesEveryNth(shape);
  const std::size_t depth = shape.OutPixels() <= kFewPixels ? kWholeDepthStep
                            : taps_ == 1                    ? kLongDepthStep
                                                            : kDepthStep;
  depth_blocks_ = std::max<std::size_t>(1, depth / (shape.KernelArea() * lanes_));
  gathered_blocks_ = pairs ? in_blocks_ : depth_blocks_;  // all panels of an item read what is gathered
  Divide();
  slots_ = SlotsFor(items_, shape.Work());
  FillTapOffsets();
  const std::size_t all = RoundUp(shape.OutPixels(), kTilePixels) * taps_;
  if (SideBySide() || all > kMostOffsets) return;
  offsets_.resize(all);
  FillOffsets({.pixel = 0, .pixels = shape.OutPixels()}, offsets_.data());
}

// Parts of the output's blocks read the filter once; only where there are too few, pixels are divided too.
void BlockedConvolutionPlan::Divide() {
  const std::size_t panels = Parts(out_blocks_, kTileBlocks), pixels = shape_.OutPixels();
  const std::size_t threads = static_cast<std::size_t>(ParallelThreads());
  const std::size_t wanted = threads == 1 ? 1 : 4 * threads;
  const std::size_t without = shape_.batch * shape_.groups;
  const std::size_t fitting = std::max(kLeastPixels, kMostOffsets / taps_);
  const std::size_t most = Parts(pixels, kLeastPixels);
  std::size_t parts = Parts(pixels, std::min(kPixelStep, fitting));
  parts = std::max(parts, std::min(most, Parts(wanted, without * panels)));
  const std::size_t step = RoundUp(Parts(pixels, parts), kTilePixels);
  const std::size_t panel_parts = std::min(panels, Parts(wanted, without * Parts(pixels, step)));
  const GridPart part =
      EvenPart({pixels, panels, without}, {step, Parts(panels, panel_parts)}, kTilePixels, most);
  pixel_step_ = part.rows;
  block_step_ = part.columns * kTileBlocks;
  pixel_parts_ = Parts(pixels, pixel_step_);
  block_parts_ = Parts(out_blocks_, block_step_);
  items_ = without * pixel_parts_ * block_parts_;
}

void BlockedConvolutionPlan::FillTapOffsets() {
  const ConvolutionShape& s = shape_;
  if (SideBySide()) {
    for (std::size_t pixel = 0; pixel < pixel_step_; ++pixel)
      tap_offsets_.push_back(static_cast<std::int32_t>(pixel * lanes_));
    return;
  }
  const auto signed_of = [](std::size_t size) { return static_cast<std::ptrdiff_t>(size); };
  for (std::size_t tap = 0; tap < taps_; ++tap) {
    const std::size_t taps_in_row = taps_ / s.kernel_height;
    const std::ptrdiff_t h = signed_of(tap / taps_in_row * s.dilation_height) - signed_of(s.pad_top);
    const std::ptrdiff_t w = signed_of(tap % taps_in_row * s.dilation_width) - signed_of(s.pad_left);
    tap_offsets_.push_back(static_cast<std::int32_t>((h * signed_of(s.width) + w) * signed_of(lanes_)));
  }
  // None where windows are wider than the image.
  const auto inner = [&](std::size_t pad, std::size_t reach, std::size_t stride, std::size_t extent,
                         std::size_t out) {
    const std::size_t begin = PositionsInside(-signed_of(pad), stride, extent, out).begin;
    const std::size_t end = PositionsInside(signed_of(reach) - signed_of(pad), stride, extent, out).end;
    return InsideRange{begin, std::max(begin, end)};
  };
  inner_rows_ =
      inner(s.pad_top, (s.kernel_height - 1) * s.dilation_height, s.stride_height, s.height, s.out_height);
  inner_columns_ =
      inner(s.pad_left, (s.kernel_width - 1) * s.dilation_width, s.stride_width, s.width, s.out_width);
}

std::size_t BlockedConvolutionPlan::GroupFilterFloats() const {
  return out_blocks_ * ChannelBlock() * in_blocks_ * lanes_ * shape_.KernelArea();
}

std::size_t BlockedConvolutionPlan::PackedFilterBytes() const {
  return shape_.groups * GroupFilterFloats() * sizeof(float);
}

// The blocks that are summed up at a time stand together, tap by tap.
std::size_t BlockedConvolutionPlan::PlaceOf(std::size_t channel, std::size_t tap) const {
  const std::size_t block = channel / lanes_, begin = block / depth_blocks_ * depth_blocks_;
  const std::size_t blocks = std::min(depth_blocks_, in_blocks_ - begin);
  return ((begin * shape_.KernelArea() + tap * blocks + block - begin) * lanes_) + channel % lanes_;
}

void BlockedConvolutionPlan::PackFilter(const float* filter, const FilterStrides& strides, float* to) const {
  const std::size_t width = ChannelBlock(), taps = shape_.KernelArea();
  const std::size_t depth = in_blocks_ * taps * lanes_;
  std::fill_n(to, shape_.groups * GroupFilterFloats(), 0.0f);
  ParallelFor(shape_.out_channels, 1 + 32768 / depth, [&](std::size_t begin, std::size_t end) {
    for (std::size_t o = begin; o < end; ++o) {
      const std::size_t own = o % shape_.GroupOutChannels(), block = own / width;
      const std::size_t panel = block / kTileBlocks * kTileBlocks;
      const std::size_t panel_width = std::min(kTileBlocks, out_blocks_ - panel) * width;
      float* line = to + o / shape_.GroupOutChannels() * GroupFilterFloats() + panel * width * depth + own -
                    panel * width;
      for (std::size_t c = 0; c < shape_.GroupChannels(); ++c)
        for (std::size_t tap = 0; tap < taps; ++tap)
          line[PlaceOf(c, tap) * panel_width] =
              filter[o * strides.out + c * strides.in + tap / shape_.kernel_width * strides.row +
                     tap % shape_.kernel_width * strides.column];
    }
  });
}

std::size_t BlockedConvolutionPlan::WorkspaceBytes() const {
  return slots_ * SlotBytes() + JoinedBytes();
}

std::size_t BlockedConvolutionPlan::JoinedBytes() const {
  return joins_ ? shape_.batch * shape_.Pixels() * lanes_ * sizeof(float) : 0;
}

std::size_t BlockedConvolutionPlan::SlotBytes() const {
  if (gathers_) return SumsBytes() + pixel_step_ * gathered_blocks_ * lanes_ * sizeof(float);
  const bool table = !SideBySide() && offsets_.empty();
  return SumsBytes() + (table ? RoundUp(pixel_step_ * taps_, 16) * sizeof(std::int32_t) : 0);
}

std::size_t BlockedConvolutionPlan::SumsBytes() const {
  return pairs_ ? kTileBlocks * pixel_step_ * ChannelBlock() * sizeof(float) : 0;
}

BlockedConvolutionPlan::Item BlockedConvolutionPlan::ItemOf(std::size_t index) const {
  Item item;
  item.block = index % block_parts_ * block_step_;
  item.blocks = std::min(block_step_, out_blocks_ - item.block);
  index /= block_parts_;
  item.pixel = index % pixel_parts_ * pixel_step_;
  item.pixels = std::min(pixel_step_, shape_.OutPixels() - item.pixel);
  index /= pixel_parts_;
  item.group = index % shape_.groups;
  item.image = index / shape_.groups;
  return item;
}

// Taps of tiles whose windows are inside lie at the same distances from their pixels.
void BlockedConvolutionPlan::FillOffsets(const Item& item, std::int32_t* offsets) const {
  const ConvolutionShape& s = shape_;
  const std::size_t past = item.pixel + item.pixels;
  std::size_t row = item.pixel / s.out_width, column = item.pixel % s.out_width;
  for (std::size_t tile = item.pixel; tile < past; tile += kTilePixels, offsets += kTilePixels * taps_) {
    std::int32_t first[kTilePixels];
    bool inside = true;
    TilePixel pixels[kTilePixels];
    for (std::size_t i = 0; i < kTilePixels; ++i) {  // what is past the last is computed for nobody
      pixels[i] = {row, column};
      first[i] =
          static_cast<std::int32_t>((row * s.stride_height * s.width + column * s.stride_width) * lanes_);
      inside &= row - inner_rows_.begin < inner_rows_.end - inner_rows_.begin &&
                column - inner_columns_.begin < inner_columns_.end - inner_columns_.begin;
      if (tile + i + 1 < past && ++column == s.out_width) column = 0, ++row;
    }
    if (inside)
      for (std::size_t tap = 0; tap < taps_; ++tap)
        for (std::size_t i = 0; i < kTilePixels; ++i)
          offsets[tap * kTilePixels + i] = first[i] + tap_offsets_[tap];
    else
      FillEdges(pixels, offsets);
  }
}

const std::int32_t* BlockedConvolutionPlan::OffsetsOf(const Item& item, std::byte* workspace) const {
  if (SideBySide()) return tap_offsets_.data();
  if (!offsets_.empty()) return offsets_.data() + item.pixel * taps_;
  auto* offsets = reinterpret_cast<std::int32_t*>(workspace);
  FillOffsets(item, offsets);
  return offsets;
}

void BlockedConvolutionPlan::FillEdges(const TilePixel* pixels, std::int32_t* offsets) const {
  const ConvolutionShape& s = shape_;
  const std::size_t taps_in_row = taps_ / s.kernel_height;
  for (std::size_t i = 0; i < kTilePixels; ++i)
    for (std::size_t tap = 0; tap < taps_; ++tap) {
      const std::size_t y = tap / taps_in_row, x = tap % taps_in_row;
      const std::size_t h = pixels[i].row * s.stride_height + y * s.dilation_height - s.pad_top;
      const std::size_t w = pixels[i].column * s.stride_width + x * s.dilation_width - s.pad_left;
      const bool inside = h < s.height && w < s.width;  // before the first wraps around
      offsets[tap * kTilePixels + i] = inside ? static_cast<std::int32_t>((h * s.width + w) * lanes_) : -1;
    }
}

void BlockedConvolutionPlan::Join(const float* from, float* to) const {
  const std::size_t blocks = Parts(lanes_, source_lanes_);
  for (std::size_t image = 0; image < shape_.batch; ++image, to += shape_.Pixels() * lanes_)
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t first = block * source_lanes_, count = std::min(source_lanes_, lanes_ - first);
      for (std::size_t pixel = 0; pixel < shape_.Pixels(); ++pixel, from += source_lanes_)
        std::copy_n(from, count, to + pixel * lanes_ + first);
    }
}

// The input pixels of an item side by side: every panel of the filter reads them again, and those of blocks
// far apart would meet in few sets of the first cache.
void BlockedConvolutionPlan::Gather(const Item& item, const float* from, std::size_t blocks,
                                    float* to) const {
  const ConvolutionShape& s = shape_;
  for (std::size_t block = 0; block < blocks; ++block, from += s.Pixels() * lanes_)
    for (std::size_t pixel = item.pixel; pixel < item.pixel + item.pixels;) {
      const std::size_t row = pixel / s.out_width, column = pixel % s.out_width;
      const std::size_t run = std::min(s.out_width - column, item.pixel + item.pixels - pixel);
      const float* line = from + (row * s.stride_height * s.width + column * s.stride_width) * lanes_;
      to = (lanes_ == 8 ? CopyPixels<8> : CopyPixels<0>)(line, s.stride_width * lanes_, lanes_, run, to);
      pixel += run;
    }
}

// All but what changes from one part of the sums to the next; `out` is where the item begins.
BlockedTiles BlockedConvolutionPlan::TilesOf(const Item& item, const float* filter, float* out,
                                             const std::int32_t* offsets) const {
  const std::size_t width = ChannelBlock(), depth = in_blocks_ * taps_ * tap_lanes_;
  BlockedTiles tiles;
  tiles.pairs = pairs_;
  tiles.input_step = (gathers_ ? item.pixels : shape_.Pixels()) * lanes_;
  tiles.offsets = offsets;
  tiles.distance = SideBySide() ? lanes_ : 0;
  tiles.taps = taps_;
  tiles.lanes = tap_lanes_;
  tiles.filter = filter + item.group * GroupFilterFloats() + item.block * width * depth;
  tiles.filter_step = kTileBlocks * width * depth;
  tiles.pixels = item.pixels;
  tiles.out_blocks = item.blocks;
  tiles.out = out;
  tiles.pixel_step = width;
  tiles.block_step = shape_.OutPixels() * width;
  return tiles;
}

void BlockedConvolutionPlan::RunItem(const Item& item, const float* input, const float* filter,
                                     const OutputFinish& finish, float* output, std::byte* workspace) const {
  auto* gathered = reinterpret_cast<float*>(workspace);
  const std::size_t width = ChannelBlock(), group = item.image * shape_.groups + item.group;
  const std::size_t place = ((group * out_blocks_ + item.block) * shape_.OutPixels() + item.pixel) * width;
  OutputFinish shifted = finish;
  if (finish.bias != nullptr) shifted.bias += (item.group * out_blocks_ + item.block) * width;
  if (finish.residual != nullptr) shifted.residual += place;
  BlockedTiles tiles = TilesOf(item, filter, output + place, OffsetsOf(item, workspace));
  const float* image = input + group * in_blocks_ * shape_.Pixels() * lanes_;
  for (std::size_t begin = 0; begin < in_blocks_; begin += depth_blocks_) {
    if (gathers_) {
      const std::size_t blocks = std::min(depth_blocks_, in_blocks_ - begin);
      Gather(item, image + begin * shape_.Pixels() * lanes_, blocks, gathered);
    }
    tiles.bias = shifted.bias;
    tiles.finish = begin + depth_blocks_ >= in_blocks_ ? &shifted : nullptr;
    RunPart(item, begin, gathers_ ? gathered : image + begin * tiles.input_step, tiles);
  }
}

// The products with the blocks of the input from `begin` on, which are at `from`.
void BlockedConvolutionPlan::RunPart(const Item& item, std::size_t begin, const float* from,
                                     BlockedTiles& tiles) const {
  tiles.blocks = std::min(depth_blocks_, in_blocks_ - begin);
  tiles.input = from;
  if (shape_.Pointwise()) tiles.input += item.pixel * lanes_;
  tiles.filter_begin = begin * taps_ * tap_lanes_;
  const bool last = begin + tiles.blocks == in_blocks_;
  tiles.last_lanes = last && taps_ == shape_.KernelArea() ? LastLanes() : tiles.lanes;
  tiles.accumulate = begin > 0;
  RunBlockedTiles(tiles);
}

const float* BlockedConvolutionPlan::Joined(const float* input, std::byte* workspace) const {
  if (!joins_) return input;
  auto* joined = reinterpret_cast<float*>(workspace + slots_ * SlotBytes());
  Join(input, joined);
  return joined;
}

void BlockedConvolutionPlan::Run(const float* input, const float* packed_filter, const OutputFinish& finish,
                                 float* output, std::byte* workspace) const {
  input = Joined(input, workspace);
  ForEachItem(items_, slots_, [&](std::size_t slot, std::size_t index) {
    RunItem(ItemOf(index), input, packed_filter, finish, output, workspace + slot * SlotBytes());
  });
}

// Panel by panel, so that its sums stay in the first caches until they are used.
void BlockedConvolutionPlan::SumItem(const Item& item, const float* input, const float* filter,
                                     const float* bias, std::byte* workspace, const UseSums& use) const {
  auto* sums = reinterpret_cast<float*>(workspace);
  auto* gathered = reinterpret_cast<float*>(workspace + SumsBytes());
  const std::size_t width = ChannelBlock(), group = item.image * shape_.groups + item.group;
  const float* image = input + group * in_blocks_ * shape_.Pixels() * lanes_;
  if (gathers_) Gather(item, image, in_blocks_, gathered);
  const std::int32_t* offsets = OffsetsOf(item, workspace + SumsBytes());
  for (Item panel = item; panel.block < item.block + item.blocks; panel.block += kTileBlocks) {
    panel.blocks = std::min(kTileBlocks, item.block + item.blocks - panel.block);
    BlockedTiles tiles = TilesOf(panel, filter, sums, offsets);
    tiles.block_step = item.pixels * width;
    if (bias != nullptr) tiles.bias = bias + (item.group * out_blocks_ + panel.block) * width;
    for (std::size_t begin = 0; begin < in_blocks_; begin += depth_blocks_)
      RunPart(panel, begin, (gathers_ ? gathered : image) + begin * tiles.input_step, tiles);
    use(panel, sums);
  }
}

void BlockedConvolutionPlan::RunSums(const float* input, const float* packed_filter, const float* bias,
                                     std::byte* workspace, const UseSums& use) const {
  input = Joined(input, workspace);
  ForEachItem(items_, slots_, [&](std::size_t slot, std::size_t index) {
    SumItem(ItemOf(index), input, packed_filter, bias, workspace + slot * SlotBytes(), use);
  });
}

}  // namespace foothold
