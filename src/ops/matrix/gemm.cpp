// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <type_traits>

#include "kernels/matmul.h"
#include "kernels/plain_product.h"
#include "ops/convolution/convolution_types.h"
#include "ops/matrix/broadcast_bias.h"
#include "ops/matrix/matmul_shape.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

enum Port { kA, kB, kC, kAlpha, kBeta };

MatMulShape ShapeOf(const OpContext& context) {
  const Node& node = context.node();
  return MatMulShapeOf(context, kA, node.Bool("transpose_a", false), kB, node.Bool("transpose_b", false));
}

// The sum may be kept wider than the product would be: c says so.
DataType ResultType(const OpContext& context) {
  const DataType type = context.In(kA).type;
  const bool widens = type == DataType::kFloat16 || type == DataType::kBfloat16 || type == DataType::kInt8;
  return widens && context.In(kC).type == DataType::kFloat ? DataType::kFloat : ProductType(type);
}

void InferGemm(OpContext& context) {
  CheckSameType(context, "a", "b");
  const MatMulShape shape = ShapeOf(context);
  const DataType out = ResultType(context);
  if (!BroadcastsTo(context.InDims(kC), shape.out))
    context.Refuse("c is {}; it does not broadcast to {}", ToString(context.In(kC)), ToString(shape.out));
  for (const Port port : {kAlpha, kBeta})
    if (ElementCount(context.InDims(port)) != 1)
      context.Refuse("{} is {}; it must have one element", port == kAlpha ? "alpha" : "beta",
                     ToString(context.In(port)));
  for (const Port port : {kC, kAlpha, kBeta})
    if (context.In(port).type != out)
      context.Refuse("input {} is {}; it must have the type of the result, {}", static_cast<int>(port),
                     ToString(context.In(port)), DataTypeName(out));
  context.SetOut(0, out, shape.out, context.In(kA).format);
}

class FloatGemm : public Kernel {
 public:
  FloatGemm(MatMulPlan plan, BroadcastBias addend) : plan_(std::move(plan)), addend_(std::move(addend)) {}

  std::size_t WorkspaceBytes() const override { return plan_.WorkspaceBytes(); }
  void Run(const RunArgs& args) const override {
    plan_.Run(args.In<float>(kA), args.In<float>(kB), args.Out<float>(0), {}, args.workspace);
    addend_.Combine(args.Out<float>(0), *args.In<float>(kAlpha), args.In<float>(kC), *args.In<float>(kBeta));
  }

 private:
  MatMulPlan plan_;
  BroadcastBias addend_;
};

// Products of In are summed up in Sum; where Out is another type, in the workspace.
template <typename In, typename Sum, typename Out>
class PlainGemm : public Kernel {
 public:
  PlainGemm(MatMulShape shape, BroadcastBias addend) : shape_(std::move(shape)), addend_(std::move(addend)) {}

  std::size_t WorkspaceBytes() const override { return kWidens ? Elements() * sizeof(Sum) : 0; }
  void Run(const RunArgs& args) const override {
    Sum* sums = reinterpret_cast<Sum*>(kWidens ? args.workspace : args.outputs[0]);
    Multiply(args, sums);
    if constexpr (kWidens) std::copy_n(sums, Elements(), args.Out<Out>(0));
    addend_.Combine(args.Out<Out>(0), *args.In<Out>(kAlpha), args.In<Out>(kC), *args.In<Out>(kBeta));
  }

 private:
  static constexpr bool kWidens = !std::is_same_v<Sum, Out>;

  std::size_t Elements() const { return shape_.left_of.size() * shape_.size.rows * shape_.size.columns; }

  void Multiply(const RunArgs& args, Sum* sums) const {
    const auto [rows, columns, depth] = shape_.size;
    for (std::size_t i = 0; i < shape_.left_of.size(); ++i)
      PlainMatMul(args.In<In>(kA) + shape_.left_of[i] * rows * depth, shape_.left.row, shape_.left.column,
                  args.In<In>(kB) + shape_.right_of[i] * depth * columns, shape_.right.row,
                  shape_.right.column, sums + i * rows * columns, rows, columns, depth);
  }

  MatMulShape shape_;
  BroadcastBias addend_;
};

std::unique_ptr<Kernel> LowerGemm(OpContext& context) {
  const DataType type = context.In(kA).type;
  MatMulShape shape = ShapeOf(context);
  BroadcastBias addend(context.InDims(kC), shape.out);
  if (ComputesInFloat(type))
    return ThroughFloat(context, std::make_unique<FloatGemm>(
                                     MatMulPlan(shape.size, shape.left, shape.right, shape.left_of,
                                                shape.right_of, shape.right_matrices, RightForm::kAsGiven),
                                     std::move(addend)));
  if (type == DataType::kInt8 && context.Out(0).type == DataType::kFloat)
    return std::make_unique<PlainGemm<std::int8_t, std::int32_t, float>>(std::move(shape), std::move(addend));
  return VisitPlainTypes(context, type, [&](auto in, auto out) -> std::unique_ptr<Kernel> {
    using In = typename decltype(in)::Type;
    using Out = typename decltype(out)::Type;
    return std::make_unique<PlainGemm<In, Out, Out>>(std::move(shape), std::move(addend));
  });
}

const RegisterOp gemm(OpDef("GEMM").Infer(InferGemm).Lower(LowerGemm).Types(ConvolutionTypes()));

}  // namespace
}  // namespace foothold
