// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/half_product.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/half_convert.h"
#include "kernels/parallel_items.h"

namespace foothold {
namespace {

constexpr std::size_t kMostRows = 216;
constexpr std::size_t kDepthStep = 256;
constexpr float kLargestHalf = 65504.0f;

GemmEpilogue Shifted(GemmEpilogue finish, std::size_t row, std::size_t column, std::size_t columns) {
  if (finish.row_bias != nullptr) finish.row_bias += row;
  if (finish.column_bias != nullptr) finish.column_bias += column;
  if (finish.residual != nullptr) finish.residual += row * columns + column;
  return finish;
}

}  // namespace

HalfProductPlan::HalfProductPlan(MatMulSize size, MatMulStrides left, MatMulStrides right)
    : size_(size), left_(left), right_(right), vector_(size.rows == 1 && left.column == 1) {
  const std::size_t rows = std::max<std::size_t>(1, size.rows), width = TileOfGemm().columns;
  row_step_ = vector_ ? 1 : RoundUp(Parts(rows, Parts(rows, kMostRows)), TileOfGemm().rows);
  row_parts_ = Parts(size.rows, row_step_);
  const auto threads = static_cast<std::size_t>(ParallelThreads());
  const std::size_t wanted = threads == 1 ? 1 : Parts(2 * threads, std::max<std::size_t>(1, row_parts_));
  column_step_ = RoundUp(Parts(std::max<std::size_t>(1, size.columns), wanted), 4 * width);
  column_parts_ = Parts(size.columns, column_step_);
  slots_ = SlotsFor(row_parts_ * column_parts_, size.Work());
}

bool HalfProductPlan::Fits(const float* right) const {
  return std::all_of(right, right + size_.depth * size_.columns,
                     [](float weight) { return std::fabs(weight) <= kLargestHalf; });
}

void HalfProductPlan::Pack(const float* right, std::uint16_t* to) const {
  const std::size_t width = TileOfGemm().columns, floats = width * size_.depth;
  ParallelFor(Parts(size_.columns, width), 4, [&](std::size_t begin, std::size_t end) {
    std::vector<float> panel(floats);
    for (std::size_t i = begin; i < end; ++i) {
      const MatrixView view{right, right_.row, right_.column};
      PackRight(view.At(0, i * width), size_.depth, std::min(width, size_.columns - i * width), panel.data());
      HalvesFromFloats(HalfKind::kFloat16, panel.data(), to + i * floats, floats);
    }
  });
}

std::size_t HalfProductPlan::ScratchFloats() const {
  if (vector_) return 0;
  const std::size_t depth = std::min(size_.depth, kDepthStep);
  return RoundUp(PackedLeftFloats(row_step_, depth), 16) + depth * TileOfGemm().columns;
}

HalfProductPlan::Part HalfProductPlan::PartOf(std::size_t item) const {
  const std::size_t row = item / column_parts_ * row_step_, column = item % column_parts_ * column_step_;
  return {row, std::min(row_step_, size_.rows - row), column, std::min(column_step_, size_.columns - column)};
}

void HalfProductPlan::Run(const float* left, const std::uint16_t* right, float* out,
                          const GemmEpilogue& finish, std::byte* workspace) const {
  auto* scratch = reinterpret_cast<float*>(workspace);
  const std::size_t step = ScratchFloats();
  ForEachItem(row_parts_ * column_parts_, slots_, [&](std::size_t slot, std::size_t item) {
    RunPart(PartOf(item), left, right, out, finish, scratch + slot * step);
  });
}

void HalfProductPlan::RunPart(const Part& part, const float* left, const std::uint16_t* right, float* out,
                              const GemmEpilogue& finish, float* scratch) const {
  if (vector_)
    return RunPackedGemv(left, right + part.column * size_.depth, size_.depth, part.columns,
                         out + part.column, Shifted(finish, 0, part.column, size_.columns));
  std::size_t begin = 0;
  do {  // once even if there is no depth: the output must be written
    RunPanels(part, begin, left, right, out, finish, scratch);
    begin += kDepthStep;
  } while (begin < size_.depth);
}

// All panels of a part of the depth; each is widened into the first cache just before it is used.
void HalfProductPlan::RunPanels(const Part& part, std::size_t begin, const float* left,
                                const std::uint16_t* right, float* out, const GemmEpilogue& finish,
                                float* scratch) const {
  const auto [tile_rows, width] = TileOfGemm();
  const std::size_t depth = std::min(kDepthStep, size_.depth - begin);
  float* panel = scratch + RoundUp(PackedLeftFloats(row_step_, std::min(size_.depth, kDepthStep)), 16);
  const MatrixView view{left, left_.row, left_.column};
  PackLeft(view.At(part.row, begin), part.rows, depth, scratch, GemmRows::kEvenly);
  for (std::size_t column = part.column; column < part.column + part.columns; column += width) {
    FloatsFromHalves(HalfKind::kFloat16, right + column * size_.depth + begin * width, panel, depth * width);
    const GemmEpilogue shifted = Shifted(finish, part.row, column, size_.columns);
    RunGemmBlock({.left = scratch,
                  .left_panel = tile_rows * depth,
                  .left_rows = GemmRows::kEvenly,
                  .right = panel,
                  .right_panel = width * depth,
                  .rows = part.rows,
                  .columns = std::min(width, size_.columns - column),
                  .depth = depth,
                  .out = out + part.row * size_.columns + column,
                  .out_stride = size_.columns,
                  .accumulate = begin > 0,
                  .finish = begin + depth == size_.depth ? &shifted : nullptr});
  }
}

}  // namespace foothold
