// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/row_gather.h"

#include <algorithm>

#include "base/thread_pool.h"
#include "kernels/tile_walk.h"

namespace foothold {
namespace {

constexpr std::size_t kSide = 64;
constexpr std::size_t kPieceBytes = std::size_t{64} << 10;

// How far the dimensions [begin, end) are one, counted from the last: elements and the distance between them.
struct Evenly {
  std::size_t first;  // dimension
  std::size_t count = 1, stride = 1;
};

Evenly LastOf(const StridedView& view, std::size_t begin, std::size_t end) {
  Evenly last{end};
  bool any = false;
  while (last.first > begin) {
    const auto extent = static_cast<std::size_t>(view.dims[last.first - 1]);
    const std::size_t stride = view.strides[last.first - 1];
    if (extent != 1 && any && stride != last.count * last.stride) break;
    --last.first;
    if (extent == 1) continue;
    if (!any) last.stride = stride;
    last.count *= extent;
    any = true;
  }
  return last;
}

StridedView Part(const StridedView& view, std::size_t begin, std::size_t end) {
  const auto at = [](std::size_t i) { return static_cast<std::ptrdiff_t>(i); };
  return {{view.dims.begin() + at(begin), view.dims.begin() + at(end)},
          {view.strides.begin() + at(begin), view.strides.begin() + at(end)}};
}

}  // namespace

RowGather::RowGather(const StridedView& view, std::size_t axis, std::size_t element_size)
    : rows_(view, axis),
      pieces_(Part(view, axis, view.dims.size()), LastOf(view, axis, view.dims.size()).first - axis),
      length_(1),
      size_(element_size) {
  const Evenly piece = LastOf(view, axis, view.dims.size()), run = LastOf(view, 0, axis);
  piece_ = piece.count;
  piece_stride_ = piece.stride;
  length_ = pieces_.count() * piece_;
  run_ = run.count;
  row_stride_ = run.stride;
  const std::size_t line = 64 / size_;
  const std::size_t least = piece_stride_ == 1 ? 1 : line;
  const std::size_t fit = kPieceBytes / std::max<std::size_t>(1, length_ * size_);
  const std::size_t each = (rows() + ParallelThreads() - 1) / static_cast<std::size_t>(ParallelThreads());
  together_ = std::max<std::size_t>(1, std::min(std::max(fit / line * line, least), each));
}

void RowGather::Gather(const std::byte* from, std::size_t first, std::size_t rows, std::byte* to) const {
  while (rows > 0) {
    const std::size_t evenly = std::min(rows, run_ - first % run_);
    const std::byte* row = from + rows_.Offset(first) * size_;
    for (std::size_t p = 0; p < pieces_.count(); ++p)
      for (std::size_t c = 0; c < piece_; c += kSide)
        GatherTile(row + (pieces_.Offset(p) + c * piece_stride_) * size_,
                   static_cast<std::int64_t>(row_stride_), static_cast<std::int64_t>(piece_stride_),
                   to + (p * piece_ + c) * size_, length_, evenly, std::min(kSide, piece_ - c), size_);
    first += evenly;
    rows -= evenly;
    to += evenly * length_ * size_;
  }
}

}  // namespace foothold
