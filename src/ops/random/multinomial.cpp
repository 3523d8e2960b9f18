// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Classes drawn by chance: row by row, with probabilities whose logarithms, up to a constant, are given.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/random/random_source.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

void InferMultinomial(OpContext& context) {
  const TensorType& logits = context.In("logits");
  if (logits.dims.size() != 2 || logits.dims[1] == 0)
    context.Refuse("logits is {}, expected rows of classes", ToString(logits));
  const std::int64_t samples = IntArgument(context, "num_samples");
  if (samples < 0) context.Refuse("num_samples is {}, expected 0 or more", samples);
  context.SetOut(0, IndexTypeAttribute(context, "dtype", DataType::kInt64), {logits.dims[0], samples},
                 Format::kNd);
}

template <typename T>
class MultinomialKernel : public Kernel {
 public:
  MultinomialKernel(const OpContext& context, const Dims& logits, const Dims& samples, bool wide)
      : source_(context),
        rows_(static_cast<std::size_t>(logits[0])),
        classes_(static_cast<std::size_t>(logits[1])),
        samples_(static_cast<std::size_t>(samples[1])),
        wide_(wide),
        name_(context.node().Description()) {}

  std::size_t WorkspaceBytes() const override { return (classes_ + rows_ * samples_) * sizeof(double); }

  void Run(const RunArgs& args) const override {
    auto* sums = reinterpret_cast<double*>(args.workspace);
    double* draws = sums + classes_;
    UniformDoubles(draws, rows_ * samples_, source_.Take(BlocksFor(rows_ * samples_)));
    for (std::size_t row = 0; row < rows_; ++row) {
      AddUp(args.In<T>(0) + row * classes_, sums);
      for (std::size_t i = row * samples_; i < (row + 1) * samples_; ++i)
        Store(args, i, std::upper_bound(sums, sums + classes_ - 1, draws[i] * sums[classes_ - 1]) - sums);
    }
  }

 private:
  void AddUp(const T* logits, double* sums) const {
    double most = -HUGE_VAL, sum = 0;
    for (std::size_t k = 0; k < classes_; ++k)
      most = std::fmax(most, static_cast<double>(static_cast<Computed<T>>(logits[k])));
    for (std::size_t k = 0; k < classes_; ++k)
      sums[k] = sum += std::exp(static_cast<double>(static_cast<Computed<T>>(logits[k])) - most);
    if (!std::isfinite(sum)) Fail(kInvalidParam, "{}: the logits of a row are no probabilities", name_);
  }
  void Store(const RunArgs& args, std::size_t i, std::ptrdiff_t chosen) const {
    if (wide_)
      args.Out<std::int64_t>(0)[i] = chosen;
    else
      args.Out<std::int32_t>(0)[i] = static_cast<std::int32_t>(chosen);
  }

  RandomSource source_;
  std::size_t rows_, classes_, samples_;
  bool wide_;
  std::string name_;
};

std::unique_ptr<Kernel> LowerMultinomial(OpContext& context) {
  Ignore(context, {"num_samples"});
  return VisitType(
      context.In("logits").type,
      [&](auto tag) -> std::unique_ptr<Kernel> {
        return std::make_unique<MultinomialKernel<typename decltype(tag)::Type>>(
            context, context.InDims(0), context.Out(0).dims, context.Out(0).type == DataType::kInt64);
      },
      [&]() -> std::unique_ptr<Kernel> {
        context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(context.In(0).type));
      });
}

const RegisterOp multinomial(OpDef("Multinomial")
                                 .Infer(InferMultinomial)
                                 .Lower(LowerMultinomial)
                                 .Types(NumberAndBoolTypes())
                                 .Stateful());

}  // namespace
}  // namespace foothold
