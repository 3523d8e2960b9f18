// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/matrix/matmul_shape.h"

#include <algorithm>

namespace foothold {
namespace {

struct Operand {
  Dims batch;
  std::size_t rows = 1, columns = 1;  // as multiplied
  MatMulStrides strides;
  bool vector = false;
};

Operand OperandOf(const OpContext& context, int port, bool transposed, bool left) {
  const Dims& dims = context.InDims(port);
  if (dims.empty())
    context.Refuse("input '{}' is a scalar; a product needs at least one dimension",
                   context.node().inputs()[static_cast<std::size_t>(port)].name);
  Operand operand;
  operand.vector = dims.size() == 1;
  const auto last = static_cast<std::size_t>(dims.back());
  if (operand.vector) {
    operand.rows = left ? 1 : last;
    operand.columns = left ? last : 1;
    operand.strides = left ? MatMulStrides{last, 1} : MatMulStrides{1, 1};
    return operand;
  }
  operand.batch.assign(dims.begin(), dims.end() - 2);
  operand.rows = static_cast<std::size_t>(dims[dims.size() - 2]);
  operand.columns = last;
  operand.strides = {last, 1};
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

// For each matrix of `out`, which of those of `batch` it is made from.
std::vector<std::size_t> MatricesOf(const Dims& batch, const Dims& out) {
  std::vector<std::size_t> of(static_cast<std::size_t>(ElementCount(out)));
  for (std::size_t i = 0; i < of.size(); ++i) {
    std::size_t rest = i, stride = 1;
    for (std::size_t d = 0; d < batch.size(); ++d) {
      const auto extent = static_cast<std::size_t>(out[out.size() - 1 - d]);
      const auto own = static_cast<std::size_t>(batch[batch.size() - 1 - d]);
      of[i] += own == 1 ? 0 : rest % extent * stride;
      rest /= extent;
      stride *= own;
    }
  }
  return of;
}

}  // namespace

MatMulShape MatMulShapeOf(const OpContext& context, int left, bool left_transposed, int right,
                          bool right_transposed) {
  const Operand a = OperandOf(context, left, left_transposed, true);
  const Operand b = OperandOf(context, right, right_transposed, false);
  if (a.columns != b.rows)
    context.Refuse("{} times {}: the inner dimensions {} and {} differ", ToString(context.In(left)),
                   ToString(context.In(right)), a.columns, b.rows);
  const Dims batch = BroadcastBatch(context, a.batch, b.batch);
  MatMulShape shape{{a.rows, b.columns, a.columns}, a.strides, b.strides, {}, {}, 1, 1, batch};
  if (!a.vector) shape.out.push_back(static_cast<std::int64_t>(a.rows));
  if (!b.vector) shape.out.push_back(static_cast<std::int64_t>(b.columns));
  if (ElementCount(shape.out) == 0) return shape;
  shape.left_of = MatricesOf(a.batch, batch);
  shape.right_of = MatricesOf(b.batch, batch);
  shape.left_matrices = static_cast<std::size_t>(ElementCount(a.batch));
  shape.right_matrices = static_cast<std::size_t>(ElementCount(b.batch));
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

DataType ProductType(DataType type) {
  return type == DataType::kInt8 ? DataType::kInt32 : type;
}

}  // namespace foothold
