// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <cmath>

#include "ops/norm/channels.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

// A text that says more or fewer dimensions than there are does not count.
std::string DataFormat(const OpContext& context) {
  const std::string format = context.node().Text("data_format", "NDHWC");
  return format.size() == context.In("x").dims.size() ? format : "NCHW";
}

struct Instances {
  std::size_t images, channels, pixels;
  bool channels_last;
};

Instances InstancesOf(const OpContext& context) {
  const TensorType& x = context.In("x");
  if (x.dims.size() < 2) context.Refuse("x is {}; it must have a batch and channels", ToString(x));
  const std::size_t axis = ChannelAxis(context, x, DataFormat(context));
  const auto images = static_cast<std::size_t>(x.dims[0]), channels = static_cast<std::size_t>(x.dims[axis]);
  Dims pixels(x.dims.begin() + 1, x.dims.end());
  pixels.erase(pixels.begin() + static_cast<std::ptrdiff_t>(axis - 1));
  return {images, channels, static_cast<std::size_t>(ElementCount(pixels)), axis > 1};
}

void InferInstanceNorm(OpContext& context) {
  const TensorType& x = context.In("x");
  const Instances instances = InstancesOf(context);
  CheckChannels(context, "gamma", static_cast<std::int64_t>(instances.channels));
  CheckChannels(context, "beta", static_cast<std::int64_t>(instances.channels));
  Dims reduced(x.dims.size(), 1);
  reduced[0] = x.dims[0];
  reduced[instances.channels_last ? reduced.size() - 1 : 1] = static_cast<std::int64_t>(instances.channels);
  context.SetOut(0, x);
  for (int i = 1; i < context.outputs(); ++i)
    context.SetOut(i, x.type, reduced, x.format);
}

class InstanceNormKernel : public Kernel {
 public:
  InstanceNormKernel(const Instances& instances, float epsilon, int outputs)
      : instances_(instances), epsilon_(epsilon), outputs_(outputs) {}

  // mean, variance, scale and shift of every instance
  std::size_t WorkspaceBytes() const override { return 4 * Count() * sizeof(float); }

  void Run(const RunArgs& args) const override {
    auto* mean = reinterpret_cast<float*>(args.workspace);
    float* variance = mean + Count();
    // In planes all instances are channels of one image; else images go one by one.
    const std::size_t steps = instances_.channels_last ? instances_.images : 1;
    const std::size_t pixels = instances_.pixels, channels = instances_.channels;
    const ChannelLayout layout =
        instances_.channels_last ? ChannelLayout{pixels, channels, 1} : ChannelLayout{1, Count(), pixels};
    for (std::size_t i = 0; i < steps; ++i)
      ChannelMoments(layout, args.In<float>(0) + i * pixels * channels, mean + i * channels,
                     variance + i * channels);
    Prepare(args, variance, variance + Count(), variance + 2 * Count());
    for (std::size_t i = 0; i < steps; ++i)
      NormalizeChannels(layout, args.In<float>(0) + i * pixels * channels, mean + i * channels,
                        variance + Count() + i * channels, variance + 2 * Count() + i * channels,
                        args.Out<float>(0) + i * pixels * channels);
    for (int i = 1; i < outputs_; ++i)
      std::copy_n(i == 1 ? mean : variance, Count(), args.Out<float>(i));
  }

 private:
  std::size_t Count() const { return instances_.images * instances_.channels; }

  void Prepare(const RunArgs& args, const float* variance, float* scale, float* shift) const {
    for (std::size_t i = 0; i < Count(); ++i) {
      scale[i] = args.In<float>(1)[i % instances_.channels] / std::sqrt(variance[i] + epsilon_);
      shift[i] = args.In<float>(2)[i % instances_.channels];
    }
  }

  Instances instances_;
  float epsilon_;
  int outputs_;
};

std::unique_ptr<Kernel> LowerInstanceNorm(OpContext& context) {
  const DataType type = context.In("x").type;
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one", DataTypeName(type));
  return ThroughFloat(context,
                      std::make_unique<InstanceNormKernel>(
                          InstancesOf(context), context.node().Float("epsilon", 1e-6f), context.outputs()));
}

const RegisterOp instance_norm(OpDef("InstanceNorm")
                                   .Infer(InferInstanceNorm)
                                   .Lower(LowerInstanceNorm)
                                   .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16}));

}  // namespace
}  // namespace foothold
