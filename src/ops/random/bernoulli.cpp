// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Ones with a given probability, else zeros; the numbers follow from the inputs 'seed' and 'offset' alone.
// StatelessBernoulli has one probability, or one for each element; the V2 form has the latter as its shape.
#include <cstring>

#include "ops/data/index_reader.h"
#include "ops/data/rule_arguments.h"
#include "ops/element_types.h"
#include "ops/random/random_source.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

void InferBernoulli(OpContext& context) {
  const TensorType& prob = context.In("prob");
  const Dims dims = context.NeededInts("shape");
  if (!IsStatic(dims)) context.Refuse("shape {} has a negative dimension", ToString(dims));
  if (ElementCount(prob.dims) != 1 && ElementCount(prob.dims) != ElementCount(dims))
    context.Refuse("prob is {}, expected one number or one for each element of {}", ToString(prob),
                   ToString(dims));
  context.SetOut(0, TypeAttribute(context, "dtype", DataType::kFloat), dims, Format::kNd);
}

void InferBernoulliV2(OpContext& context) {
  const TensorType& x = context.In("x");
  const Attribute* named = context.node().FindAttribute("dtype");
  const auto* type = named == nullptr ? nullptr : std::get_if<DataType>(named);
  const bool like_x = named == nullptr || (type != nullptr && *type == DataType::kUndefined);
  context.SetOut(0, like_x ? x.type : TypeAttribute(context, "dtype", x.type), x.dims, x.format);
}

template <typename T>
class BernoulliKernel : public Kernel {
 public:
  BernoulliKernel(const OpContext& context, int probabilities, TensorValue one)
      : seed_(context, context.Port("seed")),
        offset_(context, context.Port("offset")),
        port_(probabilities),
        one_probability_(ElementCount(context.InDims(probabilities)) == 1),
        count_(static_cast<std::size_t>(ElementCount(context.Out(0).dims))),
        one_(std::move(one)) {}

  std::size_t WorkspaceBytes() const override { return count_ * sizeof(double); }

  void Run(const RunArgs& args) const override {
    auto* draws = reinterpret_cast<double*>(args.workspace);
    UniformDoubles(
        draws, count_,
        {static_cast<std::uint64_t>(seed_.Raw(args, 0)), static_cast<std::uint64_t>(offset_.Raw(args, 0))});
    const std::size_t size = one_.size();
    std::memset(args.outputs[0], 0, count_ * size);
    for (std::size_t i = 0; i < count_; ++i) {
      const auto probability = static_cast<Computed<T>>(args.In<T>(port_)[one_probability_ ? 0 : i]);
      if (draws[i] < static_cast<double>(probability))
        std::memcpy(args.outputs[0] + i * size, one_.data(), size);
    }
  }

 private:
  IndexReader seed_, offset_;
  int port_;
  bool one_probability_;
  std::size_t count_;
  TensorValue one_;
};

std::unique_ptr<Kernel> LowerBernoulli(OpContext& context) {
  Ignore(context, {"shape"});
  const int port = context.Port(context.node().InputIndex("prob") >= 0 ? "prob" : "x");
  TensorValue one(TensorType{context.Out(0).type, Format::kNd, {}});
  StoreNumber(context, one, 1);
  for (const char* name : {"seed", "offset"})
    if (ElementCount(context.In(name).dims) != 1)
      context.Refuse("'{}' is {}, expected one number", name, ToString(context.In(name)));
  return VisitType(
      context.In(port).type,
      [&](auto tag) -> std::unique_ptr<Kernel> {
        return std::make_unique<BernoulliKernel<typename decltype(tag)::Type>>(context, port, one);
      },
      [&]() -> std::unique_ptr<Kernel> {
        context.Unsupported("no kernel for {}; real numbers would run", DataTypeName(context.In(port).type));
      });
}

const RegisterOp bernoulli({OpDef("StatelessBernoulli")
                                .Infer(InferBernoulli)
                                .Lower(LowerBernoulli)
                                .Types({DataType::kInt32, DataType::kInt64}),
                            OpDef("StatelessBernoulliV2")
                                .Infer(InferBernoulliV2)
                                .Lower(LowerBernoulli)
                                .Types(NumberAndBoolTypes())});

}  // namespace
}  // namespace foothold
