// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The inner loop of blocked_filter_gradient.h. Any thread.
#pragma once

#include <cstddef>

namespace foothold {

// Blocks of the output's channels at a time: with four channels of the input their sums fill the registers.
constexpr std::size_t kMostGradientBlocks = 3;

// Where rows of pixels begin, in floats.
struct FilterGradientRow {
  std::size_t input, gradient;
};

// sums[channel][block][lane] += input[pixel][channel] * gradient[block][pixel][lane] over the pixels of all
// rows, for the channels of one block of the input.
struct FilterGradientSums {
  const FilterGradientRow* rows = nullptr;
  std::size_t count = 0;     // of rows
  std::size_t pixels = 0;    // of each
  std::size_t channels = 0;  // of the block that are there; sums of others may be left as they are
  const float* input = nullptr;
  std::size_t input_step = 0;  // floats from one pixel to the next
  const float* gradient = nullptr;
  std::size_t blocks = 1, block_step = 0;  // floats from one block of the gradient to the next
  float* sums = nullptr;
};
void AddFilterGradient(const FilterGradientSums& sums);

}  // namespace foothold
