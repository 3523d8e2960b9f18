// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A block of elements under strides that do not agree, in tiles over two dimensions: the one that is written
// fastest, and the one along which what is read transposed lies side by side. A tile of what is transposed is
// turned in the first-level cache. Values; any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace foothold {

using ElementStrides = std::vector<std::int64_t>;  // in elements, by dimension

// Elements along the last dimension lie further apart than along another one.
bool IsTransposed(const std::vector<std::int64_t>& dims, const ElementStrides& strides);

// The dimensions, at least two, in the order of a walk: columns last, rows before them. `written` is empty
// where that is dense.
std::vector<std::size_t> TileOrder(const std::vector<std::int64_t>& dims, const ElementStrides& written,
                                   const std::vector<ElementStrides>& read);

class TileWalk {
 public:
  static constexpr std::size_t kMaxDims = 32;

  struct Tile {
    std::size_t rows, columns;
    std::array<std::int64_t, kMaxDims> at;  // of its first element
  };

  TileWalk() = default;
  // At least two dimensions, none 0; the last two are cut into tiles of so many rows and columns at most.
  TileWalk(std::vector<std::int64_t> dims, std::size_t rows, std::size_t columns);

  std::size_t tiles() const { return tiles_; }
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  Tile At(std::size_t tile) const;
  // Of the tile's first element.
  static std::int64_t Offset(const Tile& tile, const ElementStrides& strides) {
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < strides.size(); ++i)
      offset += tile.at[i] * strides[i];
    return offset;
  }

 private:
  std::vector<std::int64_t> dims_;
  std::size_t rows_ = 1, columns_ = 1, tiles_ = 0;
};

// Rows and columns become rows of one piece of memory, `pitch` elements from one to the next, from elements
// of `size` bytes that lie apart by these distances (in elements).
constexpr std::size_t kMostTileElements = 2048;
void GatherTile(const std::byte* from, std::int64_t row_stride, std::int64_t column_stride, std::byte* to,
                std::size_t pitch, std::size_t rows, std::size_t columns, std::size_t size);

}  // namespace foothold
