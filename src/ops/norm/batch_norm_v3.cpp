// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Batch normalisation that keeps running averages where they stand, as PyTorch has it. AclnnBatchNorm, an
// operator of our own, may keep them elsewhere: its outputs have the names of inputs that they are.
#include <algorithm>
#include <cmath>

#include "kernels/batch_norm.h"
#include "ops/norm/channels.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

enum Port { kX, kWeight, kBias, kRunningMean, kRunningVariance };
enum Result { kY, kNewMean, kNewVariance, kSaveMean, kSaveInverse, kResults };

ChannelLayout LayoutOf(const OpContext& context) {
  const TensorType& x = context.In(kX);
  if (IsInBlocks(x)) return LayoutInBlocks(context, x.dims, ElementCount(context.InDims(kWeight)));
  return LayoutAround(x.dims, x.dims.size() < 2 ? 0 : ChannelAxis(context, x, "NCHW"));
}

void InferBatchNorm(OpContext& context) {
  if (context.InDims(kX).empty()) context.Refuse("x is a scalar; it must have channels");
  if (context.outputs() != kResults) context.Refuse("there are {} outputs, expected 5", context.outputs());
  if (IsInBlocks(context.In(kX)) && !context.node().Bool("is_training", true))
    context.Refuse("x is in blocks of channels, which only training normalises");
  const auto channels = static_cast<std::int64_t>(LayoutOf(context).channels);
  for (const char* name : {"weight", "bias", "running_mean", "running_var"})
    CheckChannels(context, name, channels);
  context.SetOut(kY, context.In(kX));
  context.SetOut(kNewMean, context.In(kRunningMean));
  context.SetOut(kNewVariance, context.In(kRunningVariance));
  context.SetOut(kSaveMean, DataType::kFloat, {channels}, Format::kNd);
  context.SetOut(kSaveInverse, DataType::kFloat, {channels}, Format::kNd);
}

class BatchNormKernel : public Kernel {
 public:
  BatchNormKernel(const ChannelLayout& layout, const Node& node)
      : layout_(layout),
        channels_last_(layout.inner == 1 && layout.lanes == 1),
        training_(node.Bool("is_training", true)),
        epsilon_(node.Float("epsilon", 1e-5f)),
        momentum_(node.Float("momentum", 0.1f)) {}

  std::size_t WorkspaceBytes() const override { return 2 * layout_.channels * sizeof(float); }

  void Run(const RunArgs& args) const override {
    auto* variance = reinterpret_cast<float*>(args.workspace);
    float* mean = args.Out<float>(kSaveMean);
    if (training_ && !channels_last_)
      BatchNormForward(layout_, args.In<float>(kX),
                       {args.In<float>(kWeight), args.In<float>(kBias), epsilon_}, args.Out<float>(kY), mean,
                       variance);
    else
      NormalizeBy(args, mean, variance);
    for (std::size_t c = 0; c < layout_.channels; ++c)
      args.Out<float>(kSaveInverse)[c] = 1.0f / std::sqrt(variance[c] + epsilon_);
    Average(args, kRunningMean, kNewMean, mean, 1.0f);
    const auto count = static_cast<float>(layout_.Count());
    Average(args, kRunningVariance, kNewVariance, variance, count > 1 ? count / (count - 1) : 1.0f);
  }

 private:
  void NormalizeBy(const RunArgs& args, float* mean, float* variance) const {
    if (training_) {
      ChannelMoments(layout_, args.In<float>(kX), mean, variance);
    } else {
      std::copy_n(args.In<float>(kRunningMean), layout_.channels, mean);
      std::copy_n(args.In<float>(kRunningVariance), layout_.channels, variance);
    }
    float* scale = variance + layout_.channels;
    for (std::size_t c = 0; c < layout_.channels; ++c)
      scale[c] = 1.0f / std::sqrt(variance[c] + epsilon_) * args.In<float>(kWeight)[c];
    NormalizeChannels(layout_, args.In<float>(kX), mean, scale, args.In<float>(kBias), args.Out<float>(kY));
  }

  void Average(const RunArgs& args, int from, int to, const float* batch, float factor) const {
    const float share = training_ ? momentum_ : 0.0f;
    for (std::size_t c = 0; c < layout_.channels; ++c) {
      const float old = args.In<float>(from)[c];
      args.Out<float>(to)[c] = share == 0.0f ? old : (1.0f - share) * old + share * factor * batch[c];
    }
  }

  ChannelLayout layout_;
  bool channels_last_, training_;
  float epsilon_, momentum_;
};

std::unique_ptr<Kernel> LowerBatchNorm(OpContext& context) {
  const DataType type = context.In(kX).type;
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one", DataTypeName(type));
  return ThroughFloat(context, std::make_unique<BatchNormKernel>(LayoutOf(context), context.node()));
}

OpDef Def(const char* type) {
  return OpDef(type)
      .Infer(InferBatchNorm)
      .Lower(LowerBatchNorm)
      .Stateful()
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp batch_norm({Def("BatchNormV3"), Def("AclnnBatchNorm")});

}  // namespace
}  // namespace foothold
