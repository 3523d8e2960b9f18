// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Normalisations over the last dimensions, of a tensor or of a sum of tensors: RmsNorm, AddRmsNorm and
// AddLayerNorm.
#include <cmath>

#include "base/thread_pool.h"
#include "kernels/normalize.h"
#include "ops/input_checks.h"
#include "ops/norm/normalized_rows.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

// Ports; -1 for what the operator or the node does not have.
struct Ports {
  int second = -1, gamma = -1, beta = -1, bias = -1;
  int mean = -1, scale = -1, sum = -1;  // outputs
};

Ports PortsOf(const OpContext& context) {
  const Node& node = context.node();
  return {.second = OptionalPort(context, "x2"),
          .gamma = context.Port("gamma"),
          .beta = OptionalPort(context, "beta"),
          .bias = OptionalPort(context, "bias"),
          .mean = node.OutputIndex("mean"),
          .scale = node.OutputIndex("rstd"),
          .sum = node.OutputIndex("x")};
}

class LastDimensionsKernel : public Kernel {
 public:
  LastDimensionsKernel(const OpContext& context, bool around_mean, float epsilon)
      : rows_(NormalizedRowsOf(context)),
        ports_(PortsOf(context)),
        around_mean_(around_mean),
        epsilon_(epsilon) {
    if (ports_.bias >= 0) bias_length_ = static_cast<std::size_t>(ElementCount(context.InDims(ports_.bias)));
  }

  // The sum, if it is no output.
  std::size_t WorkspaceBytes() const override {
    return ports_.second >= 0 && ports_.sum < 0 ? rows_.count * rows_.length * sizeof(float) : 0;
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
    float mean = 0, scale = 0;
    if (around_mean_) {
      const Moments moments = RowMoments(x, rows_.length);
      mean = moments.mean, scale = 1.0f / std::sqrt(moments.variance + epsilon_);
    } else {
      scale = InverseRms(x, rows_.length, epsilon_);
    }
    NormalizeRow(x, rows_.length, mean, scale, args.In<float>(ports_.gamma),
                 ports_.beta < 0 ? nullptr : args.In<float>(ports_.beta),
                 args.Out<float>(0) + row * rows_.length);
    if (ports_.mean >= 0) args.Out<float>(ports_.mean)[row] = mean;
    if (ports_.scale >= 0) args.Out<float>(ports_.scale)[row] = scale;
  }

  const float* Summed(const RunArgs& args, std::size_t row) const {
    const float* first = args.In<float>(0) + row * rows_.length;
    if (ports_.second < 0) return first;
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
  bool around_mean_;
  float epsilon_;
  std::size_t bias_length_ = 0;
};

std::unique_ptr<Kernel> LowerRows(OpContext& context, bool around_mean, float epsilon) {
  for (int i = 0; i < context.inputs(); ++i)
    if (context.Has(i) && !ComputesInFloat(context.In(i).type))
      context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one",
                          DataTypeName(context.In(i).type));
  return ThroughFloat(context, std::make_unique<LastDimensionsKernel>(
                                   context, around_mean, context.node().Float("epsilon", epsilon)));
}

void SetStatistics(OpContext& context, const char* name, const NormalizedRows& rows) {
  const int port = context.node().OutputIndex(name);
  if (port >= 0) context.SetOut(port, DataType::kFloat, rows.statistics, context.In(0).format);
}

void InferRmsNorm(OpContext& context) {
  if (context.node().InputIndex("x2") >= 0) CheckLikeFirst(context, "x2");
  context.SetOut(0, context.In(0));
  SetStatistics(context, "rstd", NormalizedRowsOf(context));
  if (const int sum = context.node().OutputIndex("x"); sum >= 0) context.SetOut(sum, context.In(0));
}

void InferAddLayerNorm(OpContext& context) {
  CheckLikeFirst(context, "x2");
  const NormalizedRows rows = NormalizedRowsOf(context);
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

OpDef RowsOp(const char* type, OpDef::InferRule infer, bool around_mean, float epsilon) {
  return OpDef(type)
      .Infer(std::move(infer))
      .Lower([=](OpContext& context) { return LowerRows(context, around_mean, epsilon); })
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp row_norms({
    RowsOp("RmsNorm", InferRmsNorm, false, 1e-6f),
    RowsOp("AddRmsNorm", InferRmsNorm, false, 1e-6f),
    RowsOp("AddLayerNorm", InferAddLayerNorm, true, 1e-5f),
});

}  // namespace
}  // namespace foothold
