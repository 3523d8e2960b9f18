// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/matrix/integer_product.h"

#include <algorithm>
#include <functional>

#include "kernels/integer_matmul.h"
#include "ops/matrix/packed_weights.h"

namespace foothold {
namespace {

std::size_t Aligned(std::size_t numbers) {
  return RoundUp(numbers, kTensorAlignment / sizeof(std::int16_t));
}

// From one zero point to the next.
std::size_t StepOf(const OpContext& context, int port) {
  return port >= 0 && ElementCount(context.InDims(port)) != 1 ? 1 : 0;
}

template <typename Left, typename Right>
class IntegerProductKernel : public Kernel {
 public:
  IntegerProductKernel(const OpContext& context, IntegerProduct product, int packed)
      : p_(std::move(product)),
        packed_(packed),
        left_step_(StepOf(context, p_.left_zero)),
        right_step_(StepOf(context, p_.right_zero)),
        scale_step_(StepOf(context, p_.scale)) {}

  std::size_t WorkspaceBytes() const override {
    const std::size_t right = packed_ >= 0 ? 0 : Aligned(PackedIntegersRight(p_.shape.size));
    return (Aligned(PackedIntegersLeft(p_.shape.size)) + right) * sizeof(std::int16_t);
  }

  void Run(const RunArgs& args) const override {
    const auto [rows, columns, depth] = p_.shape.size;
    auto* left = reinterpret_cast<std::int16_t*>(args.workspace);
    const Left* zeros = p_.left_zero < 0 ? nullptr : args.In<Left>(p_.left_zero);
    for (std::size_t i = 0; i < p_.shape.left_of.size(); ++i) {
      PackIntegersLeft(args.In<Left>(0) + p_.shape.left_of[i] * rows * depth, p_.shape.left, p_.shape.size,
                       zeros, left_step_, left);
      const std::int16_t* right = RightOf(args, i, left + Aligned(PackedIntegersLeft(p_.shape.size)));
      const std::size_t place = i * rows * columns;
      if (p_.scale < 0)
        MultiplyIntegers(left, right, p_.shape.size, args.Out<std::int32_t>(0) + place);
      else
        MultiplyScaledIntegers(left, right, p_.shape.size, ScalingAt(args, place),
                               args.Out<float>(0) + place);
    }
    if (p_.bias_port >= 0) p_.bias.AddTo(args.Out<std::int32_t>(0), args.In<std::int32_t>(p_.bias_port));
  }

 private:
  IntegerScaling ScalingAt(const RunArgs& args, std::size_t place) const {
    IntegerScaling scaling{args.In<float>(p_.scale), scale_step_, {}};
    if (p_.float_bias >= 0) scaling.finish.bias = args.In<float>(p_.float_bias);
    if (p_.residual >= 0) scaling.finish.residual = args.In<float>(p_.residual) + place;
    scaling.finish.activation = p_.activation;
    return scaling;
  }

  const std::int16_t* RightOf(const RunArgs& args, std::size_t i, std::int16_t* to) const {
    const std::size_t matrix = p_.shape.right_of[i];
    if (packed_ >= 0)
      return args.In<std::int16_t>(packed_) + matrix * Aligned(PackedIntegersRight(p_.shape.size));
    const Right* zeros = p_.right_zero < 0 ? nullptr : args.In<Right>(p_.right_zero);
    const bool fresh = i == 0 || matrix != p_.shape.right_of[i - 1];
    if (fresh)
      PackIntegersRight(args.In<Right>(1) + matrix * p_.shape.size.depth * p_.shape.size.columns,
                        p_.shape.right, p_.shape.size, zeros, right_step_, to);
    return to;
  }

  IntegerProduct p_;
  int packed_;  // the constant with all matrices on the right; -1: they come with the run
  std::size_t left_step_, right_step_, scale_step_;
};

bool IsZero(const TensorValue& zero) {
  const std::vector<std::int64_t> numbers = Integers(zero);
  return std::all_of(numbers.begin(), numbers.end(), [](std::int64_t number) { return number == 0; });
}

// Weights less other zero points than 0 are not shared: the name of a packing does not say which.
TensorValue PackedOnce(const OpContext& context, const IntegerProduct& product, const TensorType& type,
                       const std::function<void(TensorValue&)>& pack) {
  const MatMulShape& shape = product.shape;
  if (product.right_zero < 0 || IsZero(*context.Value(product.right_zero)))
    return SharedPacking(*context.Value(1),
                         fmt::format("pairs {} {} {} {}", shape.size.depth, shape.size.columns,
                                     shape.right.row, shape.right.column),
                         type, pack);
  TensorValue packed(type);
  pack(packed);
  return packed;
}

template <typename Right>
int PackedConstant(OpContext& context, const IntegerProduct& product) {
  const MatMulShape& shape = product.shape;
  const TensorValue* right = context.Value(1);
  const TensorValue* zero = product.right_zero < 0 ? nullptr : context.Value(product.right_zero);
  if (right == nullptr || (zero == nullptr && product.right_zero >= 0) || shape.left_of.empty()) return -1;
  const std::size_t numbers = Aligned(PackedIntegersRight(shape.size));
  const TensorType type{
      DataType::kInt16, Format::kNd, {static_cast<std::int64_t>(numbers * shape.right_matrices)}};
  const auto pack = [&](TensorValue& to) {
    for (std::size_t i = 0; i < shape.right_matrices; ++i)
      PackIntegersRight(right->As<Right>() + i * shape.size.depth * shape.size.columns, shape.right,
                        shape.size, zero == nullptr ? nullptr : zero->As<Right>(),
                        StepOf(context, product.right_zero), to.MutableAs<std::int16_t>() + i * numbers);
  };
  TensorValue packed = PackedOnce(context, product, type, pack);
  context.SetUnused(1);
  if (product.right_zero >= 0) context.SetUnused(product.right_zero);
  return context.AddConstant(std::move(packed));
}

template <typename Left, typename Right>
std::unique_ptr<Kernel> Make(OpContext& context, IntegerProduct product) {
  const int packed = PackedConstant<Right>(context, product);
  return std::make_unique<IntegerProductKernel<Left, Right>>(context, std::move(product), packed);
}

bool IsByte(DataType type) {
  return type == DataType::kInt8 || type == DataType::kUint8;
}

}  // namespace

std::unique_ptr<Kernel> LowerIntegerProduct(OpContext& context, IntegerProduct product) {
  const DataType left = context.In(0).type, right = context.In(1).type;
  if (!IsByte(left) || !IsByte(right))
    context.Unsupported("no kernel for {} and {}; int8 and uint8 would run", DataTypeName(left),
                        DataTypeName(right));
  // Matrices that became one have more rows than zero points.
  if (StepOf(context, product.left_zero) == 0) MergeRows(product.shape);
  if (left == DataType::kInt8 && right == DataType::kInt8)
    return Make<std::int8_t, std::int8_t>(context, std::move(product));
  if (left == DataType::kInt8) return Make<std::int8_t, std::uint8_t>(context, std::move(product));
  if (right == DataType::kInt8) return Make<std::uint8_t, std::int8_t>(context, std::move(product));
  return Make<std::uint8_t, std::uint8_t>(context, std::move(product));
}

}  // namespace foothold
