// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/nn/int8_matmul.h"

#include "kernels/integer_matmul.h"

namespace foothold {
namespace {

std::size_t Aligned(std::size_t numbers) {
  return RoundUp(numbers, kTensorAlignment / sizeof(std::int16_t));
}

class Int8MatMul : public Kernel {
 public:
  Int8MatMul(MatMulShape shape, int packed, int bias_port, BroadcastBias bias)
      : s_(std::move(shape)), packed_(packed), bias_port_(bias_port), bias_(std::move(bias)) {}

  std::size_t WorkspaceBytes() const override {
    const std::size_t right = packed_ >= 0 ? 0 : Aligned(PackedIntegersRight(s_.size));
    return (Aligned(PackedIntegersLeft(s_.size)) + right) * sizeof(std::int16_t);
  }

  void Run(const RunArgs& args) const override {
    const auto [rows, columns, depth] = s_.size;
    auto* left = reinterpret_cast<std::int16_t*>(args.workspace);
    for (std::size_t i = 0; i < s_.left_of.size(); ++i) {
      PackIntegersLeft(args.In<std::int8_t>(0) + s_.left_of[i] * rows * depth, s_.left, s_.size, left);
      const std::int16_t* right = RightOf(args, i, left + Aligned(PackedIntegersLeft(s_.size)));
      MultiplyIntegers(left, right, s_.size, args.Out<std::int32_t>(0) + i * rows * columns);
    }
    if (bias_port_ >= 0) bias_.AddTo(args.Out<std::int32_t>(0), args.In<std::int32_t>(bias_port_));
  }

 private:
  const std::int16_t* RightOf(const RunArgs& args, std::size_t i, std::int16_t* to) const {
    const std::size_t matrix = s_.right_of[i];
    if (packed_ >= 0) return args.In<std::int16_t>(packed_) + matrix * Aligned(PackedIntegersRight(s_.size));
    const bool fresh = i == 0 || matrix != s_.right_of[i - 1];
    if (fresh)
      PackIntegersRight(args.In<std::int8_t>(1) + matrix * s_.size.depth * s_.size.columns, s_.right, s_.size,
                        to);
    return to;
  }

  MatMulShape s_;
  int packed_;  // the constant with all matrices on the right; -1: they come with the run
  int bias_port_;
  BroadcastBias bias_;
};

int PackedConstant(OpContext& context, const MatMulShape& shape) {
  const TensorValue* right = context.Value(1);
  if (right == nullptr || shape.left_of.empty()) return -1;
  const std::size_t numbers = Aligned(PackedIntegersRight(shape.size));
  const auto all = static_cast<std::int64_t>(numbers * shape.right_matrices);
  TensorValue packed(TensorType{DataType::kInt16, Format::kNd, {all}});
  for (std::size_t i = 0; i < shape.right_matrices; ++i)
    PackIntegersRight(right->As<std::int8_t>() + i * shape.size.depth * shape.size.columns, shape.right,
                      shape.size, packed.MutableAs<std::int16_t>() + i * numbers);
  context.SetUnused(1);
  return context.AddConstant(std::move(packed));
}

}  // namespace

std::unique_ptr<Kernel> LowerInt8MatMul(OpContext& context, MatMulShape shape, int bias_port,
                                        BroadcastBias bias) {
  MergeRows(shape);
  const int packed = PackedConstant(context, shape);
  return std::make_unique<Int8MatMul>(std::move(shape), packed, bias_port, std::move(bias));
}

}  // namespace foothold
