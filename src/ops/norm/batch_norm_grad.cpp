// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>

#include "kernels/normalize_gradient.h"
#include "ops/norm/channels.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

enum Port { kGradient, kX, kScale, kMean, kVariance };

ChannelLayout LayoutOf(const OpContext& context) {
  const TensorType& x = context.In(kX);
  return LayoutAround(x.dims, ChannelAxis(context, x, context.node().Text("data_format", "NHWC")));
}

void InferBatchNormGrad(OpContext& context) {
  const TensorType& x = context.In(kX);
  if (context.InDims(kGradient) != x.dims)
    context.Refuse("y_backprop is {}; it must be like x, {}", ToString(context.In(kGradient)), ToString(x));
  const auto channels = static_cast<std::int64_t>(LayoutOf(context).channels);
  for (const char* name : {"scale", "reserve_space_1", "reserve_space_2"})
    CheckChannels(context, name, channels);
  context.SetOut(0, x);
  for (int i = 1; i < context.outputs(); ++i)  // the last two are there only to be passed on
    context.SetOut(i, DataType::kFloat, {i < 3 ? channels : 1}, Format::kNd);
}

class BatchNormGrad : public Kernel {
 public:
  explicit BatchNormGrad(const OpContext& context)
      : layout_(LayoutOf(context)),
        training_(context.node().Bool("is_training", true)),
        epsilon_(context.node().Float("epsilon", 0.0001f)),
        outputs_(context.outputs()) {}

  // For the gradients of parameters nobody asks for.
  std::size_t WorkspaceBytes() const override { return 2 * layout_.channels * sizeof(float); }

  void Run(const RunArgs& args) const override {
    auto* aside = reinterpret_cast<float*>(args.workspace);
    ChannelNormGradient(layout_, args.In<float>(kGradient), args.In<float>(kX), args.In<float>(kScale),
                        {args.In<float>(kMean), args.In<float>(kVariance), epsilon_}, training_,
                        args.Out<float>(0), outputs_ > 1 ? args.Out<float>(1) : aside,
                        outputs_ > 2 ? args.Out<float>(2) : aside + layout_.channels);
    for (int i = 3; i < outputs_; ++i)
      *args.Out<float>(i) = 0.0f;
  }

 private:
  ChannelLayout layout_;
  bool training_;
  float epsilon_;
  int outputs_;
};

std::unique_ptr<Kernel> LowerBatchNormGrad(OpContext& context) {
  for (const Port port : {kGradient, kX})
    if (!ComputesInFloat(context.In(port).type))
      context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one",
                          DataTypeName(context.In(port).type));
  return ThroughFloat(context, std::make_unique<BatchNormGrad>(context));
}

const RegisterOp batch_norm_grad(OpDef("BatchNormGrad")
                                     .Infer(InferBatchNormGrad)
                                     .Lower(LowerBatchNormGrad)
                                     .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}));

}  // namespace
}  // namespace foothold
