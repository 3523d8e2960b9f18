// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// TransposeBatchMatMul: batches of products of tensors whose dimensions are permuted first, as those of the
// result are afterwards. With 'batch_split_factor' the rows of the result, of all batches one after the
// other, are cut into as many pieces, which come first.
#include <algorithm>
#include <array>

#include "kernels/matmul.h"
#include "kernels/parallel_items.h"
#include "ops/data/rule_arguments.h"
#include "ops/input_checks.h"
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

class TransposeBatchMatMulKernel : public Kernel {
 public:
  explicit TransposeBatchMatMulKernel(Form form)
      : form_(std::move(form)),
        plan_(form_.size(), {form_.left.strides[1], form_.left.strides[2]},
              {form_.right.strides[1], form_.right.strides[2]}, {0}, {0}, 1, false) {
    // Many small products run side by side, each on one thread.
    const double work = form_.size().Work() * static_cast<double>(form_.batches());
    const bool many = form_.batches() >= static_cast<std::size_t>(ParallelThreads());
    slots_ = many ? SlotsFor(form_.batches(), work) : 1;
    plan_bytes_ = RoundUp(plan_.WorkspaceBytes(), 64);
    slot_bytes_ = plan_bytes_ + RoundUp(form_.size().rows * form_.size().columns * sizeof(float), 64);
  }

  std::size_t WorkspaceBytes() const override { return slots_ * slot_bytes_; }

  void Run(const RunArgs& args) const override {
    if (ElementCount(form_.dims) == 0) return;
    ForEachItem(form_.batches(), slots_, [&](std::size_t slot, std::size_t batch) {
      std::byte* scratch = args.workspace + slot * slot_bytes_;
      auto* product = reinterpret_cast<float*>(scratch + plan_bytes_);
      plan_.Run(args.In<float>(0) + batch * form_.left.strides[0],
                args.In<float>(1) + batch * form_.right.strides[0], product, {}, scratch);
      Store(product, batch, args.Out<float>(0));
    });
  }

 private:
  void Store(const float* product, std::size_t batch, float* y) const {
    const auto [rows, columns, depth] = form_.size();
    const std::size_t width = form_.batches() * columns / form_.pieces;
    for (std::size_t i = 0; i < rows * columns; ++i) {
      const std::size_t row = i / columns, column = i % columns, place = batch * columns + column;
      y[form_.pieces == 1 ? batch * form_.out[0] + row * form_.out[1] + column * form_.out[2]
                          : (place / width * rows + row) * width + place % width] = product[i];
    }
  }

  Form form_;
  MatMulPlan plan_;
  std::size_t slots_ = 1, plan_bytes_ = 0, slot_bytes_ = 0;
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
          return ThroughFloat(context, std::make_unique<TransposeBatchMatMulKernel>(FormOf(context)));
        })
        .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}));

}  // namespace
}  // namespace foothold
