// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "media/orientation.h"

#include "base/thread_pool.h"

namespace foothold::media {
namespace {

// Where the first pixel of the output lies in the input, and the way to the next in its row and column.
struct Walk {
  const std::uint8_t* first;
  std::ptrdiff_t right, down;
};

Walk WalkOf(const PlaneView& in, int orientation) {
  const auto row = static_cast<std::ptrdiff_t>(in.row_step);
  const std::uint8_t* const top_right = in.data + (in.width - 1);
  const std::uint8_t* const bottom_left = in.data + (in.height - 1) * row;
  const std::uint8_t* const bottom_right = bottom_left + (in.width - 1);
  switch (orientation) {
    case 2:
      return {top_right, -1, row};
    case 3:
      return {bottom_right, -1, -row};
    case 4:
      return {bottom_left, 1, -row};
    case 5:
      return {in.data, row, 1};
    case 6:
      return {bottom_left, -row, 1};
    case 7:
      return {bottom_right, -row, -1};
    case 8:
      return {top_right, row, -1};
    default:
      return {in.data, 1, row};
  }
}

}  // namespace

void Turn(const Picture& in, const Picture& out, int orientation) {
  const int planes = LayoutOf(in.format, "input").planes;
  for (int plane = 0; plane < planes; ++plane) {
    const Walk walk = WalkOf(PlaneOf(in, plane), orientation);
    const PlaneView to = PlaneOf(out, plane);
    ParallelFor(to.height, 64, [&](std::size_t begin, std::size_t end) {
      for (std::size_t y = begin; y < end; ++y) {
        const std::uint8_t* from = walk.first + static_cast<std::ptrdiff_t>(y) * walk.down;
        std::uint8_t* const row = to.data + y * to.row_step;
        for (std::size_t x = 0; x < to.width; ++x, from += walk.right)
          row[x] = *from;
      }
    });
  }
}

}  // namespace foothold::media
