// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/convolution.h"

#include <algorithm>

#include "kernels/gemm_pack.h"
#include "kernels/im2col.h"
#include "kernels/parallel_items.h"

namespace foothold {
namespace {

constexpr std::size_t kPixelStep = 96;  // with kDepthStep: a block of pixels stays in the second cache
constexpr std::size_t kDepthStep = 256;
constexpr std::size_t kRowStep = 96;     // rows of the filter at a time, in planes
constexpr std::size_t kLeastPanels = 4;  // of the filter in an item: less would pack pixels too often

}  // namespace

ConvolutionPlan::ConvolutionPlan(const ConvolutionShape& shape) : shape_(shape) {
  pixel_step_ = RoundUp(kPixelStep, PixelWidth());
  pixel_parts_ = Parts(shape.OutPixels(), pixel_step_);
  const std::size_t panels = std::max<std::size_t>(1, Parts(shape.GroupOutChannels(), FilterWidth()));
  const std::size_t without = std::max<std::size_t>(1, shape.batch * shape.groups * pixel_parts_);
  const std::size_t wanted = Parts(4 * static_cast<std::size_t>(ParallelThreads()), without);
  const std::size_t most = std::max<std::size_t>(1, panels / kLeastPanels);
  channel_step_ = Parts(panels, std::min(wanted, most)) * FilterWidth();
  channel_parts_ = Parts(shape.GroupOutChannels(), channel_step_);
  items_ = shape.batch * shape.groups * pixel_parts_ * channel_parts_;
  slots_ = SlotsFor(items_, shape.Work());
}

std::size_t ConvolutionPlan::FilterWidth() const {
  return shape_.channels_last ? TileOfGemm().columns : TileOfGemm().rows;
}

std::size_t ConvolutionPlan::PixelWidth() const {
  return shape_.channels_last ? TileOfGemm().rows : TileOfGemm().columns;
}

std::size_t ConvolutionPlan::GroupFilterFloats() const {
  return RoundUp(RoundUp(shape_.GroupOutChannels(), FilterWidth()) * shape_.Depth(), 16);
}

std::size_t ConvolutionPlan::PackedFilterBytes() const {
  return shape_.groups * GroupFilterFloats() * sizeof(float);
}

std::size_t ConvolutionPlan::ScratchFloats() const {
  return RoundUp(pixel_step_ * std::min(kDepthStep, shape_.Depth()), 16);
}

std::size_t ConvolutionPlan::WorkspaceBytes() const {
  return slots_ * ScratchFloats() * sizeof(float);
}

void ConvolutionPlan::PackFilter(const float* filter, const FilterStrides& strides, float* to) const {
  const std::size_t width = FilterWidth(), depth = shape_.Depth();
  const std::size_t depth_channel = shape_.channels_last ? 1 : shape_.KernelArea();
  const std::size_t depth_place = shape_.channels_last ? shape_.GroupChannels() : 1;
  std::fill_n(to, PackedFilterBytes() / sizeof(float), 0.0f);
  const std::size_t grain = 1 + 32768 / (1 + depth);
  ParallelFor(shape_.out_channels, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t o = begin; o < end; ++o) {
      const std::size_t own = o % shape_.GroupOutChannels();
      float* line = to + o / shape_.GroupOutChannels() * GroupFilterFloats() + own / width * width * depth +
                    own % width;
      for (std::size_t c = 0; c < shape_.GroupChannels(); ++c)
        for (std::size_t place = 0; place < shape_.KernelArea(); ++place)
          line[(c * depth_channel + place * depth_place) * width] =
              filter[o * strides.out + c * strides.in + place / shape_.kernel_width * strides.row +
                     place % shape_.kernel_width * strides.column];
    }
  });
}

ConvolutionPlan::Item ConvolutionPlan::ItemOf(std::size_t index) const {
  Item item;
  item.channel = index % channel_parts_ * channel_step_;
  item.channels = std::min(channel_step_, shape_.GroupOutChannels() - item.channel);
  index /= channel_parts_;
  item.pixel = index % pixel_parts_ * pixel_step_;
  item.pixels = std::min(pixel_step_, shape_.OutPixels() - item.pixel);
  index /= pixel_parts_;
  item.group = index % shape_.groups;
  item.image = index / shape_.groups;
  return item;
}

// Everything but the part of the depth, with the filter where its panels for the item start.
GemmBlock ConvolutionPlan::BlockOf(const Item& item, const float* filter, float* output) const {
  const float* panels = filter + item.group * GroupFilterFloats() + item.channel * shape_.Depth();
  const std::size_t channel = item.group * shape_.GroupOutChannels() + item.channel;
  GemmBlock block;
  if (shape_.channels_last) {
    block.right = panels;
    block.right_panel = FilterWidth() * shape_.Depth();
    block.rows = item.pixels;
    block.columns = item.channels;
    block.out = output + (item.image * shape_.OutPixels() + item.pixel) * shape_.out_channels + channel;
    block.out_stride = shape_.out_channels;
  } else {
    block.left = panels;
    block.left_panel = FilterWidth() * shape_.Depth();
    block.rows = item.channels;
    block.columns = item.pixels;
    block.out = output + (item.image * shape_.out_channels + channel) * shape_.OutPixels() + item.pixel;
    block.out_stride = shape_.OutPixels();
  }
  return block;
}

namespace {

// The filter is longer than the second cache holds: some rows at a time.
void RunInRows(GemmBlock block, GemmEpilogue finish, bool last) {
  const std::size_t rows = block.rows;
  const std::size_t panel_rows = TileOfGemm().rows;
  for (std::size_t row = 0; row < rows; row += kRowStep) {
    block.rows = std::min(kRowStep, rows - row);
    block.finish = last ? &finish : nullptr;
    RunGemmBlock(block);
    block.left += kRowStep / panel_rows * block.left_panel;
    block.out += kRowStep * block.out_stride;
    if (finish.row_bias != nullptr) finish.row_bias += kRowStep;
  }
}

}  // namespace

void ConvolutionPlan::RunItem(const Item& item, const float* input, const float* filter,
                              const GemmEpilogue& finish, float* output, float* scratch) const {
  const ImageStrides strides = StridesOf(shape_.channels, shape_.height, shape_.width, shape_.channels_last);
  const float* image =
      input + item.image * strides.image + item.group * shape_.GroupChannels() * strides.channel;
  GemmBlock block = BlockOf(item, filter, output);
  std::size_t begin = 0;
  do {  // once even if there is no depth: the output must be written
    block.depth = std::min(kDepthStep, shape_.Depth() - begin);
    PackPixels(shape_, image, {item.pixel, item.pixels, begin, block.depth}, PixelWidth(), scratch);
    (shape_.channels_last ? block.left : block.right) = scratch;
    (shape_.channels_last ? block.left_panel : block.right_panel) = PixelWidth() * block.depth;
    RunInRows(block, finish, begin + block.depth == shape_.Depth());
    (shape_.channels_last ? block.right : block.left) += FilterWidth() * block.depth;
    begin += block.depth;
    block.accumulate = true;
  } while (begin < shape_.Depth());
}

void ConvolutionPlan::Run(const float* input, const float* packed_filter, const float* bias, float* output,
                          std::byte* workspace, const OutputLimits& limits) const {
  auto* scratch = reinterpret_cast<float*>(workspace);
  const std::size_t step = ScratchFloats();
  ForEachItem(items_, slots_, [&](std::size_t slot, std::size_t index) {
    const Item item = ItemOf(index);
    GemmEpilogue finish{.activation = {Activation::kClip, limits.low, limits.high}};
    if (bias != nullptr)
      (shape_.channels_last ? finish.column_bias : finish.row_bias) =
          bias + item.group * shape_.GroupOutChannels() + item.channel;
    RunItem(item, input, packed_filter, finish, output, scratch + slot * step);
  });
}

}  // namespace foothold
