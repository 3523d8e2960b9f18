// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/integer_winograd.h"

#include <cstring>

#include "kernels/channel_blocks.h"
#include "kernels/gemm_pack.h"
#include "kernels/integer_winograd_transform.h"

namespace foothold {
namespace {

constexpr std::size_t kMostPlaces = 36;
// What is left of int32 when the power of two in the factor is shifted out.
constexpr double kMostWithFour = 1 << 25, kMostWithTwo = 1 << 29;

// One line of a filter; `to` has side + 2 numbers, `step` apart.
void FilterLine(std::size_t side, const int* g, std::size_t from_step, int* to, std::size_t step) {
  const int a = g[0], b = g[from_step], c = g[2 * from_step];
  to[0] = a;
  to[step] = a + b + c;
  to[2 * step] = a - b + c;
  to[(side + 1) * step] = c;
  if (side == 2) return;
  to[3 * step] = a + 2 * b + 4 * c;
  to[4 * step] = a - 2 * b + 4 * c;
}

void TransformFilter(std::size_t side, const std::int16_t* filter, int* whole) {
  int given[9], half[6 * 3];
  for (std::size_t i = 0; i < 9; ++i)
    given[i] = filter[i];
  for (std::size_t x = 0; x < 3; ++x)
    FilterLine(side, given + x, 3, half + x, 3);
  for (std::size_t y = 0; y < side + 2; ++y)
    FilterLine(side, half + y * 3, 1, whole + y * (side + 2), 1);
}

}  // namespace

std::size_t IntegerWinogradSide(const ConvolutionShape& shape, double largest_sum) {
  const std::size_t side = WinogradSide(ShapeOfPairs(shape));
  if (side == 4 && largest_sum < kMostWithFour) return 4;
  return side > 0 && largest_sum < kMostWithTwo ? 2 : 0;
}

IntegerWinogradPlan::IntegerWinogradPlan(const ConvolutionShape& shape, std::size_t side)
    : shape_(shape), side_(side), pairs_(ShapeOfPairs(shape), side, true) {}

void IntegerWinogradPlan::PackFilter(IntegerFilter filter, std::byte* to) const {
  const std::size_t places = (side_ + 2) * (side_ + 2);
  const auto transform = [&](std::size_t out, std::size_t pair, float* transformed) {
    std::int16_t numbers[kMostPlaces][2] = {};
    for (std::size_t c = 2 * pair; c < 2 * pair + 2 && c < shape_.channels; ++c) {
      int whole[kMostPlaces];
      TransformFilter(side_, filter + (out * shape_.channels + c) * 9, whole);
      for (std::size_t i = 0; i < places; ++i)
        numbers[i][c % 2] = static_cast<std::int16_t>(whole[i]);
    }
    std::memcpy(transformed, numbers, places * sizeof(float));
  };
  pairs_.PackTransformed(transform, reinterpret_cast<float*>(to));
}

void IntegerWinogradPlan::Run(const std::int16_t* input, const std::byte* packed_filter,
                              const std::int32_t* bias, const IntegerFinish& finish, std::int16_t* output,
                              std::byte* workspace) const {
  const std::size_t width = ChannelBlock(), out_blocks = Parts(shape_.out_channels, width);
  WinogradSteps steps;
  steps.in = TransformIntegerInput;
  steps.out_blocks = 2;
  steps.out = [&](const WinogradTiles& tiles, const float* products, std::size_t image, std::size_t block) {
    const std::size_t plane = (image * Parts(out_blocks, 2) + block / 2) * shape_.OutPixels() * 2 * width;
    IntegerFinish own = finish;
    own.scales += block * width;
    if (own.residual != nullptr) own.residual += plane;
    TransformIntegerOutput(tiles, products, block + 1 < out_blocks,
                           bias == nullptr ? nullptr : bias + block * width, own, output + plane);
  };
  pairs_.RunSteps(reinterpret_cast<const float*>(input), reinterpret_cast<const float*>(packed_filter), steps,
                  workspace);
}

}  // namespace foothold
