// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// BatchNormGradV3: the gradients of BatchNormV3. After training the saved mean and inverse deviation count,
// else the running ones. Without a weight it is 1.
#include <algorithm>
#include <cmath>

#include "kernels/normalize_gradient.h"
#include "ops/norm/channels.h"
#include "ops/through_float.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

ChannelLayout LayoutOf(const OpContext& context) {
  const TensorType& x = context.In("x");
  if (IsInBlocks(x)) return LayoutInBlocks(context, x.dims, ElementCount(context.In("save_mean").dims));
  return LayoutAround(x.dims, x.dims.size() < 2 ? 0 : ChannelAxis(context, x, "NCHW"));
}

struct Statistics {
  const char *mean, *spread;
};

Statistics StatisticsOf(const OpContext& context) {
  return context.node().Bool("is_training", true) ? Statistics{"save_mean", "save_rstd"}
                                                  : Statistics{"running_mean", "running_var"};
}

void InferBatchNormGradV3(OpContext& context) {
  const TensorType& x = context.In("x");
  if (x.dims.empty()) context.Refuse("x is a scalar; it must have channels");
  if (context.In("dy").dims != x.dims)
    context.Refuse("dy is {}; it must be like x, {}", ToString(context.In("dy")), ToString(x));
  const auto channels = static_cast<std::int64_t>(LayoutOf(context).channels);
  const Statistics statistics = StatisticsOf(context);
  for (const char* name : {statistics.mean, statistics.spread}) {
    if (!context.Has(name)) context.Refuse("input '{}' is not connected", name);
    CheckChannels(context, name, channels);
  }
  CheckChannels(context, "weight", channels);
  context.SetOut(0, x);
  const DataType type = context.Has("weight") ? context.In("weight").type : DataType::kFloat;
  for (int i = 1; i < context.outputs(); ++i)
    context.SetOut(i, type, {channels}, Format::kNd);
}

class BatchNormGradV3 : public Kernel {
 public:
  explicit BatchNormGradV3(const OpContext& context)
      : layout_(LayoutOf(context)),
        training_(context.node().Bool("is_training", true)),
        epsilon_(context.node().Float("epsilon", 1e-5f)),
        dy_(context.Port("dy")),
        x_(context.Port("x")),
        weight_(context.Has("weight") ? context.Port("weight") : -1),
        mean_(context.Port(StatisticsOf(context).mean)),
        spread_(context.Port(StatisticsOf(context).spread)),
        outputs_(context.outputs()) {}

  // Variances, a weight of ones, and gradients of parameters nobody asks for.
  std::size_t WorkspaceBytes() const override { return 4 * layout_.channels * sizeof(float); }

  void Run(const RunArgs& args) const override {
    auto* variance = reinterpret_cast<float*>(args.workspace);
    float* ones = variance + layout_.channels;
    float* aside = ones + layout_.channels;
    std::fill_n(ones, layout_.channels, 1.0f);
    for (std::size_t c = 0; c < layout_.channels; ++c) {
      const float spread = args.In<float>(spread_)[c];
      variance[c] = training_ ? 1.0f / (spread * spread) : spread;
    }
    ChannelNormGradient(layout_, args.In<float>(dy_), args.In<float>(x_),
                        weight_ < 0 ? ones : args.In<float>(weight_),
                        {args.In<float>(mean_), variance, training_ ? 0.0f : epsilon_}, training_,
                        args.Out<float>(0), outputs_ > 1 ? args.Out<float>(1) : aside,
                        outputs_ > 2 ? args.Out<float>(2) : aside + layout_.channels);
  }

 private:
  ChannelLayout layout_;
  bool training_;
  float epsilon_;
  int dy_, x_, weight_, mean_, spread_, outputs_;
};

std::unique_ptr<Kernel> LowerBatchNormGradV3(OpContext& context) {
  for (int port = 0; port < context.inputs(); ++port)
    if (context.Has(port) && !ComputesInFloat(context.In(port).type))
      context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one",
                          DataTypeName(context.In(port).type));
  return ThroughFloat(context, std::make_unique<BatchNormGradV3>(context));
}

const RegisterOp batch_norm_grad_v3(
    OpDef("BatchNormGradV3").Infer(InferBatchNormGradV3).Lower(LowerBatchNormGradV3).Types(FloatTypes()));

}  // namespace
}  // namespace foothold
