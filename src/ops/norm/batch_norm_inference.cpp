// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cmath>

#include "ops/norm/channels.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

// How the statistics that arrive are meant.
enum class Meaning {
  kPlain,        // BNInfer: mean and variance
  kAccumulated,  // BNInference: sums, to be divided by the factor Caffe keeps with them
  kPrepared      // BNInferenceD: -mean and 1 / standard deviation
};

struct Ports {
  int mean, variance, factor, scale, shift;  // -1: not there
};

int PortOf(const OpContext& context, std::string_view name) {
  return context.Has(name) ? context.Port(name) : -1;
}

Ports PortsOf(const OpContext& context) {
  const int shift = PortOf(context, "offset");
  return {context.Port("mean"), context.Port("variance"), PortOf(context, "momentum"),
          PortOf(context, "scale"), shift >= 0 ? shift : PortOf(context, "b")};
}

ChannelLayout LayoutOf(const OpContext& context) {
  const TensorType& x = context.In("x");
  return LayoutAround(x.dims, ChannelAxis(context, x, "NCHW"));
}

void InferInference(OpContext& context) {
  const auto channels = static_cast<std::int64_t>(LayoutOf(context).channels);
  for (const char* name : {"mean", "variance", "scale", "offset", "b"})
    CheckChannels(context, name, channels);
  CheckChannels(context, "momentum", 1);
  context.SetOut(0, context.In("x"));
}

class InferenceKernel : public Kernel {
 public:
  InferenceKernel(const ChannelLayout& layout, Meaning meaning, const Ports& ports, float epsilon)
      : layout_(layout), meaning_(meaning), ports_(ports), epsilon_(epsilon) {}

  std::size_t WorkspaceBytes() const override { return 3 * layout_.channels * sizeof(float); }

  void Run(const RunArgs& args) const override {
    auto* mean = reinterpret_cast<float*>(args.workspace);
    float* scale = mean + layout_.channels;
    float* shift = scale + layout_.channels;
    const float weight = Weight(args);
    for (std::size_t c = 0; c < layout_.channels; ++c) {
      mean[c] = args.In<float>(ports_.mean)[c] * weight;
      const float spread = args.In<float>(ports_.variance)[c];
      scale[c] =
          meaning_ == Meaning::kPrepared ? spread : 1.0f / std::sqrt(spread * std::abs(weight) + epsilon_);
      if (ports_.scale >= 0) scale[c] *= args.In<float>(ports_.scale)[c];
      shift[c] = ports_.shift >= 0 ? args.In<float>(ports_.shift)[c] : 0.0f;
    }
    NormalizeChannels(layout_, args.In<float>(0), mean, scale, shift, args.Out<float>(0));
  }

 private:
  // By what the statistics are multiplied: a factor of zero has nothing accumulated.
  float Weight(const RunArgs& args) const {
    if (meaning_ == Meaning::kPrepared) return -1.0f;
    if (meaning_ == Meaning::kPlain || ports_.factor < 0) return 1.0f;
    const float factor = *args.In<float>(ports_.factor);
    return factor == 0.0f ? 0.0f : 1.0f / factor;
  }

  ChannelLayout layout_;
  Meaning meaning_;
  Ports ports_;
  float epsilon_;
};

std::unique_ptr<Kernel> LowerInference(OpContext& context, Meaning meaning) {
  const DataType type = context.In("x").type;
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one", DataTypeName(type));
  const float epsilon = context.node().Float("epsilon", 1e-5f);
  return ThroughFloat(
      context, std::make_unique<InferenceKernel>(LayoutOf(context), meaning, PortsOf(context), epsilon));
}

OpDef InferenceOp(const char* type, Meaning meaning) {
  return OpDef(type)
      .Infer(InferInference)
      .Lower([meaning](OpContext& context) { return LowerInference(context, meaning); })
      .InPlace(0, 0)
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp inference(std::vector<OpDef>{InferenceOp("BNInfer", Meaning::kPlain),
                                              InferenceOp("BNInference", Meaning::kAccumulated),
                                              InferenceOp("BNInferenceD", Meaning::kPrepared)});

}  // namespace
}  // namespace foothold
