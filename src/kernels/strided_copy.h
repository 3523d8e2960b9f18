// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Copies a block of elements between two strided views: the loop behind every operator that only moves data
// (transpose, slice, concat, tile, pad ...). Planned once, run often. Any thread.
#pragma once

#include <cstddef>
#include <vector>

namespace foothold {

// One axis of the block: how many steps, and how many bytes one step is on either side. A source stride of 0
// repeats, a negative one walks backwards. Destination strides are positive and no two elements meet.
struct CopyAxis {
  std::size_t count;
  std::ptrdiff_t src;
  std::ptrdiff_t dst;
  bool operator==(const CopyAxis&) const = default;
};

class StridedCopy {
 public:
  // `element_size` is 1, 2, 4, 8 or 16. The offsets, in bytes, lead to the first element. Axes in any order.
  StridedCopy(std::size_t element_size, std::vector<CopyAxis> axes, std::ptrdiff_t src_offset = 0,
              std::ptrdiff_t dst_offset = 0);

  // The views do not overlap. Nothing is read or written when an axis has no steps.
  void Run(const std::byte* src, std::byte* dst) const;

  // What is left after joining neighbours, outermost first. For tests.
  const std::vector<CopyAxis>& axes() const { return axes_; }
  std::size_t element_size() const { return element_size_; }

 private:
  enum class Way { kRows, kFill, kTranspose, kElements };
  struct Walk;

  void Join();
  void WidenElement();
  void ChooseTile();
  void RunTile(const std::byte* src, std::byte* dst, std::size_t rows, std::size_t cols) const;
  void RunItems(const std::byte* src, std::byte* dst, std::size_t begin, std::size_t end) const;

  std::size_t element_size_;
  std::vector<CopyAxis> axes_;
  std::ptrdiff_t src_offset_;
  std::ptrdiff_t dst_offset_;
  bool empty_ = false;

  // The two axes the inner loop runs over, cut into tiles, and the others.
  Way way_ = Way::kRows;
  CopyAxis rows_{1, 0, 0};
  CopyAxis cols_{1, 0, 0};
  std::size_t tile_rows_ = 1;
  std::size_t tile_cols_ = 1;
  std::vector<CopyAxis> outer_;
  std::size_t items_ = 0;
};

}  // namespace foothold
