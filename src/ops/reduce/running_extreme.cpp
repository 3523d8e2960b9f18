// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// AclnnRunningExtreme, an operator of our own: along 'axis', the largest ('largest', else the smallest)
// element so far and where it is. Of equals the last counts, and after what is no number there is none.
#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/function_kernel.h"
#include "ops/norm/channels.h"
#include "ops/number_kernel.h"

namespace foothold {
namespace {

std::size_t AxisOf(const OpContext& context) {
  return AxisIn(context, RequiredInt(context, "axis"), context.InDims(0).size(), "attribute 'axis'");
}

void Infer(OpContext& context) {
  AxisOf(context);
  context.SetOut(0, context.In(0));
  context.SetOut(1, DataType::kInt64, context.InDims(0), Format::kNd);
}

std::unique_ptr<Kernel> Lower(OpContext& context) {
  const ChannelLayout lines = LayoutAround(context.InDims(0), AxisOf(context));
  const bool largest = context.node().Bool("largest", true);
  return NumberKernel(context, [&](auto tag) {
    using T = typename decltype(tag)::Type;
    return KernelOf([=](const RunArgs& args) {
      ParallelFor(
          lines.outer * lines.inner, 1 + 8192 / (1 + lines.channels),
          [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
              const std::size_t first = i / lines.inner * lines.channels * lines.inner + i % lines.inner;
              std::size_t best = first;
              for (std::size_t k = 0; k < lines.channels; ++k) {
                const std::size_t at = first + k * lines.inner;
                const T value = args.In<T>(0)[at], most = args.In<T>(0)[best];
                if (value != value || (most == most && (largest ? value >= most : value <= most))) best = at;
                args.Out<T>(0)[at] = args.In<T>(0)[best];
                args.Out<std::int64_t>(1)[at] = static_cast<std::int64_t>((best - first) / lines.inner);
              }
            }
          });
    });
  });
}

const RegisterOp running_extreme(OpDef("AclnnRunningExtreme").Infer(Infer).Lower(Lower));

}  // namespace
}  // namespace foothold
