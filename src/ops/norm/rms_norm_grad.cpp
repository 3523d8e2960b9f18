// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// RmsNormGrad: the gradients of x / sqrt(mean(x^2) + epsilon) * gamma, by x and by gamma.
#include <algorithm>

#include "base/thread_pool.h"
#include "ops/norm/normalized_rows.h"
#include "ops/through_float.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

enum Port { kGradient, kX, kInverse, kGamma };

constexpr std::size_t kColumns = 256;

void InferRmsNormGrad(OpContext& context) {
  const NormalizedRows rows = NormalizedRowsOf(context, context.InDims(kX));
  if (context.InDims(kGradient) != context.InDims(kX))
    context.Refuse("dy is {}; it must be like x, {}", ToString(context.In(kGradient)),
                   ToString(context.In(kX)));
  if (ElementCount(context.InDims(kInverse)) != static_cast<std::int64_t>(rows.count))
    context.Refuse("rstd is {}; expected one for each of {} rows", ToString(context.In(kInverse)),
                   rows.count);
  context.SetOut(0, context.In(kX));
  if (context.outputs() > 1) context.SetOut(1, DataType::kFloat, context.InDims(kGamma), Format::kNd);
}

class RmsNormGrad : public Kernel {
 public:
  RmsNormGrad(const NormalizedRows& rows, bool gives_gamma) : rows_(rows), gives_gamma_(gives_gamma) {}

  void Run(const RunArgs& args) const override {
    ParallelFor(rows_.count, 1 + 16384 / (1 + rows_.length), [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        RunRow(args, row);
    });
    if (!gives_gamma_) return;
    ParallelFor((rows_.length + kColumns - 1) / kColumns, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t piece = begin; piece < end; ++piece)
        RunGamma(args, piece * kColumns);
    });
  }

 private:
  // With g = dy gamma: r (g - x r^2 mean(g x)).
  void RunRow(const RunArgs& args, std::size_t row) const {
    const float* dy = args.In<float>(kGradient) + row * rows_.length;
    const float* x = args.In<float>(kX) + row * rows_.length;
    const float* gamma = args.In<float>(kGamma);
    float* dx = args.Out<float>(0) + row * rows_.length;
    double product = 0;
    for (std::size_t i = 0; i < rows_.length; ++i)
      product += static_cast<double>(dy[i] * gamma[i]) * static_cast<double>(x[i]);
    const float inverse = args.In<float>(kInverse)[row];
    const auto mean = static_cast<float>(product / static_cast<double>(rows_.length));
    const float pull = mean * inverse * inverse;
    for (std::size_t i = 0; i < rows_.length; ++i)
      dx[i] = inverse * (dy[i] * gamma[i] - x[i] * pull);
  }

  void RunGamma(const RunArgs& args, std::size_t first) const {
    double sums[kColumns] = {};
    const std::size_t count = std::min(kColumns, rows_.length - first);
    for (std::size_t row = 0; row < rows_.count; ++row) {
      const float* dy = args.In<float>(kGradient) + row * rows_.length + first;
      const float* x = args.In<float>(kX) + row * rows_.length + first;
      const float inverse = args.In<float>(kInverse)[row];
      for (std::size_t i = 0; i < count; ++i)
        sums[i] += static_cast<double>(dy[i]) * static_cast<double>(x[i] * inverse);
    }
    for (std::size_t i = 0; i < count; ++i)
      args.Out<float>(1)[first + i] = static_cast<float>(sums[i]);
  }

  NormalizedRows rows_;
  bool gives_gamma_;
};

std::unique_ptr<Kernel> LowerRmsNormGrad(OpContext& context) {
  for (int port = 0; port < context.inputs(); ++port)
    if (!ComputesInFloat(context.In(port).type))
      context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one",
                          DataTypeName(context.In(port).type));
  return ThroughFloat(context, std::make_unique<RmsNormGrad>(NormalizedRowsOf(context, context.InDims(kX)),
                                                             context.outputs() > 1));
}

const RegisterOp rms_norm_grad(
    OpDef("RmsNormGrad").Infer(InferRmsNormGrad).Lower(LowerRmsNormGrad).Types(FloatTypes()));

}  // namespace
}  // namespace foothold
