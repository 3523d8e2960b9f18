// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/strided_copy.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/thread_pool.h"
#include "kernels/transpose_tile.h"

namespace foothold {
namespace {

constexpr std::size_t kWidestElement = 16;
constexpr std::size_t kRowBytes = std::size_t{256} << 10;
constexpr std::size_t kTileBytes = std::size_t{64} << 10;
constexpr std::size_t kTransposeSide = 64;
constexpr std::size_t kParallelBytes = std::size_t{512} << 10;

// Axes that could not be joined have two steps or more each, and all of them together fit into 63 bits.
constexpr std::size_t kMaxAxes = 64;

std::size_t Pieces(std::size_t count, std::size_t piece) {
  return (count + piece - 1) / piece;
}

// Calls body with the size as a constant, so that the copy of one element becomes one instruction.
template <typename Body>
void WithSize(std::size_t size, Body&& body) {
  switch (size) {
    case 1:
      return body(std::integral_constant<std::size_t, 1>());
    case 2:
      return body(std::integral_constant<std::size_t, 2>());
    case 4:
      return body(std::integral_constant<std::size_t, 4>());
    case 8:
      return body(std::integral_constant<std::size_t, 8>());
    default:
      return body(std::integral_constant<std::size_t, 16>());
  }
}

template <std::size_t kSize>
void CopyElements(const std::byte* src, std::ptrdiff_t src_stride, std::byte* dst, std::ptrdiff_t dst_stride,
                  std::size_t count) {
  for (std::size_t i = 0; i < count; ++i, src += src_stride, dst += dst_stride)
    std::memcpy(dst, src, kSize);
}

template <std::size_t kSize>
void RepeatElement(const std::byte* src, std::byte* dst, std::size_t count) {
  std::array<std::byte, kSize> value;
  std::memcpy(value.data(), src, kSize);
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(dst + i * kSize, value.data(), kSize);
}

}  // namespace

// Where an item (a tile) is; the last counter runs fastest.
struct StridedCopy::Walk {
  explicit Walk(const StridedCopy& copy) : copy(copy) {}

  void Seek(std::size_t item) {
    col_tile = item % Pieces(copy.cols_.count, copy.tile_cols_);
    item /= Pieces(copy.cols_.count, copy.tile_cols_);
    row_tile = item % Pieces(copy.rows_.count, copy.tile_rows_);
    item /= Pieces(copy.rows_.count, copy.tile_rows_);
    for (std::size_t i = copy.outer_.size(); i-- > 0;) {
      steps[i] = item % copy.outer_[i].count;
      item /= copy.outer_[i].count;
      src += static_cast<std::ptrdiff_t>(steps[i]) * copy.outer_[i].src;
      dst += static_cast<std::ptrdiff_t>(steps[i]) * copy.outer_[i].dst;
    }
  }

  void Next() {
    if (++col_tile < Pieces(copy.cols_.count, copy.tile_cols_)) return;
    col_tile = 0;
    if (++row_tile < Pieces(copy.rows_.count, copy.tile_rows_)) return;
    row_tile = 0;
    for (std::size_t i = copy.outer_.size(); i-- > 0;) {
      const CopyAxis& axis = copy.outer_[i];
      src += axis.src;
      dst += axis.dst;
      if (++steps[i] < axis.count) return;
      src -= static_cast<std::ptrdiff_t>(axis.count) * axis.src;
      dst -= static_cast<std::ptrdiff_t>(axis.count) * axis.dst;
      steps[i] = 0;
    }
  }

  const StridedCopy& copy;
  std::ptrdiff_t src = 0;  // of the outer axes
  std::ptrdiff_t dst = 0;
  std::size_t row_tile = 0;
  std::size_t col_tile = 0;
  std::array<std::size_t, kMaxAxes> steps{};
};

StridedCopy::StridedCopy(std::size_t element_size, std::vector<CopyAxis> axes, std::ptrdiff_t src_offset,
                         std::ptrdiff_t dst_offset)
    : element_size_(element_size), axes_(std::move(axes)), src_offset_(src_offset), dst_offset_(dst_offset) {
  empty_ = std::any_of(axes_.begin(), axes_.end(), [](const CopyAxis& axis) { return axis.count == 0; });
  if (empty_) {
    axes_.clear();
    return;
  }
  Join();
  WidenElement();
  ChooseTile();
}

void StridedCopy::Join() {
  std::erase_if(axes_, [](const CopyAxis& axis) { return axis.count == 1; });
  std::stable_sort(axes_.begin(), axes_.end(),
                   [](const CopyAxis& a, const CopyAxis& b) { return a.dst > b.dst; });
  std::vector<CopyAxis> joined;
  for (const CopyAxis& axis : axes_) {
    const auto steps = static_cast<std::ptrdiff_t>(axis.count);
    if (!joined.empty() && joined.back().src == axis.src * steps && joined.back().dst == axis.dst * steps) {
      joined.back() = {joined.back().count * axis.count, axis.src, axis.dst};
    } else {
      joined.push_back(axis);
    }
  }
  axes_ = std::move(joined);
}

// A short run of neighbours that moves as a whole is one wider element.
void StridedCopy::WidenElement() {
  if (axes_.size() < 2) return;
  const CopyAxis& last = axes_.back();
  const auto size = static_cast<std::ptrdiff_t>(element_size_);
  const std::size_t bytes = last.count * element_size_;
  const bool power_of_two = (bytes & (bytes - 1)) == 0;
  if (last.src != size || last.dst != size || bytes > kWidestElement || !power_of_two) return;
  element_size_ = bytes;
  axes_.pop_back();
}

void StridedCopy::ChooseTile() {
  const auto size = static_cast<std::ptrdiff_t>(element_size_);
  outer_ = axes_;
  cols_ = {1, size, size};
  if (!outer_.empty()) {
    cols_ = outer_.back();
    outer_.pop_back();
  }
  const bool dense = cols_.dst == size;
  way_ = dense && cols_.src == size ? Way::kRows : dense && cols_.src == 0 ? Way::kFill : Way::kElements;
  auto rows = outer_.empty() ? outer_.end() : outer_.end() - 1;
  if (dense && way_ == Way::kElements) {
    const auto unit =
        std::find_if(outer_.begin(), outer_.end(), [&](const CopyAxis& axis) { return axis.src == size; });
    if (unit != outer_.end()) {
      rows = unit;
      way_ = Way::kTranspose;
    }
  }
  if (rows != outer_.end()) {
    rows_ = *rows;
    outer_.erase(rows);
  }
  tile_cols_ = std::min(cols_.count, kRowBytes / element_size_);
  tile_rows_ = std::clamp<std::size_t>(kTileBytes / (tile_cols_ * element_size_), 1, rows_.count);
  if (way_ == Way::kTranspose) {
    // A narrow side lets the other one be long: the tile still fits into the first cache.
    tile_rows_ = std::min(rows_.count, kTransposeSide);
    tile_cols_ = std::min(cols_.count, kTransposeSide * kTransposeSide / tile_rows_);
    tile_rows_ = std::min(rows_.count, kTransposeSide * kTransposeSide / tile_cols_);
  }
  items_ = Pieces(rows_.count, tile_rows_) * Pieces(cols_.count, tile_cols_);
  for (const CopyAxis& axis : outer_)
    items_ *= axis.count;
}

void StridedCopy::RunTile(const std::byte* src, std::byte* dst, std::size_t rows, std::size_t cols) const {
  if (way_ == Way::kTranspose) {
    TransposeTile(src, cols_.src, dst, rows_.dst, rows, cols, element_size_);
    return;
  }
  const std::size_t bytes = cols * element_size_;
  for (std::size_t r = 0; r < rows; ++r, src += rows_.src, dst += rows_.dst) {
    if (way_ == Way::kRows) {
      std::memcpy(dst, src, bytes);
      continue;
    }
    WithSize(element_size_, [&](auto size) {
      if (way_ == Way::kFill) {
        RepeatElement<size()>(src, dst, cols);
      } else {
        CopyElements<size()>(src, cols_.src, dst, cols_.dst, cols);
      }
    });
  }
}

void StridedCopy::RunItems(const std::byte* src, std::byte* dst, std::size_t begin, std::size_t end) const {
  Walk walk(*this);
  walk.Seek(begin);
  for (std::size_t item = begin; item < end; ++item, walk.Next()) {
    const std::size_t row = walk.row_tile * tile_rows_;
    const std::size_t col = walk.col_tile * tile_cols_;
    const auto down = static_cast<std::ptrdiff_t>(row);
    const auto right = static_cast<std::ptrdiff_t>(col);
    RunTile(src + walk.src + down * rows_.src + right * cols_.src,
            dst + walk.dst + down * rows_.dst + right * cols_.dst, std::min(tile_rows_, rows_.count - row),
            std::min(tile_cols_, cols_.count - col));
  }
}

void StridedCopy::Run(const std::byte* src, std::byte* dst) const {
  if (empty_) return;
  const std::size_t tile_bytes = tile_rows_ * tile_cols_ * element_size_;
  const std::size_t grain = std::max<std::size_t>(1, kParallelBytes / tile_bytes);
  ParallelFor(items_, grain, [&](std::size_t begin, std::size_t end) {
    RunItems(src + src_offset_, dst + dst_offset_, begin, end);
  });
}

}  // namespace foothold
