// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// NLLLossGrad: of the logarithms of probabilities x, whose classes are the second dimension or the only one.
// Only the element of the label has a gradient: what arrives times the weight of the class.
#include <cstring>

#include "base/thread_pool.h"
#include "ops/data/index_reader.h"
#include "ops/data/rule_arguments.h"
#include "ops/function_kernel.h"
#include "ops/loss/reduction.h"

namespace foothold {
namespace {

struct Scores {
  std::size_t outer = 1, classes, inner = 1;
  std::size_t labels() const { return outer * inner; }
};

Scores ScoresOf(const OpContext& context) {
  const Dims& x = context.InDims(0);
  if (x.empty()) context.Refuse("x is a scalar, expected classes");
  if (x.size() == 1) return {1, static_cast<std::size_t>(x[0]), 1};
  return {static_cast<std::size_t>(x[0]), static_cast<std::size_t>(x[1]), Product(x, 2, x.size())};
}

void Infer(OpContext& context) {
  const Scores scores = ScoresOf(context);
  const auto expect = [&](const char* name, std::size_t count) {
    if (static_cast<std::size_t>(ElementCount(context.In(name).dims)) != count)
      context.Refuse("{} is {}, expected {} elements", name, ToString(context.In(name)), count);
  };
  expect("target", scores.labels());
  expect("y_grad", ReductionOf(context) == LossReduction::kNone ? scores.labels() : 1);
  if (context.Has("weight")) expect("weight", scores.classes);
  if (ReductionOf(context) == LossReduction::kMean) expect("total_weight", 1);
  context.SetOut(0, context.In(0));
}

std::unique_ptr<Kernel> Lower(OpContext& context) {
  const Scores scores = ScoresOf(context);
  const LossReduction reduction = ReductionOf(context);
  const IndexReader labels(context, context.Port("target"));
  const std::int64_t ignored = context.node().Int("ignore_index", -100);
  const int arriving = context.Port("y_grad"), weight = context.Has("weight") ? context.Port("weight") : -1,
            total = context.Port("total_weight");
  context.SetUnused(0);
  return FloatingKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf([=](const RunArgs& args) {
      const std::size_t block = scores.classes * scores.inner;
      ParallelFor(scores.outer, 1 + 65536 / (1 + block), [&](std::size_t begin, std::size_t end) {
        std::memset(args.Out<T>(0) + begin * block, 0, (end - begin) * block * sizeof(T));
        for (std::size_t i = begin * scores.inner; i < end * scores.inner; ++i) {
          const std::int64_t label = labels.Raw(args, i);
          if (label == ignored) continue;
          const std::size_t place = labels.At(args, i, scores.classes);
          T gradient = -args.In<T>(arriving)[reduction == LossReduction::kNone ? i : 0];
          if (weight >= 0) gradient *= args.In<T>(weight)[place];
          if (reduction == LossReduction::kMean) gradient /= args.In<T>(total)[0];
          args.Out<T>(0)[(i / scores.inner * scores.classes + place) * scores.inner + i % scores.inner] =
              gradient;
        }
      });
    });
  });
}

const RegisterOp label_gradient(OpDef("NLLLossGrad")
                                    .Infer(Infer)
                                    .Lower(Lower)
                                    .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16,
                                            DataType::kDouble}));

}  // namespace
}  // namespace foothold
