// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// AddLayerNorm: the sum of two tensors, normalised over the last dimensions.
#include <cmath>

#include "base/thread_pool.h"
#include "kernels/normalize.h"
#include "ops/float_type.h"
#include "ops/norm/normalized_rows.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

// Ports; -1 for what the operator or the node does not have.
struct Ports {
  int second, gamma, beta, bias = -1;
  int mean = -1, scale = -1, sum = -1;  // outputs
};

Ports PortsOf(const OpContext& context) {
  const Node& node = context.node();
  return {.second = context.Port("x2"),
          .gamma = context.Port("gamma"),
          .beta = context.Port("beta"),
          .bias = OptionalInput(context, "bias"),
          .mean = node.OutputIndex("mean"),
          .scale = node.OutputIndex("rstd"),
          .sum = node.OutputIndex("x")};
}

class AddLayerNormKernel : public Kernel {
 public:
  AddLayerNormKernel(const OpContext& context, float epsilon)
      : rows_(NormalizedRowsOf(context, context.InDims(0))), ports_(PortsOf(context)), epsilon_(epsilon) {
    if (ports_.bias >= 0) bias_length_ = static_cast<std::size_t>(ElementCount(context.InDims(ports_.bias)));
  }

  // The sum, if it is no output.
  std::size_t WorkspaceBytes() const override {
    return ports_.sum < 0 ? rows_.count * rows_.length * sizeof(float) : 0;
  }

  void Run(const RunArgs& args) const override {
    ParallelFor(rows_.count, 1 + 16384 / (1 + rows_.length), [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        RunRow(args, row);
    });
  }

 private:
  void RunRow(const RunArgs& args, std::size_t row) const {
    const float* x = Summed(args, row);
    const Moments moments = RowMoments(x, rows_.length);
    const float scale = 1.0f / std::sqrt(moments.variance + epsilon_);
    NormalizeRow(x, rows_.length, moments.mean, scale, args.In<float>(ports_.gamma),
                 args.In<float>(ports_.beta), args.Out<float>(0) + row * rows_.length);
    if (ports_.mean >= 0) args.Out<float>(ports_.mean)[row] = moments.mean;
    if (ports_.scale >= 0) args.Out<float>(ports_.scale)[row] = scale;
  }

  const float* Summed(const RunArgs& args, std::size_t row) const {
    const float* first = args.In<float>(0) + row * rows_.length;
    const float* second = args.In<float>(ports_.second) + row * rows_.length;
    float* all = ports_.sum < 0 ? reinterpret_cast<float*>(args.workspace) : args.Out<float>(ports_.sum);
    float* sum = all + row * rows_.length;
    for (std::size_t i = 0; i < rows_.length; ++i)
      sum[i] = first[i] + second[i];
    if (ports_.bias >= 0) {
      const float* bias = args.In<float>(ports_.bias) + row * rows_.length % bias_length_;
      for (std::size_t i = 0; i < rows_.length; ++i)
        sum[i] += bias[i];
    }
    return sum;
  }

  NormalizedRows rows_;
  Ports ports_;
  float epsilon_;
  std::size_t bias_length_ = 0;
};

std::unique_ptr<Kernel> LowerAddLayerNorm(OpContext& context) {
  for (int i = 0; i < context.inputs(); ++i)
    if (context.Has(i)) FloatTypeOf(context, i);
  return ThroughFloat(context,
                      std::make_unique<AddLayerNormKernel>(context, context.node().Float("epsilon", 1e-5f)));
}

void InferAddLayerNorm(OpContext& context) {
  if (context.In("x2").dims != context.InDims(0) || context.In("x2").type != context.In(0).type)
    context.Refuse("x2 is {}; it must be as the first input, {}", ToString(context.In("x2")),
                   ToString(context.In(0)));
  const NormalizedRows rows = NormalizedRowsOf(context, context.InDims(0));
  const auto length = static_cast<std::int64_t>(rows.length);
  if (context.In("gamma").dims.size() != 1 || ElementCount(context.In("beta").dims) != length)
    context.Refuse("gamma is {} and beta {}; expected [{}]", ToString(context.In("gamma")),
                   ToString(context.In("beta")), length);
  if (context.Has("bias")) {
    const Dims& bias = context.In("bias").dims;
    if (bias != context.InDims(0) && bias != Dims{length})
      context.Refuse("bias is {}; expected [{}] or the shape of x1", ToString(bias), length);
  }
  context.SetOut(0, context.In(0));
  SetStatistics(context, "mean", rows);
  SetStatistics(context, "rstd", rows);
  if (const int sum = context.node().OutputIndex("x"); sum >= 0) context.SetOut(sum, context.In(0));
}

const RegisterOp add_layer_norm(OpDef("AddLayerNorm")
                                    .Infer(InferAddLayerNorm)
                                    .Lower(LowerAddLayerNorm)
                                    .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}));

}  // namespace
}  // namespace foothold
