// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Tensors of random numbers in a shape that an input gives.
#include <cmath>
#include <numbers>
#include <optional>

#include "base/error.h"
#include "ops/data/index_reader.h"
#include "ops/data/rule_arguments.h"
#include "ops/random/random_source.h"

namespace foothold {
namespace {

Dims ShapeOf(const OpContext& context) {
  Dims dims = context.NeededInts("shape");
  if (!IsStatic(dims)) context.Refuse("shape {} has a negative dimension", ToString(dims));
  return dims;
}

std::optional<RandomType> FloatingType(DataType type) {
  if (type == DataType::kFloat) return RandomType::kFloat32;
  if (type == DataType::kFloat16) return RandomType::kFloat16;
  if (type == DataType::kBfloat16) return RandomType::kBFloat16;
  return std::nullopt;
}

void InferFloating(OpContext& context) {
  context.SetOut(0, TypeAttribute(context, "dtype", DataType::kFloat), ShapeOf(context), Format::kNd);
}

class UniformKernel : public Kernel {
 public:
  UniformKernel(const OpContext& context, std::size_t count, std::optional<RandomType> type)
      : source_(context), count_(count), type_(type) {}

  void Run(const RunArgs& args) const override {
    const RandomState state = source_.Take(BlocksFor(count_));
    if (type_)
      RandomUniform(args.outputs[0], count_, *type_, 0, 1, state);
    else
      UniformDoubles(args.Out<double>(0), count_, state);
  }

 private:
  RandomSource source_;
  std::size_t count_;
  std::optional<RandomType> type_;
};

// Doubles by Box and Muller from two even numbers each.
class NormalKernel : public Kernel {
 public:
  NormalKernel(const OpContext& context, std::size_t count, std::optional<RandomType> type)
      : source_(context), count_(count), type_(type) {}

  std::size_t WorkspaceBytes() const override { return type_ ? 0 : 2 * count_ * sizeof(double); }

  void Run(const RunArgs& args) const override {
    const RandomState state = source_.Take(BlocksFor(2 * count_));
    if (type_) {
      RandomNormal(args.outputs[0], count_, *type_, 0, 1, false, state);
      return;
    }
    auto* even = reinterpret_cast<double*>(args.workspace);
    UniformDoubles(even, 2 * count_, state);
    for (std::size_t i = 0; i < count_; ++i)
      args.Out<double>(0)[i] =
          std::sqrt(-2 * std::log1p(-even[2 * i])) * std::cos(2 * std::numbers::pi * even[2 * i + 1]);
  }

 private:
  RandomSource source_;
  std::size_t count_;
  std::optional<RandomType> type_;
};

template <class FloatingKernel>
std::unique_ptr<Kernel> LowerFloating(OpContext& context) {
  const DataType type = context.Out(0).type;
  const std::optional<RandomType> random = FloatingType(type);
  if (!random && type != DataType::kDouble)
    context.Unsupported("no kernel for {}; float, float16, bfloat16 and double have one", DataTypeName(type));
  Ignore(context, {"shape"});
  return std::make_unique<FloatingKernel>(
      context, static_cast<std::size_t>(ElementCount(context.Out(0).dims)), random);
}

void InferInteger(OpContext& context) {
  const TensorType &low = context.In("min"), &high = context.In("max");
  if (low.type != high.type || ElementCount(low.dims) != 1 || ElementCount(high.dims) != 1)
    context.Refuse("min is {} and max {}, expected two integers of one type", ToString(low), ToString(high));
  context.SetOut(0, low.type, ShapeOf(context), Format::kNd);
}

class IntegerKernel : public Kernel {
 public:
  explicit IntegerKernel(const OpContext& context)
      : source_(context),
        count_(static_cast<std::size_t>(ElementCount(context.Out(0).dims))),
        type_(context.Out(0).type == DataType::kInt64 ? RandomType::kInt64 : RandomType::kInt32),
        low_(context, context.Port("min")),
        high_(context, context.Port("max")),
        name_(context.node().Description()) {}

  void Run(const RunArgs& args) const override {
    const std::int64_t low = low_.Raw(args, 0), high = high_.Raw(args, 0);
    if (low >= high)
      Fail(kInvalidParam, "{}: min is {} and max {}, expected a rising range", name_, low, high);
    const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    RandomUniformIntegers(args.outputs[0], count_, type_, low, span, source_.Take(BlocksFor(count_)));
  }

 private:
  RandomSource source_;
  std::size_t count_;
  RandomType type_;
  IndexReader low_, high_;
  std::string name_;
};

std::unique_ptr<Kernel> LowerInteger(OpContext& context) {
  Ignore(context, {"shape"});
  return std::make_unique<IntegerKernel>(context);
}

const RegisterOp random_tensors({OpDef("RandomUniform")
                                     .Infer(InferFloating)
                                     .Lower(LowerFloating<UniformKernel>)
                                     .Stateful()
                                     .Types({DataType::kInt32, DataType::kInt64}),
                                 OpDef("RandomStandardNormal")
                                     .Infer(InferFloating)
                                     .Lower(LowerFloating<NormalKernel>)
                                     .Stateful()
                                     .Types({DataType::kInt32, DataType::kInt64}),
                                 OpDef("RandomUniformInt")
                                     .Infer(InferInteger)
                                     .Lower(LowerInteger)
                                     .Stateful()
                                     .Types({DataType::kInt32, DataType::kInt64})});

}  // namespace
}  // namespace foothold
