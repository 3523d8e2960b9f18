// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The two halves of bilinear scaling of bytes: along a row into numbers of 16 bits, then between two such
// rows. For picture_scale. A plan is made once for a width and then only read. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/scale_axis.h"

namespace foothold {

// Mixed rows are 128 times as bright as bytes.
class RowScalePlan {
 public:
  RowScalePlan(std::size_t from, std::size_t to, std::size_t channels);

  // What Mix writes, in numbers; a little more than the row has.
  std::size_t room() const { return groups_ * kGroup; }
  std::size_t values() const { return values_; }
  void Mix(const std::uint8_t* row, std::int16_t* mixed) const;

  // Eight values from a window of 16 or 32 bytes of the row: for each the sample of more weight and the
  // other, as places in either half of the window, and what the other is worth, times -32. Nearly all rows
  // are like that; others are mixed value by value.
  static constexpr std::size_t kGroup = 8;
  struct Windows {
    std::vector<std::uint32_t> base;
    std::vector<std::uint8_t> major[2], minor[2];  // 16 bytes a group: shuffles that leave a byte in 16 bits
    std::vector<std::int16_t> weight;              // 8 a group
    bool two_halves = false;
  };

 private:
  bool PlaceWindows(std::size_t window);
  bool PlaceGroup(std::size_t group, std::size_t window);
  void MixEach(const std::uint8_t* row, std::int16_t* mixed) const;
  void MixOne(const std::uint8_t* row, std::size_t value, std::int16_t* mixed) const;

  std::size_t channels_, row_bytes_, values_, groups_;
  std::vector<LinearTap> taps_;
  Windows windows_;
  bool by_windows_ = false;
  std::vector<std::uint32_t> odd_;  // values whose weights do not add up
};

// out[i] = top and bottom with these weights, rounded.
void MixRows(const std::int16_t* top, const std::int16_t* bottom, std::int16_t top_weight,
             std::int16_t bottom_weight, std::size_t count, std::uint8_t* out);

}  // namespace foothold
