// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/matrix/matmul_shape.h"

#include <algorithm>
#include <utility>

#include "ops/strided_view.h"

namespace foothold {
namespace {

struct Operand {
  Dims batch;
  std::vector<std::size_t> batch_strides;  // in elements
  std::size_t rows = 1, columns = 1;       // as multiplied
  MatMulStrides strides;
  bool vector = false;
};

Operand VectorOf(const StridedView& view, bool left) {
  const auto count = static_cast<std::size_t>(view.dims[0]);
  const std::size_t stride = view.strides[0];
  Operand operand;
  operand.vector = true;
  operand.rows = left ? 1 : count;
  operand.columns = left ? count : 1;
  operand.strides = left ? MatMulStrides{count * stride, stride} : MatMulStrides{stride, 1};
  return operand;
}

Operand OperandOf(const OpContext& context, int port, const StridedView& view, bool transposed, bool left) {
  if (view.dims.empty())
    context.Refuse("input '{}' is a scalar; a product needs at least one dimension",
                   context.node().inputs()[static_cast<std::size_t>(port)].name);
  if (view.dims.size() == 1) return VectorOf(view, left);
  const std::size_t row = view.dims.size() - 2;
  Operand operand;
  operand.batch.assign(view.dims.begin(), view.dims.end() - 2);
  operand.batch_strides.assign(view.strides.begin(), view.strides.end() - 2);
  operand.rows = static_cast<std::size_t>(view.dims[row]);
  operand.columns = static_cast<std::size_t>(view.dims[row + 1]);
  operand.strides = {view.strides[row], view.strides[row + 1]};
  if (transposed) {
    std::swap(operand.rows, operand.columns);
    std::swap(operand.strides.row, operand.strides.column);
  }
  return operand;
}

Dims BroadcastBatch(const OpContext& context, const Dims& a, const Dims& b) {
  Dims out(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::int64_t left = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::int64_t right = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (left != right && left != 1 && right != 1)
      context.Refuse("the leading dimensions {} and {} do not broadcast", ToString(a), ToString(b));
    out[out.size() - 1 - i] = left == 1 ? right : left;
  }
  return out;
}

// For each matrix of `out`, which of those of `batch` it is made from, `strides` apart.
std::vector<std::size_t> MatricesOf(const Dims& batch, const std::vector<std::size_t>& strides,
                                    const Dims& out) {
  std::vector<std::size_t> of(static_cast<std::size_t>(ElementCount(out)));
  for (std::size_t i = 0; i < of.size(); ++i) {
    std::size_t rest = i;
    for (std::size_t d = 0; d < batch.size(); ++d) {
      const auto extent = static_cast<std::size_t>(out[out.size() - 1 - d]);
      const std::size_t own = batch.size() - 1 - d;
      of[i] += batch[own] == 1 ? 0 : rest % extent * strides[own];
      rest /= extent;
    }
  }
  return of;
}

// Of matrices that are counted.
std::vector<std::size_t> CountingStrides(const Dims& batch) {
  std::vector<std::size_t> strides(batch.size(), 1);
  for (std::size_t i = batch.size(); i-- > 1;)
    strides[i - 1] = strides[i] * static_cast<std::size_t>(batch[i]);
  return strides;
}

// As dense as it is, or with the last two dimensions changed over.
bool LiesInARow(StridedView view) {
  if (view.dense()) return true;
  if (view.dims.size() < 2) return false;
  std::swap(view.dims.end()[-1], view.dims.end()[-2]);
  std::swap(view.strides.end()[-1], view.strides.end()[-2]);
  return view.dense();
}

}  // namespace

MatMulShape ViewedShapeOf(const OpContext& context, int left, bool left_transposed, int right,
                          bool right_transposed) {
  const StridedView left_view = ViewOf(context, left), right_view = ViewOf(context, right);
  const Operand a = OperandOf(context, left, left_view, left_transposed, true);
  const Operand b = OperandOf(context, right, right_view, right_transposed, false);
  if (a.columns != b.rows)
    context.Refuse("{} times {}: the inner dimensions {} and {} differ", ToString(context.In(left)),
                   ToString(context.In(right)), a.columns, b.rows);
  const Dims batch = BroadcastBatch(context, a.batch, b.batch);
  MatMulShape shape{{a.rows, b.columns, a.columns}, a.strides, b.strides, {}, {}, 1, 1, batch};
  shape.dense = left_view.dense() && right_view.dense();
  shape.in_a_row = LiesInARow(left_view) && LiesInARow(right_view);
  if (!a.vector) shape.out.push_back(static_cast<std::int64_t>(a.rows));
  if (!b.vector) shape.out.push_back(static_cast<std::int64_t>(b.columns));
  if (ElementCount(shape.out) == 0) return shape;
  shape.left_of = MatricesOf(a.batch, CountingStrides(a.batch), batch);
  shape.right_of = MatricesOf(b.batch, CountingStrides(b.batch), batch);
  shape.left_at = MatricesOf(a.batch, a.batch_strides, batch);
  shape.right_at = MatricesOf(b.batch, b.batch_strides, batch);
  shape.left_matrices = static_cast<std::size_t>(ElementCount(a.batch));
  shape.right_matrices = static_cast<std::size_t>(ElementCount(b.batch));
  return shape;
}

MatMulShape MatMulShapeOf(const OpContext& context, int left, bool left_transposed, int right,
                          bool right_transposed) {
  MatMulShape shape = ViewedShapeOf(context, left, left_transposed, right, right_transposed);
  if (!shape.dense) context.Unsupported("no kernel multiplies views here; expected dense operands");
  return shape;
}

void MergeRows(MatMulShape& shape) {
  const bool one_right = std::all_of(shape.right_of.begin(), shape.right_of.end(),
                                     [](std::size_t matrix) { return matrix == 0; });
  const bool each_left = shape.left_matrices == shape.left_of.size();
  if (!one_right || !each_left || shape.left_of.size() < 2 || shape.left.column != 1) return;
  shape.size.rows *= shape.left_of.size();
  shape.left_of = {0};
  shape.right_of = {0};
  shape.left_matrices = 1;
}

void MergeViewedRows(MatMulShape& shape) {
  std::vector<std::size_t>&left = shape.left_at, &right = shape.right_at;
  if (left.size() < 2) return;
  const std::size_t step = left[1] - left[0];
  std::size_t group = 1;
  while (group < left.size() && right[group] == right[0] && left[group] == left[0] + group * step)
    ++group;
  if (group == 1 || (shape.size.rows != 1 && step != shape.size.rows * shape.left.row)) return;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const std::size_t first = i / group * group;
    if (right[i] != right[first] || left[i] != left[first] + (i - first) * step) return;
  }
  if (left.size() % group != 0) return;
  for (std::size_t i = 0; i < left.size() / group; ++i) {
    left[i] = left[i * group];
    right[i] = right[i * group];
  }
  left.resize(left.size() / group);
  right.resize(left.size());
  if (shape.size.rows == 1) shape.left.row = step;
  shape.size.rows *= group;
}

DataType ProductType(DataType type) {
  return type == DataType::kInt8 ? DataType::kInt32 : type;
}

}  // namespace foothold
