// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/integer_convolution.h"

#include <cstring>
#include <vector>

#include "kernels/channel_blocks.h"
#include "kernels/gemm_pack.h"

namespace foothold {

ConvolutionShape ShapeOfPairs(const ConvolutionShape& shape) {
  ConvolutionShape pairs = shape;
  pairs.channels = Parts(shape.channels, 2);
  return pairs;
}

IntegerConvolutionPlan::IntegerConvolutionPlan(const ConvolutionShape& shape, std::size_t lanes)
    : shape_(shape), pairs_(ShapeOfPairs(shape), lanes, true) {}

void IntegerConvolutionPlan::PackFilter(IntegerFilter filter, std::byte* to) const {
  const std::size_t area = shape_.KernelArea(), channels = Parts(shape_.channels, 2);
  std::vector<float> pairs(shape_.out_channels * channels * area, 0.0f);
  auto* bytes = reinterpret_cast<std::byte*>(pairs.data());
  for (std::size_t o = 0; o < shape_.out_channels; ++o)
    for (std::size_t c = 0; c < shape_.channels; ++c)
      for (std::size_t tap = 0; tap < area; ++tap) {
        const std::size_t pair = (o * channels + c / 2) * area + tap;
        std::memcpy(bytes + pair * sizeof(float) + c % 2 * sizeof(std::int16_t),
                    filter + (o * shape_.channels + c) * area + tap, sizeof(std::int16_t));
      }
  pairs_.PackFilter(pairs.data(), {channels * area, area, shape_.kernel_width, 1},
                    reinterpret_cast<float*>(to));
}

void IntegerConvolutionPlan::Run(const std::int16_t* input, const std::byte* packed_filter,
                                 const std::int32_t* bias, const IntegerFinish& finish, std::int16_t* output,
                                 std::byte* workspace) const {
  const std::size_t width = ChannelBlock(), blocks = Parts(shape_.out_channels, 2 * width);
  pairs_.RunSums(reinterpret_cast<const float*>(input), reinterpret_cast<const float*>(packed_filter),
                 reinterpret_cast<const float*>(bias), workspace,
                 [&](const BlockedConvolutionPlan::Item& item, const float* sums) {
                   const std::size_t block = item.image * blocks + item.block / 2;
                   const std::size_t place = (block * shape_.OutPixels() + item.pixel) * 2 * width;
                   IntegerFinish own = finish;
                   own.scales += item.block * width;
                   if (own.residual != nullptr) own.residual += place;
                   const auto* first = reinterpret_cast<const std::int32_t*>(sums);
                   FinishIntegers(own, first, item.blocks > 1 ? first + item.pixels * width : nullptr,
                                  item.pixels, output + place);
                 });
}

}  // namespace foothold
