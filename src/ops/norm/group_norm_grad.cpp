// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// GroupNormGrad: the gradients of a normalisation over groups of channels of [N, C, ...], by x, gamma and
// beta. What is not required is 0.
#include <algorithm>

#include "base/thread_pool.h"
#include "ops/data/rule_arguments.h"
#include "ops/through_float.h"
#include "ops/type_lists.h"

namespace foothold {
namespace {

struct Groups {
  std::size_t samples, channels, pixels, groups;

  std::size_t GroupChannels() const { return channels / groups; }
};

Groups GroupsOf(const OpContext& context) {
  const TensorType& x = context.In("x");
  if (x.dims.size() < 2) context.Refuse("x is {}; it must have a batch and channels", ToString(x));
  if (context.node().Text("data_format", "NCHW") != "NCHW")
    context.Unsupported("no kernel for data_format {}; NCHW has one", context.node().Text("data_format", ""));
  const std::int64_t groups = RequiredInt(context, "num_groups");
  if (groups < 1 || x.dims[1] % groups != 0)
    context.Refuse("num_groups is {}; it must divide the {} channels", groups, x.dims[1]);
  return {static_cast<std::size_t>(x.dims[0]), static_cast<std::size_t>(x.dims[1]),
          Product(x.dims, 2, x.dims.size()), static_cast<std::size_t>(groups)};
}

void CheckCount(const OpContext& context, const char* name, std::size_t expected) {
  if (context.Has(name) && ElementCount(context.In(name).dims) != static_cast<std::int64_t>(expected))
    context.Refuse("{} is {}; expected {} elements", name, ToString(context.In(name)), expected);
}

void InferGroupNormGrad(OpContext& context) {
  const Groups groups = GroupsOf(context);
  const TensorType& x = context.In("x");
  if (context.In("dy").dims != x.dims)
    context.Refuse("dy is {}; it must be like x, {}", ToString(context.In("dy")), ToString(x));
  CheckCount(context, "mean", groups.samples * groups.groups);
  CheckCount(context, "rstd", groups.samples * groups.groups);
  CheckCount(context, "gamma", groups.channels);
  context.SetOut(0, x);
  const DataType type = context.Has("gamma") ? context.In("gamma").type : x.type;
  for (int i = 1; i < context.outputs(); ++i)
    context.SetOut(i, type, {x.dims[1]}, Format::kNd);
}

class GroupNormGrad : public Kernel {
 public:
  explicit GroupNormGrad(const OpContext& context)
      : g_(GroupsOf(context)),
        dy_(context.Port("dy")),
        mean_(context.Port("mean")),
        rstd_(context.Port("rstd")),
        x_(context.Port("x")),
        gamma_(context.Has("gamma") ? context.Port("gamma") : -1),
        outputs_(context.outputs()),
        by_x_(context.node().Bool("dx_is_require", true)),
        by_gamma_(context.node().Bool("dgamma_is_require", true)),
        by_beta_(context.node().Bool("dbeta_is_require", true)) {}

  // The sums of dy x and of dy over each channel of each sample.
  std::size_t WorkspaceBytes() const override { return 2 * g_.samples * g_.channels * sizeof(double); }

  void Run(const RunArgs& args) const override {
    const std::size_t size = g_.GroupChannels() * g_.pixels;
    ParallelFor(g_.samples * g_.groups, 1 + 16384 / (1 + size), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        SumChannels(args, i);
        RunGroup(args, i);
      }
    });
    if (outputs_ > 1) RunParameters(args);
  }

 private:
  double Gamma(const RunArgs& args, std::size_t channel) const {
    return gamma_ < 0 ? 1 : static_cast<double>(args.In<float>(gamma_)[channel]);
  }
  double* Sums(const RunArgs& args) const { return reinterpret_cast<double*>(args.workspace); }

  void SumChannels(const RunArgs& args, std::size_t group) const {
    const std::size_t count = g_.GroupChannels();
    for (std::size_t line = group * count; line < (group + 1) * count; ++line) {
      const float* dy = args.In<float>(dy_) + line * g_.pixels;
      const float* x = args.In<float>(x_) + line * g_.pixels;
      double products = 0, sum = 0;
      for (std::size_t i = 0; i < g_.pixels; ++i) {
        products += static_cast<double>(dy[i]) * static_cast<double>(x[i]);
        sum += static_cast<double>(dy[i]);
      }
      Sums(args)[2 * line] = products;
      Sums(args)[2 * line + 1] = sum;
    }
  }

  // dx = rstd gamma dy + slope x + shift, the latter two from what dy does to the moments of the group.
  void RunGroup(const RunArgs& args, std::size_t group) const {
    const std::size_t count = g_.GroupChannels();
    const auto mean = static_cast<double>(args.In<float>(mean_)[group]);
    const auto inverse = static_cast<double>(args.In<float>(rstd_)[group]);
    double products = 0, sum = 0;
    for (std::size_t line = group * count; line < (group + 1) * count; ++line) {
      products += Sums(args)[2 * line] * Gamma(args, line % g_.channels);
      sum += Sums(args)[2 * line + 1] * Gamma(args, line % g_.channels);
    }
    const auto elements = static_cast<double>(count * g_.pixels);
    const double slope = (sum * mean - products) * inverse * inverse * inverse / elements;
    const double shift = -slope * mean - sum * inverse / elements;
    for (std::size_t line = group * count; line < (group + 1) * count; ++line)
      RunLine(args, line, static_cast<float>(inverse * Gamma(args, line % g_.channels)),
              static_cast<float>(slope), static_cast<float>(shift));
  }

  void RunLine(const RunArgs& args, std::size_t line, float scale, float slope, float shift) const {
    const float* dy = args.In<float>(dy_) + line * g_.pixels;
    const float* x = args.In<float>(x_) + line * g_.pixels;
    float* dx = args.Out<float>(0) + line * g_.pixels;
    if (!by_x_) std::fill_n(dx, g_.pixels, 0.0f);
    for (std::size_t i = 0; by_x_ && i < g_.pixels; ++i)
      dx[i] = scale * dy[i] + slope * x[i] + shift;
  }

  void RunParameters(const RunArgs& args) const {
    for (std::size_t channel = 0; channel < g_.channels; ++channel) {
      double by_gamma = 0, by_beta = 0;
      for (std::size_t sample = 0; sample < g_.samples; ++sample) {
        const double* sums = Sums(args) + 2 * (sample * g_.channels + channel);
        const std::size_t group = sample * g_.groups + channel / g_.GroupChannels();
        by_gamma += (sums[0] - sums[1] * static_cast<double>(args.In<float>(mean_)[group])) *
                    static_cast<double>(args.In<float>(rstd_)[group]);
        by_beta += sums[1];
      }
      args.Out<float>(1)[channel] = by_gamma_ ? static_cast<float>(by_gamma) : 0.0f;
      if (outputs_ > 2) args.Out<float>(2)[channel] = by_beta_ ? static_cast<float>(by_beta) : 0.0f;
    }
  }

  Groups g_;
  int dy_, mean_, rstd_, x_, gamma_, outputs_;
  bool by_x_, by_gamma_, by_beta_;
};

std::unique_ptr<Kernel> LowerGroupNormGrad(OpContext& context) {
  for (int port = 0; port < context.inputs(); ++port)
    if (context.Has(port) && !ComputesInFloat(context.In(port).type))
      context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one",
                          DataTypeName(context.In(port).type));
  return ThroughFloat(context, std::make_unique<GroupNormGrad>(context));
}

const RegisterOp group_norm_grad(
    OpDef("GroupNormGrad").Infer(InferGroupNormGrad).Lower(LowerGroupNormGrad).Types(FloatTypes()));

}  // namespace
}  // namespace foothold
