// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// TransposeQuantBatchMatMul: x1 [rows, batches, depth] times x2 [batches, depth, columns], floats of 8 bits
// of which every 32 along the depth have a scale, a power of two: [rows, batches, depth / 64, 2] and
// [batches, depth / 64, columns, 2]. The result is [rows, batches, columns].
#include <algorithm>

#include "base/float8.h"
#include "base/thread_pool.h"
#include "kernels/matmul.h"
#include "ops/data/rule_arguments.h"
#include "ops/input_checks.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

constexpr std::size_t kScaled = 32;  // elements with one scale

struct Sizes {
  std::size_t rows, batches, depth, columns;
};

Sizes SizesOf(const OpContext& context) {
  const Dims& x1 = context.InDims(0);
  const Dims& x2 = context.InDims(1);
  if (x1.size() != 3 || x2.size() != 3 || x1[1] != x2[0] || x1[2] != x2[1])
    context.Refuse("x1 is {} and x2 is {}, expected [rows, batches, depth] and [batches, depth, columns]",
                   ToString(context.In(0)), ToString(context.In(1)));
  const auto size = [](std::int64_t dim) { return static_cast<std::size_t>(dim); };
  return {size(x1[0]), size(x1[1]), size(x1[2]), size(x2[2])};
}

void CheckPermutation(const OpContext& context, const char* name, const std::vector<std::int64_t>& only) {
  if (context.node().Ints(name, only) != only)
    context.Unsupported("no kernel for {} {}; {} would run", name,
                        ToString(Attribute(context.node().Ints(name))), ToString(Attribute(only)));
}

void CheckForm(const OpContext& context) {
  CheckAbsent(context, {"bias"}, "how it is applied is not published");
  CheckPermutation(context, "perm_x1", {1, 0, 2});
  CheckPermutation(context, "perm_x2", {0, 1, 2});
  CheckPermutation(context, "perm_y", {1, 0, 2});
  if (const std::int64_t pieces = context.node().Int("batch_split_factor", 1); pieces != 1)
    context.Unsupported("no kernel for batch_split_factor {}; 1 would run", pieces);
  if (const std::int64_t group = context.node().Int("group_size", 0); group != 0 && group != kScaled)
    context.Unsupported("no kernel for group_size {}; {} would run", group, kScaled);
  for (const int port : {0, 1})
    if (const DataType type = context.In(port).type;
        type != DataType::kFloat8E4m3fn && type != DataType::kFloat8E5m2)
      context.Unsupported("no kernel for {}; float8e4m3fn and float8e5m2 have one", DataTypeName(type));
}

void CheckScales(const OpContext& context, const Sizes& sizes) {
  const auto dim = [](std::size_t size) { return static_cast<std::int64_t>(size); };
  const std::int64_t groups = dim((sizes.depth + 2 * kScaled - 1) / (2 * kScaled));
  const Dims expected[] = {{dim(sizes.rows), dim(sizes.batches), groups, 2},
                           {dim(sizes.batches), groups, dim(sizes.columns), 2}};
  for (const int which : {0, 1}) {
    const char* name = which == 0 ? "x1_scale" : "x2_scale";
    if (!context.Has(name) || context.In(name).type != DataType::kFloat8E8m0)
      context.Unsupported(
          "no kernel without '{}' of float8e8m0; how other scales are applied is not published", name);
    if (context.In(name).dims != expected[which])
      context.Refuse("'{}' is {}, expected {}", name, ToString(context.In(name)), ToString(expected[which]));
  }
}

class TransposeQuantKernel : public Kernel {
 public:
  explicit TransposeQuantKernel(const OpContext& context)
      : s_(SizesOf(context)),
        narrow_{context.In(0).type == DataType::kFloat8E5m2, context.In(1).type == DataType::kFloat8E5m2},
        scales_{context.Port("x1_scale"), context.Port("x2_scale")},
        groups_((s_.depth + 2 * kScaled - 1) / (2 * kScaled)),
        plan_({s_.rows, s_.columns, s_.depth}, {s_.depth, 1}, {s_.columns, 1}, {0}, {0}, 1,
              RightForm::kAsGiven),
        plan_bytes_(RoundUp(plan_.WorkspaceBytes(), 64)) {}

  // Both matrices of a batch and their product as floats.
  std::size_t WorkspaceBytes() const override {
    return plan_bytes_ + (s_.rows * s_.depth + s_.depth * s_.columns + s_.rows * s_.columns) * sizeof(float);
  }

  void Run(const RunArgs& args) const override {
    if (s_.rows == 0 || s_.columns == 0) return;
    auto* left = reinterpret_cast<float*>(args.workspace + plan_bytes_);
    float* right = left + s_.rows * s_.depth;
    float* product = right + s_.depth * s_.columns;
    for (std::size_t batch = 0; batch < s_.batches; ++batch) {
      WidenLeft(args, batch, left);
      WidenRight(args, batch, right);
      plan_.Run(left, right, product, {}, args.workspace);
      for (std::size_t row = 0; row < s_.rows; ++row)
        std::copy_n(product + row * s_.columns, s_.columns,
                    args.Out<float>(0) + (row * s_.batches + batch) * s_.columns);
    }
  }

 private:
  float Value(int which, std::uint8_t bits) const {
    return narrow_[which] ? FloatFromE5m2(bits) : FloatFromE4m3fn(bits);
  }

  void WidenLeft(const RunArgs& args, std::size_t batch, float* to) const {
    ParallelFor(s_.rows, 1 + 16384 / (1 + s_.depth), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin * s_.depth; i < end * s_.depth; ++i) {
        const std::size_t line = i / s_.depth * s_.batches + batch, k = i % s_.depth;
        const std::uint8_t scale = args.In<std::uint8_t>(scales_[0])[line * groups_ * 2 + k / kScaled];
        to[i] = Value(0, args.In<std::uint8_t>(0)[line * s_.depth + k]) * FloatFromE8m0(scale);
      }
    });
  }

  void WidenRight(const RunArgs& args, std::size_t batch, float* to) const {
    const auto* x = args.In<std::uint8_t>(1) + batch * s_.depth * s_.columns;
    const auto* scales = args.In<std::uint8_t>(scales_[1]) + batch * groups_ * s_.columns * 2;
    ParallelFor(s_.depth, 1 + 16384 / (1 + s_.columns), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin * s_.columns; i < end * s_.columns; ++i) {
        const std::size_t group = i / s_.columns / kScaled, column = i % s_.columns;
        const std::uint8_t scale = scales[(group / 2 * s_.columns + column) * 2 + group % 2];
        to[i] = Value(1, x[i]) * FloatFromE8m0(scale);
      }
    });
  }

  Sizes s_;
  bool narrow_[2];
  int scales_[2];
  std::size_t groups_;  // pairs of scales
  MatMulPlan plan_;
  std::size_t plan_bytes_;
};

void InferTransposeQuant(OpContext& context) {
  CheckForm(context);
  const Sizes sizes = SizesOf(context);
  CheckScales(context, sizes);
  const DataType type = TypeAttribute(context, "dtype", DataType::kFloat16);
  if (!ComputesInFloat(type))
    context.Refuse("attribute 'dtype' is {}, expected float16, bfloat16 or float", DataTypeName(type));
  context.SetOut(0, type, {context.InDims(0)[0], context.InDims(0)[1], context.InDims(1)[2]}, Format::kNd);
}

const RegisterOp transpose_quant_batch_matmul(OpDef("TransposeQuantBatchMatMul")
                                                  .Infer(InferTransposeQuant)
                                                  .Lower([](OpContext& context) {
                                                    return ThroughFloat(
                                                        context,
                                                        std::make_unique<TransposeQuantKernel>(context));
                                                  })
                                                  .Types({DataType::kFloat8E4m3fn, DataType::kFloat8E5m2}));

}  // namespace
}  // namespace foothold
