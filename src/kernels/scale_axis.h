// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where the samples of a scaled axis come from. For picture_scale. Any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace foothold {

constexpr int kScaleBits = 11;
constexpr int kScaleOne = 1 << kScaleBits;

// Two neighbours and their weights, which nearly always add up to kScaleOne.
struct LinearTap {
  std::int32_t first;
  std::int32_t second;
  std::int16_t first_weight;
  std::int16_t second_weight;
};
// `whole_at_ends`: outside the first and last centre one sample has all the weight, as along rows; else both
// neighbours are the same sample with weights of their own, as from row to row.
std::vector<LinearTap> LinearTaps(std::size_t from, std::size_t to, bool whole_at_ends);

struct CubicTap {
  std::array<std::int32_t, 4> place;
  std::array<std::int16_t, 4> weight;
};
std::vector<CubicTap> CubicTaps(std::size_t from, std::size_t to);

std::vector<std::uint32_t> NearestPlaces(std::size_t from, std::size_t to);

}  // namespace foothold
