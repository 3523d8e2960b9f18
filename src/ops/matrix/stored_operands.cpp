// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/matrix/stored_operands.h"

#include <bit>
#include <utility>

namespace foothold {
namespace {

// Of a matrix [columns, depth] that would be dense if it were no fractal.
StoredMatrix FractalOf(const OpContext& context, const MatMulShape& shape, StoredMatrix matrix) {
  constexpr std::size_t kFractalRows = 16;
  const std::int64_t width = context.node().Int(kFractalAttribute, 0);
  const auto [rows, columns, depth] = shape.size;
  const bool known = width >= 8 && width <= 32 && std::has_single_bit(static_cast<std::uint64_t>(width));
  if (!known) context.Refuse("{} is {}; expected 8, 16 or 32", kFractalAttribute, width);
  if (matrix.row != 1 || matrix.column != depth)
    context.Unsupported(
        "no kernel for fractals of x2 {} with strides of {} along the sum and {} across it; "
        "expected 1 and {}",
        ToString(context.In("x2")), matrix.row, matrix.column, depth);
  matrix.piece = static_cast<std::size_t>(width);
  if (depth % matrix.piece != 0 || columns % kFractalRows != 0)
    context.Refuse("x2 has {} columns of {} elements; fractals are of {} columns and {} elements", columns,
                   depth, kFractalRows, width);
  matrix.column = matrix.piece;
  matrix.piece_step = columns * matrix.piece;
  return matrix;
}

}  // namespace

FloatKind FloatKindOf(DataType type) {
  if (type == DataType::kFloat16) return FloatKind::kFloat16;
  return type == DataType::kBfloat16 ? FloatKind::kBfloat16 : FloatKind::kFloat;
}

bool IsFractal(const OpContext& context) {
  return context.node().FindAttribute(kFractalAttribute) != nullptr;
}

StoredProductPlan StoredPlanOf(const OpContext& context, MatMulShape shape) {
  MergeViewedRows(shape);
  const StoredMatrix left{FloatKindOf(context.In("x1").type), nullptr, shape.left.row, shape.left.column};
  StoredMatrix right{FloatKindOf(context.In("x2").type), nullptr, shape.right.row, shape.right.column};
  if (IsFractal(context) && !shape.right_at.empty()) right = FractalOf(context, shape, right);
  return StoredProductPlan(shape.size, {left, std::move(shape.left_at)}, {right, std::move(shape.right_at)});
}

}  // namespace foothold
