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

constexpr float kLargestHalf = 65504.0f;

}  // namespace

HalfProductPlan::HalfProductPlan(MatMulSize size, MatMulStrides left, MatMulStrides right)
    : size_(size), right_(right), vector_(size.rows == 1 && left.column == 1), panels_(size, left) {
  const auto threads = static_cast<std::size_t>(ParallelThreads());
  const std::size_t wanted = threads == 1 ? 1 : 2 * threads;
  column_step_ = RoundUp(Parts(std::max<std::size_t>(1, size.columns), wanted), 4 * TileOfGemm().columns);
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

void HalfProductPlan::Run(const float* left, const std::uint16_t* right, float* out,
                          const GemmEpilogue& finish, std::byte* workspace) const {
  if (vector_) return RunVector(left, right, out, finish);
  const std::size_t width = TileOfGemm().columns, depth = size_.depth;
  const auto widen = [=](const PanelPlace& place, float* to) {
    FloatsFromHalves(HalfKind::kFloat16, right + place.column * depth + place.begin * width, to,
                     place.depth * width);
  };
  panels_.Run(left, widen, out, finish, workspace);
}

void HalfProductPlan::RunVector(const float* left, const std::uint16_t* right, float* out,
                                const GemmEpilogue& finish) const {
  const std::size_t parts = Parts(size_.columns, column_step_);
  ForEachItem(parts, SlotsFor(parts, size_.Work()), [&](std::size_t, std::size_t item) {
    const std::size_t column = item * column_step_;
    RunPackedGemv(left, right + column * size_.depth, size_.depth,
                  std::min(column_step_, size_.columns - column), out + column,
                  ShiftedEpilogue(finish, 0, column, size_.columns));
  });
}

}  // namespace foothold
