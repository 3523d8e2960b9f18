// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/convolution_gradient.h"

#include <algorithm>

#include "kernels/gemm.h"
#include "kernels/gemm_pack.h"
#include "kernels/im2col.h"
#include "kernels/parallel_items.h"

namespace foothold {
namespace {

constexpr std::size_t kRowStep = 96;
constexpr std::size_t kDepthStep = 256;
constexpr std::size_t kColumnStep = 256;
constexpr std::size_t kPanels = 4;  // of the filter's depth that one item of the filter's gradient has

// One group of the output's gradient as a matrix [out channel, pixel].
MatrixView GradientView(const ConvolutionShape& shape, const float* gradient, std::size_t image,
                        std::size_t group) {
  const ImageStrides strides =
      StridesOf(shape.out_channels, shape.out_height, shape.out_width, shape.channels_last);
  return {gradient + image * strides.image + group * shape.GroupOutChannels() * strides.channel,
          strides.channel, strides.column};
}

}  // namespace

InputGradientPlan::InputGradientPlan(const ConvolutionShape& shape) : shape_(shape) {
  channel_step_ = std::max<std::size_t>(1, kRowStep / std::max<std::size_t>(1, shape.KernelArea()));
  channel_parts_ = Parts(shape.GroupChannels(), channel_step_);
  pixel_step_ = RoundUp(std::min(kColumnStep, shape.OutPixels()), TileOfGemm().columns);
  items_ = shape.batch * shape.groups * channel_parts_;
  slots_ = SlotsFor(items_, shape.Work());
}

std::size_t InputGradientPlan::PartFloats() const {
  return RoundUp(PackedLeftFloats(channel_step_ * shape_.KernelArea(), shape_.GroupOutChannels()), 16);
}

std::size_t InputGradientPlan::PackedFilterBytes() const {
  return shape_.groups * channel_parts_ * PartFloats() * sizeof(float);
}

void InputGradientPlan::PackFilter(const float* filter, const FilterStrides& strides, float* to) const {
  const std::size_t width = TileOfGemm().rows, area = shape_.KernelArea();
  const std::size_t depth = shape_.GroupOutChannels();
  std::fill_n(to, PackedFilterBytes() / sizeof(float), 0.0f);
  ParallelFor(shape_.channels, 1 + 32768 / (1 + area * depth), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t group = i / shape_.GroupChannels(), channel = i % shape_.GroupChannels();
      float* part = to + (group * channel_parts_ + channel / channel_step_) * PartFloats();
      for (std::size_t place = 0; place < area; ++place) {
        const std::size_t row = channel % channel_step_ * area + place;
        const float* from = filter + group * depth * strides.out + channel * strides.in +
                            place / shape_.kernel_width * strides.row +
                            place % shape_.kernel_width * strides.column;
        for (std::size_t o = 0; o < depth; ++o)
          part[row / width * width * depth + o * width + row % width] = from[o * strides.out];
      }
    }
  });
}

std::size_t InputGradientPlan::ScratchFloats() const {
  const std::size_t columns = channel_step_ * shape_.KernelArea() * pixel_step_;
  return columns + pixel_step_ * std::min(kDepthStep, shape_.GroupOutChannels());
}

std::size_t InputGradientPlan::WorkspaceBytes() const {
  return slots_ * ScratchFloats() * sizeof(float);
}

InputGradientPlan::Item InputGradientPlan::ItemOf(std::size_t index) const {
  Item item;
  item.channel = index % channel_parts_ * channel_step_;
  item.channels = std::min(channel_step_, shape_.GroupChannels() - item.channel);
  index /= channel_parts_;
  item.group = index % shape_.groups;
  item.image = index / shape_.groups;
  return item;
}

void InputGradientPlan::FillChannels(const Item& item, const float* bias, float* image) const {
  const ImageStrides strides = StridesOf(shape_.channels, shape_.height, shape_.width, shape_.channels_last);
  const std::size_t first = item.group * shape_.GroupChannels() + item.channel;
  for (std::size_t c = 0; c < item.channels; ++c) {
    const float value = bias == nullptr ? 0.0f : bias[first + c];
    float* to = image + c * strides.channel;
    for (std::size_t pixel = 0; pixel < shape_.Pixels(); ++pixel)
      to[pixel * strides.column] = value;
  }
}

// columns[channel and place, pixel] of one block of pixels.
void InputGradientPlan::Multiply(const Item& item, const float* gradient, const float* filter,
                                 std::size_t pixel, std::size_t pixels, float* columns, float* packed) const {
  const MatrixView view = GradientView(shape_, gradient, item.image, item.group);
  const auto [tile_rows, tile_columns] = TileOfGemm();
  const std::size_t depth = shape_.GroupOutChannels();
  std::size_t begin = 0;
  do {
    const std::size_t part = std::min(kDepthStep, depth - begin);
    PackRight(view.At(begin, pixel), part, pixels, packed);
    RunGemmBlock({.left = filter + begin * tile_rows,
                  .left_panel = tile_rows * depth,
                  .right = packed,
                  .right_panel = tile_columns * part,
                  .rows = item.channels * shape_.KernelArea(),
                  .columns = pixels,
                  .depth = part,
                  .out = columns,
                  .out_stride = pixel_step_,
                  .accumulate = begin > 0});
    begin += part;
  } while (begin < depth);
}

void InputGradientPlan::RunItem(const Item& item, const float* gradient, const float* filter,
                                const float* bias, float* output, float* scratch) const {
  const ImageStrides strides = StridesOf(shape_.channels, shape_.height, shape_.width, shape_.channels_last);
  const std::size_t first = item.group * shape_.GroupChannels() + item.channel;
  float* image = output + item.image * strides.image + first * strides.channel;
  FillChannels(item, bias, image);
  const float* part = filter + (item.group * channel_parts_ + item.channel / channel_step_) * PartFloats();
  float* packed = scratch + channel_step_ * shape_.KernelArea() * pixel_step_;
  for (std::size_t pixel = 0; pixel < shape_.OutPixels(); pixel += pixel_step_) {
    const std::size_t pixels = std::min(pixel_step_, shape_.OutPixels() - pixel);
    Multiply(item, gradient, part, pixel, pixels, scratch, packed);
    AddColumns(shape_, scratch, pixel_step_, {pixel, pixels, 0, item.channels * shape_.KernelArea()}, image);
  }
}

void InputGradientPlan::Run(const float* output_gradient, const float* packed_filter, const float* bias,
                            float* input_gradient, std::byte* workspace) const {
  auto* scratch = reinterpret_cast<float*>(workspace);
  ForEachItem(items_, slots_, [&](std::size_t slot, std::size_t index) {
    RunItem(ItemOf(index), output_gradient, packed_filter, bias, input_gradient,
            scratch + slot * ScratchFloats());
  });
}

FilterGradientPlan::FilterGradientPlan(const ConvolutionShape& shape) : shape_(shape) {
  depth_step_ = kPanels * TileOfGemm().columns;
  depth_parts_ = Parts(shape.Depth(), depth_step_);
  channel_parts_ = Parts(shape.GroupOutChannels(), kRowStep);
  items_ = shape.groups * depth_parts_ * channel_parts_;
  slots_ = SlotsFor(items_, shape.Work());
}

std::size_t FilterGradientPlan::LeftFloats() const {
  return RoundUp(PackedLeftFloats(std::min(kRowStep, shape_.GroupOutChannels()), kColumnStep), 16);
}

std::size_t FilterGradientPlan::RightFloats() const {
  return depth_step_ * kColumnStep;
}

std::size_t FilterGradientPlan::WorkspaceBytes() const {
  return slots_ * (LeftFloats() + RightFloats()) * sizeof(float);
}

void FilterGradientPlan::RunItem(std::size_t index, const float* input, const float* gradient, float* filter,
                                 float* scratch) const {
  const std::size_t group = index / (depth_parts_ * channel_parts_);
  const std::size_t depth = index % depth_parts_ * depth_step_;
  const std::size_t channel = index / depth_parts_ % channel_parts_ * kRowStep;
  const ImageStrides strides = StridesOf(shape_.channels, shape_.height, shape_.width, shape_.channels_last);
  const auto [tile_rows, tile_columns] = TileOfGemm();
  float* right = scratch + LeftFloats();
  GemmBlock block;
  block.left = scratch;
  block.right = right;
  block.rows = std::min(kRowStep, shape_.GroupOutChannels() - channel);
  block.columns = std::min(depth_step_, shape_.Depth() - depth);
  block.out = filter + (group * shape_.GroupOutChannels() + channel) * shape_.Depth() + depth;
  block.out_stride = shape_.Depth();
  for (std::size_t image = 0; image < shape_.batch; ++image) {
    const float* from = input + image * strides.image + group * shape_.GroupChannels() * strides.channel;
    for (std::size_t pixel = 0; pixel < shape_.OutPixels(); pixel += kColumnStep) {
      block.depth = std::min(kColumnStep, shape_.OutPixels() - pixel);
      PackLeft(GradientView(shape_, gradient, image, group).At(channel, pixel), block.rows, block.depth,
               scratch);
      PackDepth(shape_, from, {pixel, block.depth, depth, block.columns}, tile_columns, right);
      block.left_panel = tile_rows * block.depth;
      block.right_panel = tile_columns * block.depth;
      RunGemmBlock(block);
      block.accumulate = true;
    }
  }
  if (!block.accumulate) RunGemmBlock(block);  // nothing to sum is zero
}

void FilterGradientPlan::Run(const float* input, const float* output_gradient, float* filter_gradient,
                             std::byte* workspace) const {
  auto* scratch = reinterpret_cast<float*>(workspace);
  const std::size_t step = LeftFloats() + RightFloats();
  ForEachItem(items_, slots_, [&](std::size_t slot, std::size_t index) {
    RunItem(index, input, output_gradient, filter_gradient, scratch + slot * step);
  });
}

}  // namespace foothold
