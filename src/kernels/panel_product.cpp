// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/panel_product.h"

#include <algorithm>

#include "kernels/parallel_items.h"

namespace foothold {
namespace {

constexpr std::size_t kMostRows = 216;
constexpr std::size_t kDepthStep = 256;

}  // namespace

GemmEpilogue ShiftedEpilogue(GemmEpilogue finish, std::size_t row, std::size_t column, std::size_t columns) {
  if (finish.row_bias != nullptr) finish.row_bias += row;
  if (finish.column_bias != nullptr) finish.column_bias += column;
  if (finish.residual != nullptr) finish.residual += row * columns + column;
  return finish;
}

PanelProductPlan::PanelProductPlan(MatMulSize size, MatMulStrides left) : size_(size), left_(left) {
  const std::size_t rows = std::max<std::size_t>(1, size.rows), width = TileOfGemm().columns;
  row_step_ = RoundUp(Parts(rows, Parts(rows, kMostRows)), TileOfGemm().rows);
  row_parts_ = Parts(size.rows, row_step_);
  const auto threads = static_cast<std::size_t>(ParallelThreads());
  const std::size_t wanted = threads == 1 ? 1 : Parts(2 * threads, std::max<std::size_t>(1, row_parts_));
  column_step_ = RoundUp(Parts(std::max<std::size_t>(1, size.columns), wanted), 4 * width);
  column_parts_ = Parts(size.columns, column_step_);
  slots_ = SlotsFor(row_parts_ * column_parts_, size.Work());
}

std::size_t PanelProductPlan::ScratchFloats() const {
  const std::size_t depth = std::min(size_.depth, kDepthStep);
  return RoundUp(PackedLeftFloats(row_step_, depth), 16) + depth * TileOfGemm().columns;
}

PanelProductPlan::Part PanelProductPlan::PartOf(std::size_t item) const {
  const std::size_t row = item / column_parts_ * row_step_, column = item % column_parts_ * column_step_;
  return {row, std::min(row_step_, size_.rows - row), column, std::min(column_step_, size_.columns - column)};
}

void PanelProductPlan::Run(const float* left, const PanelSource& source, float* out,
                           const GemmEpilogue& finish, std::byte* workspace) const {
  auto* scratch = reinterpret_cast<float*>(workspace);
  const std::size_t step = ScratchFloats();
  ForEachItem(row_parts_ * column_parts_, slots_, [&](std::size_t slot, std::size_t item) {
    RunPart(PartOf(item), left, source, out, finish, scratch + slot * step);
  });
}

void PanelProductPlan::RunPart(const Part& part, const float* left, const PanelSource& source, float* out,
                               const GemmEpilogue& finish, float* scratch) const {
  std::size_t begin = 0;
  do {  // once even if there is no depth: the output must be written
    RunPanels(part, begin, left, source, out, finish, scratch);
    begin += kDepthStep;
  } while (begin < size_.depth);
}

// All panels of a part of the depth.
void PanelProductPlan::RunPanels(const Part& part, std::size_t begin, const float* left,
                                 const PanelSource& source, float* out, const GemmEpilogue& finish,
                                 float* scratch) const {
  const auto [tile_rows, width] = TileOfGemm();
  const std::size_t depth = std::min(kDepthStep, size_.depth - begin);
  float* panel = scratch + RoundUp(PackedLeftFloats(row_step_, std::min(size_.depth, kDepthStep)), 16);
  const MatrixView view{left, left_.row, left_.column};
  PackLeft(view.At(part.row, begin), part.rows, depth, scratch, GemmRows::kEvenly);
  for (std::size_t column = part.column; column < part.column + part.columns; column += width) {
    const std::size_t columns = std::min(width, size_.columns - column);
    source({column, columns, begin, depth}, panel);
    const GemmEpilogue shifted = ShiftedEpilogue(finish, part.row, column, size_.columns);
    RunGemmBlock({.left = scratch,
                  .left_panel = tile_rows * depth,
                  .left_rows = GemmRows::kEvenly,
                  .right = panel,
                  .right_panel = width * depth,
                  .rows = part.rows,
                  .columns = columns,
                  .depth = depth,
                  .out = out + part.row * size_.columns + column,
                  .out_stride = size_.columns,
                  .accumulate = begin > 0,
                  .finish = begin + depth == size_.depth ? &shifted : nullptr});
  }
}

}  // namespace foothold
