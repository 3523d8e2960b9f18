// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/tile_walk.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "kernels/transpose_tile.h"

namespace foothold {
namespace {

// The dimension along which elements lie closest, the last of several; repeated ones do not count.
std::size_t FastestOf(const std::vector<std::int64_t>& dims, const ElementStrides& strides) {
  std::size_t fastest = dims.size() - 1;
  for (std::size_t i = dims.size(); i-- > 0;) {
    const bool moves = dims[i] > 1 && strides[i] != 0;
    const bool none = dims[fastest] == 1 || strides[fastest] == 0;
    if (moves && (none || strides[i] < strides[fastest])) fastest = i;
  }
  return fastest;
}

// Distances in bytes.
struct Apart {
  std::ptrdiff_t row, column, to_row;
};

template <std::size_t kSize>
void GatherElements(const std::byte* from, std::byte* to, const Apart& apart, std::size_t rows,
                    std::size_t columns) {
  for (std::size_t r = 0; r < rows; ++r, from += apart.row, to += apart.to_row) {
    const std::byte* element = from;
    std::byte* place = to;
    for (std::size_t c = 0; c < columns; ++c, element += apart.column, place += kSize)
      std::memcpy(place, element, kSize);
  }
}

void GatherAny(const std::byte* from, std::byte* to, const Apart& apart, std::size_t rows,
               std::size_t columns, std::size_t size) {
  switch (size) {
    case 1:
      return GatherElements<1>(from, to, apart, rows, columns);
    case 2:
      return GatherElements<2>(from, to, apart, rows, columns);
    case 4:
      return GatherElements<4>(from, to, apart, rows, columns);
    case 8:
      return GatherElements<8>(from, to, apart, rows, columns);
    default:
      return GatherElements<16>(from, to, apart, rows, columns);
  }
}

}  // namespace

bool IsTransposed(const std::vector<std::int64_t>& dims, const ElementStrides& strides) {
  const std::int64_t last = strides.back();
  if (last == 0 || last == 1) return false;
  for (std::size_t i = 0; i + 1 < dims.size(); ++i)
    if (dims[i] > 1 && strides[i] != 0 && strides[i] < last) return true;
  return false;
}

std::vector<std::size_t> TileOrder(const std::vector<std::int64_t>& dims, const ElementStrides& written,
                                   const std::vector<ElementStrides>& read) {
  const std::size_t columns = written.empty() ? dims.size() - 1 : FastestOf(dims, written);
  std::vector<std::size_t> votes(dims.size(), 0);
  for (const ElementStrides& strides : read)
    if (const std::size_t fastest = FastestOf(dims, strides); strides[fastest] != 0) ++votes[fastest];
  std::vector<std::size_t> order(dims.size());
  std::iota(order.begin(), order.end(), 0);
  order.erase(order.begin() + static_cast<std::ptrdiff_t>(columns));
  std::size_t rows = order.back();
  for (const std::size_t axis : order)
    if (votes[axis] > votes[rows]) rows = axis;
  std::erase(order, rows);
  order.push_back(rows);
  order.push_back(columns);
  return order;
}

TileWalk::TileWalk(std::vector<std::int64_t> dims, std::size_t rows, std::size_t columns)
    : dims_(std::move(dims)), rows_(rows), columns_(columns), tiles_(1) {
  const std::size_t outer = dims_.size() - 2;
  for (std::size_t i = 0; i < outer; ++i)
    tiles_ *= static_cast<std::size_t>(dims_[i]);
  tiles_ *= (static_cast<std::size_t>(dims_[outer]) + rows_ - 1) / rows_;
  tiles_ *= (static_cast<std::size_t>(dims_[outer + 1]) + columns_ - 1) / columns_;
}

TileWalk::Tile TileWalk::At(std::size_t tile) const {
  const std::size_t outer = dims_.size() - 2;
  const auto height = static_cast<std::size_t>(dims_[outer]),
             width = static_cast<std::size_t>(dims_[outer + 1]);
  const std::size_t across = (width + columns_ - 1) / columns_, down = (height + rows_ - 1) / rows_;
  Tile made;
  const std::size_t column = tile % across * columns_, row = tile / across % down * rows_;
  made.at[outer] = static_cast<std::int64_t>(row);
  made.at[outer + 1] = static_cast<std::int64_t>(column);
  made.rows = std::min(rows_, height - row);
  made.columns = std::min(columns_, width - column);
  auto rest = static_cast<std::int64_t>(tile / across / down);
  for (std::size_t i = outer; i-- > 0; rest /= dims_[i])
    made.at[i] = rest % dims_[i];
  return made;
}

void GatherTile(const std::byte* from, std::int64_t row_stride, std::int64_t column_stride, std::byte* to,
                std::size_t pitch, std::size_t rows, std::size_t columns, std::size_t size) {
  const auto unit = static_cast<std::ptrdiff_t>(size);
  const Apart apart{row_stride * unit, column_stride * unit, static_cast<std::ptrdiff_t>(pitch) * unit};
  if (row_stride == 1 && column_stride != 1 && rows > 1)
    return TransposeTile(from, apart.column, to, apart.to_row, rows, columns, size);
  if (column_stride != 1) return GatherAny(from, to, apart, rows, columns, size);
  for (std::size_t r = 0; r < rows; ++r, from += apart.row, to += apart.to_row)
    std::memcpy(to, from, columns * size);
}

}  // namespace foothold
