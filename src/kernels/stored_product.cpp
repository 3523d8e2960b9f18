// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/stored_product.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/parallel_items.h"
#include "kernels/stored_gemv.h"
#include "kernels/stored_pack.h"

namespace foothold {
namespace {

constexpr std::size_t kFewRows = 20;     // for more, packing pays
constexpr std::size_t kFewOfPieces = 6;  // for which pieces are put together first
constexpr std::size_t kMostRows =
    216;  // with kDepthStep: a block of the left operand stays in the second cache
constexpr std::size_t kDepthStep = 256;     // a panel of the right operand stays in the first; whole pieces
constexpr std::size_t kLeastPanels = 4;     // columns of an item: less would pack the left operand too often
constexpr std::size_t kJoinedColumns = 32;  // whose pieces are put together at a time

StoredMatrix MatrixOf(const StoredOperand& operand, const std::byte* data, std::size_t i) {
  StoredMatrix matrix = operand.matrix;
  matrix.data = data + operand.at[i] * BytesOf(matrix.kind);
  return matrix;
}

// Columns at distances that are powers of two would meet in few sets of the caches.
std::size_t JoinedStride(std::size_t depth) {
  return depth + 64;
}

// Columns in pieces as dense ones.
StoredMatrix Joined(const StoredMatrix& from, std::size_t depth, std::size_t columns, float* scratch) {
  constexpr std::size_t kPiecesAhead = 8;
  constexpr std::size_t kStep = 16;  // known to the compiler; pieces are a few of them
  auto* to = reinterpret_cast<std::byte*>(scratch);
  const std::size_t size = BytesOf(from.kind), bytes = from.piece * size, stride = JoinedStride(depth);
  for (std::size_t k = 0; k < depth; k += from.piece) {
    const std::byte* piece = from.At(k, 0).data;
    for (std::size_t line = 0; line < columns * bytes; line += 64)
      __builtin_prefetch(from.At(k + kPiecesAhead * from.piece, 0).data + line, 0, 2);
    for (std::size_t j = 0; j < columns; ++j, piece += bytes)
      for (std::size_t i = 0; i < bytes; i += kStep)
        std::memcpy(to + (j * stride + k) * size + i, piece + i, kStep);
  }
  return {from.kind, to, 1, stride};
}

}  // namespace

StoredProductPlan::StoredProductPlan(MatMulSize size, StoredOperand left, StoredOperand right)
    : size_(size),
      left_(std::move(left)),
      right_(std::move(right)),
      way_(ChooseWay()),
      widened_(way_ != Way::kPanels && (left_.matrix.kind != FloatKind::kFloat || left_.matrix.column != 1)) {
  Divide();
}

StoredProductPlan::Way StoredProductPlan::ChooseWay() const {
  const StoredMatrix& right = right_.matrix;
  if (size_.rows == 1 && (right.row == 1 || right.column == 1)) return Way::kVectors;
  const std::size_t few = right.piece == 0 ? kFewRows : kFewOfPieces;
  return size_.rows <= few && right.row == 1 ? Way::kTiles : Way::kPanels;
}

void StoredProductPlan::Divide() {
  const std::size_t rows = std::max<std::size_t>(1, size_.rows), width = TileOfGemm().columns;
  row_step_ = way_ == Way::kPanels ? RoundUp(Parts(rows, Parts(rows, kMostRows)), TileOfGemm().rows) : rows;
  row_parts_ = Parts(size_.rows, row_step_);
  const std::size_t without = std::max<std::size_t>(1, left_.at.size() * row_parts_);
  const std::size_t panels = std::max<std::size_t>(1, Parts(size_.columns, width));
  const auto threads = static_cast<std::size_t>(ParallelThreads());
  const std::size_t wanted = threads == 1 ? 1 : Parts(2 * threads, without);
  const std::size_t most = std::max<std::size_t>(1, panels / kLeastPanels);
  column_step_ = Parts(panels, std::min(wanted, most)) * width;
  column_parts_ = Parts(size_.columns, column_step_);
  slots_ = SlotsFor(without * column_parts_, size_.Work() * static_cast<double>(left_.at.size()));
}

std::size_t StoredProductPlan::WidenedFloats() const {
  return widened_ ? RoundUp(size_.rows * size_.depth, 16) : 0;
}

std::size_t StoredProductPlan::ScratchFloats() const {
  if (way_ == Way::kVectors) return 0;
  if (way_ == Way::kTiles)
    return right_.matrix.piece == 0 ? 0
                                    : RoundUp(kJoinedColumns * JoinedStride(size_.depth) *
                                                  BytesOf(right_.matrix.kind) / sizeof(float),
                                              16);
  const std::size_t depth = std::min(size_.depth, kDepthStep);
  return RoundUp(PackedLeftFloats(row_step_, depth), 16) + depth * TileOfGemm().columns;
}

std::size_t StoredProductPlan::WorkspaceBytes() const {
  return (left_.at.size() * WidenedFloats() + slots_ * ScratchFloats()) * sizeof(float);
}

StoredProductPlan::Part StoredProductPlan::PartOf(std::size_t item) const {
  Part part;
  part.column = item % column_parts_ * column_step_;
  part.columns = std::min(column_step_, size_.columns - part.column);
  item /= column_parts_;
  part.row = item % row_parts_ * row_step_;
  part.rows = std::min(row_step_, size_.rows - part.row);
  part.matrix = item / row_parts_;
  return part;
}

void StoredProductPlan::WidenLeft(const std::byte* left, float* to) const {
  if (!widened_) return;
  for (std::size_t i = 0; i < left_.at.size(); ++i)
    WidenRows(MatrixOf(left_, left, i), size_.rows, size_.depth, to + i * WidenedFloats());
}

FloatRows StoredProductPlan::RowsOf(std::size_t matrix, const std::byte* left, const float* widened) const {
  if (widened_) return {widened + matrix * WidenedFloats(), size_.depth, size_.rows};
  const StoredMatrix rows = MatrixOf(left_, left, matrix);
  return {reinterpret_cast<const float*>(rows.data), rows.row, size_.rows};
}

void StoredProductPlan::Run(const std::byte* left, const std::byte* right, float* out,
                            const GemmEpilogue& finish, std::byte* workspace) const {
  auto* widened = reinterpret_cast<float*>(workspace);
  float* scratch = widened + left_.at.size() * WidenedFloats();
  WidenLeft(left, widened);
  ForEachItem(left_.at.size() * row_parts_ * column_parts_, slots_, [&](std::size_t slot, std::size_t item) {
    const Part part = PartOf(item);
    const StoredMatrix with = MatrixOf(right_, right, part.matrix).At(0, part.column);
    const std::size_t offset = (part.matrix * size_.rows + part.row) * size_.columns + part.column;
    const GemmEpilogue shifted = EpilogueAt(finish, part.row, part.column, offset);
    float* own = scratch + slot * ScratchFloats();
    if (way_ == Way::kPanels)
      return RunPanels(part, MatrixOf(left_, left, part.matrix), with, out + offset, shifted, own);
    const FloatRows rows = RowsOf(part.matrix, left, widened);
    if (way_ == Way::kTiles) return RunTiles(rows, with, part.columns, out + offset, shifted, own);
    RunStoredGemv(rows.data, with, size_.depth, part.columns, out + offset, shifted);
  });
}

void StoredProductPlan::RunTiles(const FloatRows& left, const StoredMatrix& right, std::size_t columns,
                                 float* out, const GemmEpilogue& finish, float* scratch) const {
  if (right.piece == 0) return RunStoredTiles(left, right, size_.depth, columns, out, size_.columns, finish);
  for (std::size_t j = 0; j < columns; j += kJoinedColumns) {
    const std::size_t count = std::min(kJoinedColumns, columns - j);
    RunStoredTiles(left, Joined(right.At(0, j), size_.depth, count, scratch), size_.depth, count, out + j,
                   size_.columns, EpilogueAt(finish, 0, j, j));
  }
}

// Each panel of a part of the depth is widened into the first cache just before it is used.
void StoredProductPlan::RunPanels(const Part& part, const StoredMatrix& left, const StoredMatrix& right,
                                  float* out, const GemmEpilogue& finish, float* scratch) const {
  const auto [tile_rows, width] = TileOfGemm();
  float* panel = scratch + ScratchFloats() - std::min(size_.depth, kDepthStep) * width;
  std::size_t begin = 0;
  do {  // once even if there is no depth: the output must be written
    const std::size_t depth = std::min(kDepthStep, size_.depth - begin);
    PackLeft(left.At(part.row, begin), part.rows, depth, scratch, GemmRows::kEvenly);
    for (std::size_t column = 0; column < part.columns; column += width) {
      const std::size_t columns = std::min(width, part.columns - column);
      PackRight(right.At(begin, column), depth, columns, panel);
      if (column + width < part.columns) FetchRight(right.At(begin, column + width), depth, columns);
      const GemmEpilogue shifted = EpilogueAt(finish, 0, column, column);
      RunGemmBlock({.left = scratch,
                    .left_panel = tile_rows * depth,
                    .left_rows = GemmRows::kEvenly,
                    .right = panel,
                    .right_panel = width * depth,
                    .rows = part.rows,
                    .columns = columns,
                    .depth = depth,
                    .out = out + column,
                    .out_stride = size_.columns,
                    .accumulate = begin > 0,
                    .finish = begin + depth == size_.depth ? &shifted : nullptr});
    }
    begin += depth;
  } while (begin < size_.depth);
}

}  // namespace foothold
