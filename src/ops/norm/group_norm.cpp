// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>
#include <cmath>

#include "base/thread_pool.h"
#include "kernels/element_function.h"
#include "ops/data/rule_arguments.h"
#include "ops/norm/channels.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

// How the operators of the family differ.
struct Way {
  const char* data_format;  // if the attribute does not say
  float epsilon;
  bool variance;    // the third output is it, not the inverse of the deviation
  bool by_sample;   // statistics are [N, groups], not [N * groups]
  bool activation;  // has activate_silu
};

struct GroupedChannels {
  std::size_t samples, groups;
  ChannelLayout layout;  // of one sample

  std::size_t GroupChannels() const { return layout.channels / groups; }
  std::size_t SampleSize() const { return layout.channels * layout.Count(); }
};

GroupedChannels GroupsOf(const OpContext& context, const Way& way) {
  const TensorType& x = context.In("x");
  if (x.dims.size() < 2) context.Refuse("x is {}; it must have a batch and channels", ToString(x));
  const std::size_t axis = ChannelAxis(context, x, context.node().Text("data_format", way.data_format));
  const std::int64_t groups = RequiredInt(context, "num_groups");
  if (groups < 1 || x.dims[axis] % groups != 0)
    context.Refuse("num_groups is {}; it must divide the {} channels", groups, x.dims[axis]);
  const Dims sample(x.dims.begin() + 1, x.dims.end());
  return {static_cast<std::size_t>(x.dims[0]), static_cast<std::size_t>(groups),
          LayoutAround(sample, axis - 1)};
}

void InferGroupNorm(OpContext& context, const Way& way) {
  const TensorType& x = context.In("x");
  const GroupedChannels grouped = GroupsOf(context, way);
  for (const char* name : {"gamma", "beta"})
    CheckChannels(context, name, static_cast<std::int64_t>(grouped.layout.channels));
  const auto groups = static_cast<std::int64_t>(grouped.groups);
  const Dims statistics = way.by_sample ? Dims{x.dims[0], groups} : Dims{ElementCount({x.dims[0], groups})};
  context.SetOut(0, x);
  for (int i = 1; i < context.outputs(); ++i)
    context.SetOut(i, x.type, statistics, Format::kNd);
}

class GroupNormKernel : public Kernel {
 public:
  GroupNormKernel(const OpContext& context, const GroupedChannels& grouped, const Way& way)
      : grouped_(grouped),
        epsilon_(context.node().Float("eps", way.epsilon)),
        variance_(way.variance),
        outputs_(context.outputs()),
        gamma_(context.Has("gamma") ? context.Port("gamma") : -1),
        beta_(context.Has("beta") ? context.Port("beta") : -1),
        swish_(way.activation && context.node().Bool("activate_silu", true) ? FindElementFunction("Swish")
                                                                            : nullptr) {}

  // By channel of every sample: mean, variance that becomes the scale, shift.
  std::size_t WorkspaceBytes() const override {
    return 3 * grouped_.samples * grouped_.layout.channels * sizeof(float);
  }

  // All statistics before the first result: programs have given them less memory than they take.
  void Run(const RunArgs& args) const override {
    ForSamples([&](std::size_t sample) { Measure(args, sample); });
    ForSamples([&](std::size_t sample) { Normalize(args, sample); });
  }

 private:
  template <typename Function>
  void ForSamples(const Function& function) const {
    ParallelFor(grouped_.samples, 1 + 16384 / (1 + grouped_.SampleSize()),
                [&](std::size_t begin, std::size_t end) {
                  for (std::size_t i = begin; i < end; ++i)
                    function(i);
                });
  }

  float* Means(const RunArgs& args, std::size_t sample) const {
    return reinterpret_cast<float*>(args.workspace) + 3 * sample * grouped_.layout.channels;
  }

  void Measure(const RunArgs& args, std::size_t sample) const {
    float* mean = Means(args, sample);
    float* variance = mean + grouped_.layout.channels;
    ChannelMoments(grouped_.layout, args.In<float>(0) + sample * grouped_.SampleSize(), mean, variance);
    for (std::size_t group = 0; group < grouped_.groups; ++group)
      JoinGroup(args, sample, group, mean, variance);
  }

  void Normalize(const RunArgs& args, std::size_t sample) const {
    const std::size_t channels = grouped_.layout.channels, size = grouped_.SampleSize();
    const float* mean = Means(args, sample);
    float* scale = Means(args, sample) + channels;
    float* shift = scale + channels;
    const float* x = args.In<float>(0) + sample * size;
    float* y = args.Out<float>(0) + sample * size;
    for (std::size_t c = 0; c < channels; ++c) {
      if (gamma_ >= 0) scale[c] *= args.In<float>(gamma_)[c];
      shift[c] = beta_ >= 0 ? args.In<float>(beta_)[c] : 0.0f;
    }
    NormalizeChannels(grouped_.layout, x, mean, scale, shift, y);
    constexpr float kSwishScale = 1.0f;
    if (swish_ != nullptr) swish_->loop(y, nullptr, nullptr, y, size, &kSwishScale);
  }

  // From the moments of channels to those of their group, which all its channels get.
  void JoinGroup(const RunArgs& args, std::size_t sample, std::size_t group, float* mean,
                 float* variance) const {
    const std::size_t count = grouped_.GroupChannels(), first = group * count;
    double sum = 0, squares = 0;
    for (std::size_t c = first; c < first + count; ++c)
      sum += static_cast<double>(mean[c]);
    const double joint = sum / static_cast<double>(count);
    for (std::size_t c = first; c < first + count; ++c) {
      const double away = static_cast<double>(mean[c]) - joint;
      squares += static_cast<double>(variance[c]) + away * away;
    }
    const auto spread = static_cast<float>(squares / static_cast<double>(count));
    const float inverse = 1.0f / std::sqrt(spread + epsilon_);
    std::fill_n(mean + first, count, static_cast<float>(joint));
    std::fill_n(variance + first, count, inverse);
    const std::size_t at = sample * grouped_.groups + group;
    if (outputs_ > 1) args.Out<float>(1)[at] = static_cast<float>(joint);
    if (outputs_ > 2) args.Out<float>(2)[at] = variance_ ? spread : inverse;
  }

  GroupedChannels grouped_;
  float epsilon_;
  bool variance_;
  int outputs_, gamma_, beta_;
  const ElementFunction* swish_;
};

std::unique_ptr<Kernel> LowerGroupNorm(OpContext& context, const Way& way) {
  const DataType type = context.In("x").type;
  if (!ComputesInFloat(type))
    context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one", DataTypeName(type));
  return ThroughFloat(context, std::make_unique<GroupNormKernel>(context, GroupsOf(context, way), way));
}

OpDef GroupNormOp(const char* type, const Way& way) {
  return OpDef(type)
      .Infer([way](OpContext& context) { InferGroupNorm(context, way); })
      .Lower([way](OpContext& context) { return LowerGroupNorm(context, way); })
      .Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp group_norm({
    GroupNormOp("GroupNorm", {"NHWC", 1e-4f, true, false, false}),
    GroupNormOp("GroupNormV2", {"NHWC", 1e-4f, false, false, false}),
    GroupNormOp("GroupNormSilu", {"NCHW", 1e-5f, false, true, true}),
});

}  // namespace
}  // namespace foothold
