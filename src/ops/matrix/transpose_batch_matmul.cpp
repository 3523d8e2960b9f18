// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// TransposeBatchMatMul: batches of products of tensors whose dimensions are permuted first, as those of the
// result are afterwards. With 'batch_split_factor' the rows of the result, of all batches one after the
// other, are cut into as many pieces, which come first.
#include <algorithm>
#include <array>

#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/input_checks.h"
#include "ops/matrix/stored_operands.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

using Three = std::array<std::size_t, 3>;

Three PermutationOf(const OpContext& context, const char* name, const std::vector<std::int64_t>& otherwise) {
  std::vector<std::int64_t> perm = context.node().Ints(name);
  if (perm.empty()) perm = otherwise;
  std::vector<std::int64_t> sorted = perm;
  std::sort(sorted.begin(), sorted.end());
  if (sorted != std::vector<std::int64_t>{0, 1, 2})
    context.Refuse("attribute '{}' is {}, expected an order of 0, 1 and 2", name, ToString(Attribute(perm)));
  return {static_cast<std::size_t>(perm[0]), static_cast<std::size_t>(perm[1]),
          static_cast<std::size_t>(perm[2])};
}

// Extents and strides after the permutation.
struct Permuted {
  Three extents, strides;
};

Permuted PermutedOf(const OpContext& context, int port, const Three& perm) {
  const Dims& dims = context.InDims(port);
  if (dims.size() != 3)
    context.Refuse("input {} is {}, expected three dimensions", port, ToString(context.In(port)));
  const std::vector<std::ptrdiff_t> strides = Strides(dims);
  Permuted made{};
  for (std::size_t i = 0; i < 3; ++i) {
    made.extents[i] = static_cast<std::size_t>(dims[perm[i]]);
    made.strides[i] = static_cast<std::size_t>(strides[perm[i]]);
  }
  return made;
}

struct Form {
  Permuted left, right;
  Three out;               // strides of batch, row and column in the result
  std::size_t pieces = 1;  // of a row of all batches
  Dims dims;
  std::size_t batches() const { return left.extents[0]; }
  MatMulSize size() const { return {left.extents[1], right.extents[2], left.extents[2]}; }
};

void SetResult(const OpContext& context, Form& form) {
  const Three perm = PermutationOf(context, "perm_y", {1, 0, 2});
  const Three extents{form.batches(), form.size().rows, form.size().columns};
  for (const std::size_t axis : perm)
    form.dims.push_back(static_cast<std::int64_t>(extents[axis]));
  const std::vector<std::ptrdiff_t> strides = Strides(form.dims);
  for (std::size_t i = 0; i < 3; ++i)
    form.out[perm[i]] = static_cast<std::size_t>(strides[i]);
  const std::int64_t pieces = context.node().Int("batch_split_factor", 1);
  const std::size_t width = extents[0] * extents[2];
  if (pieces == 1) return;
  if (pieces < 1 || width % static_cast<std::size_t>(pieces) != 0 || perm != Three{1, 0, 2})
    context.Refuse("attribute 'batch_split_factor' is {} for rows of {} and perm_y {}", pieces, width,
                   ToString(Attribute(context.node().Ints("perm_y"))));
  form.pieces = static_cast<std::size_t>(pieces);
  form.dims = {pieces, static_cast<std::int64_t>(extents[1]), static_cast<std::int64_t>(width) / pieces};
}

Form FormOf(const OpContext& context) {
  Form form;
  form.left = PermutedOf(context, 0, PermutationOf(context, "perm_x1", {0, 1, 2}));
  form.right = PermutedOf(context, 1, PermutationOf(context, "perm_x2", {0, 1, 2}));
  if (form.left.extents[0] != form.right.extents[0] || form.left.extents[2] != form.right.extents[1])
    context.Refuse("{} and {} are permuted to {} matrices with {} columns and {} with {} rows",
                   ToString(context.In(0)), ToString(context.In(1)), form.left.extents[0],
                   form.left.extents[2], form.right.extents[0], form.right.extents[1]);
  SetResult(context, form);
  return form;
}

// Where the matrices of an operand begin.
StoredOperand OperandOf(const OpContext& context, int port, const Permuted& permuted) {
  StoredOperand operand{
      {FloatKindOf(context.In(port).type), nullptr, permuted.strides[1], permuted.strides[2]}, {}};
  for (std::size_t batch = 0; batch < permuted.extents[0]; ++batch)
    operand.at.push_back(batch * permuted.strides[0]);
  return operand;
}

// Reads what the program has, writes floats.
class TransposeBatchMatMulKernel : public Kernel {
 public:
  TransposeBatchMatMulKernel(const OpContext& context, Form form)
      : form_(std::move(form)),
        plan_(form_.size(), OperandOf(context, 0, form_.left), OperandOf(context, 1, form_.right)),
        plan_bytes_(RoundUp(plan_.WorkspaceBytes(), 64)) {}

  // The products one after the other.
  std::size_t WorkspaceBytes() const override {
    return plan_bytes_ + static_cast<std::size_t>(ElementCount(form_.dims)) * sizeof(float);
  }

  void Run(const RunArgs& args) const override {
    if (ElementCount(form_.dims) == 0) return;
    auto* products = reinterpret_cast<float*>(args.workspace + plan_bytes_);
    plan_.Run(args.inputs[0], args.inputs[1], products, {}, args.workspace);
    const auto [rows, columns, depth] = form_.size();
    ParallelFor(form_.batches() * rows, 1 + 16384 / columns, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        Store(products + i * form_.size().columns, i / form_.size().rows, i % form_.size().rows,
              args.Out<float>(0));
    });
  }

 private:
  void Store(const float* line, std::size_t batch, std::size_t row, float* y) const {
    const std::size_t columns = form_.size().columns, width = form_.batches() * columns / form_.pieces;
    for (std::size_t column = 0; column < columns; ++column) {
      const std::size_t place = batch * columns + column;
      y[form_.pieces == 1 ? batch * form_.out[0] + row * form_.out[1] + column * form_.out[2]
                          : (place / width * form_.size().rows + row) * width + place % width] = line[column];
    }
  }

  Form form_;
  StoredProductPlan plan_;
  std::size_t plan_bytes_;
};

void InferTransposeBatchMatMul(OpContext& context) {
  CheckAbsent(context, {"bias", "offset_w"}, "how it is applied is not published");
  if (const std::int64_t offset = context.node().Int("offset_x", 0); offset != 0)
    context.Unsupported("no kernel for offset_x {}", offset);
  if (context.In(0).type != context.In(1).type)
    context.Refuse("x1 is {} and x2 is {}; they must have the same type", ToString(context.In(0)),
                   ToString(context.In(1)));
  context.SetOut(0, context.In(0).type, FormOf(context).dims, context.In(0).format);
}

const RegisterOp transpose_batch_matmul(
    OpDef("TransposeBatchMatMul")
        .Infer(InferTransposeBatchMatMul)
        .Lower([](OpContext& context) {
          CheckFloats(context, {"x1", "x2"});
          return ThroughFloat(context, std::make_unique<TransposeBatchMatMulKernel>(context, FormOf(context)),
                              {0, 1});
        })
        .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}));

}  // namespace
}  // namespace foothold
