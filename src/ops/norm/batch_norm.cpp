// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <cmath>

#include "ops/norm/channels.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

enum Port { kX, kScale, kOffset, kMean, kVariance };
enum Result { kY, kBatchMean, kBatchVariance, kReserve1, kReserve2, kReserve3 };

ChannelLayout LayoutOf(const OpContext& context) {
  const TensorType& x = context.In("x");
  return LayoutAround(x.dims, ChannelAxis(context, x, context.node().Text("data_format", "NHWC")));
}

bool IsTraining(const OpContext& context) {
  return context.node().Bool("is_training", true);
}

void InferBatchNorm(OpContext& context) {
  const auto channels = static_cast<std::int64_t>(LayoutOf(context).channels);
  for (const char* name : {"scale", "offset", "mean", "variance"})
    CheckChannels(context, name, channels);
  if (!IsTraining(context) && !(context.Has("mean") && context.Has("variance")))
    context.Refuse("mean and variance are not connected; without training they must be");
  context.SetOut(kY, context.In("x"));
  for (int i = kBatchMean; i < context.outputs(); ++i)
    context.SetOut(i, DataType::kFloat, {i == kReserve3 ? 1 : channels}, Format::kNd);
}

struct Statistics {
  const float* mean;
  const float* variance;
};

class BatchNormKernel : public Kernel {
 public:
  BatchNormKernel(const ChannelLayout& layout, const OpContext& context)
      : layout_(layout),
        training_(IsTraining(context)),
        running_(context.Has("mean") && context.Has("variance")),
        outputs_(context.outputs()),
        epsilon_(context.node().Float("epsilon", 0.0001f)),
        factor_(context.node().Float("exponential_avg_factor", 1.0f)) {}

  std::size_t WorkspaceBytes() const override { return 3 * layout_.channels * sizeof(float); }

  void Run(const RunArgs& args) const override {
    auto* scale = reinterpret_cast<float*>(args.workspace);
    float* mean = scale + layout_.channels;
    float* variance = mean + layout_.channels;
    if (training_) ChannelMoments(layout_, args.In<float>(kX), mean, variance);
    const Statistics used =
        training_ ? Statistics{mean, variance} : Statistics{args.In<float>(kMean), args.In<float>(kVariance)};
    for (std::size_t c = 0; c < layout_.channels; ++c)
      scale[c] = args.In<float>(kScale)[c] / std::sqrt(used.variance[c] + epsilon_);
    NormalizeChannels(layout_, args.In<float>(kX), used.mean, scale, args.In<float>(kOffset),
                      args.Out<float>(kY));
    WriteStatistics(args, used);
  }

 private:
  void WriteStatistics(const RunArgs& args, const Statistics& used) const {
    const double count = static_cast<double>(layout_.Count());
    const double unbiased = training_ && count > 1 ? count / (count - 1) : 1.0;
    for (std::size_t c = 0; c < layout_.channels; ++c) {
      Write(args, kBatchMean, c, Averaged(args, kMean, c, used.mean[c]));
      Write(args, kBatchVariance, c,
            Averaged(args, kVariance, c, static_cast<float>(used.variance[c] * unbiased)));
      Write(args, kReserve1, c, used.mean[c]);
      Write(args, kReserve2, c, used.variance[c]);
    }
    Write(args, kReserve3, 0, 0.0f);
  }

  void Write(const RunArgs& args, int port, std::size_t channel, float value) const {
    if (port < outputs_) args.Out<float>(port)[channel] = value;
  }

  // What a running average makes of the batch's value.
  float Averaged(const RunArgs& args, int port, std::size_t channel, float value) const {
    if (!training_ || !running_ || factor_ == 1.0f) return value;
    return (1.0f - factor_) * args.In<float>(port)[channel] + factor_ * value;
  }

  ChannelLayout layout_;
  bool training_, running_;
  int outputs_;
  float epsilon_, factor_;
};

std::unique_ptr<Kernel> LowerBatchNorm(OpContext& context) {
  const DataType type = context.In("x").type;
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one", DataTypeName(type));
  return ThroughFloat(context, std::make_unique<BatchNormKernel>(LayoutOf(context), context));
}

const RegisterOp batch_norm(OpDef("BatchNorm")
                                .Infer(InferBatchNorm)
                                .Lower(LowerBatchNorm)
                                .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}));

}  // namespace
}  // namespace foothold
