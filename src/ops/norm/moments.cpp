// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators made of means and variances over axes: MVN, MVNV2, ReduceStd, ReduceMeanVariance.
#include <algorithm>
#include <cmath>
#include <limits>

#include "ops/data/rule_arguments.h"
#include "ops/norm/channels.h"
#include "ops/norm/grouped_elements.h"
#include "ops/reduce/reduced_axes.h"
#include "ops/through_float.h"

namespace foothold {
namespace {

void CheckType(const OpContext& context) {
  if (!ComputesInFloat(context.In(0).type))
    context.Unsupported("no kernel for {}; float, float16 and bfloat16 have one",
                        DataTypeName(context.In(0).type));
}

// (x - mean) / (deviation + epsilon)
class StandardizeKernel : public Kernel {
 public:
  StandardizeKernel(GroupedElements groups, bool by_deviation, float epsilon)
      : groups_(std::move(groups)), by_deviation_(by_deviation), epsilon_(epsilon) {}

  void Run(const RunArgs& args) const override {
    groups_.ForEach([&](std::size_t group) {
      const Moments moments = groups_.MomentsOf(args.In<float>(0), group);
      const float scale = by_deviation_ ? 1.0f / (std::sqrt(moments.variance) + epsilon_) : 1.0f;
      const float* x = args.In<float>(0) + groups_.First(group);
      float* y = args.Out<float>(0) + groups_.First(group);
      if (groups_.contiguous()) {
        NormalizeRow(x, groups_.length(), moments.mean, scale, nullptr, nullptr, y);
      } else {
        for (const std::size_t i : groups_.offsets())
          y[i] = (x[i] - moments.mean) * scale;
      }
    });
  }

 private:
  GroupedElements groups_;
  bool by_deviation_;
  float epsilon_;
};

// Of every sample, by channel or over all of them.
std::vector<bool> SampleAxes(const OpContext& context) {
  const TensorType& x = context.In(0);
  if (x.dims.size() < 2) context.Refuse("x is {}; it must have a batch and channels", ToString(x));
  std::vector<bool> axes(x.dims.size(), true);
  axes[0] = false;
  if (!context.node().Bool("across_channels", false)) axes[ChannelAxis(context, x, "NCHW")] = false;
  return axes;
}

std::unique_ptr<Kernel> LowerStandardize(OpContext& context, const std::vector<bool>& axes) {
  CheckType(context);
  return ThroughFloat(context,
                      std::make_unique<StandardizeKernel>(GroupedElements(context.InDims(0), axes),
                                                          context.node().Bool("normalize_variance", true),
                                                          context.node().Float("eps", 1e-9f)));
}

std::vector<bool> AxesOfMvnV2(const OpContext& context) {
  return AxesOrAll(context, "axes", {0, 2, 3});
}

enum class Spread { kDeviation, kVariance };

class MomentsKernel : public Kernel {
 public:
  // Where the mean and the spread go.
  struct Results {
    int mean, spread;
    Spread kind;
  };

  MomentsKernel(GroupedElements groups, std::size_t count, Results results, bool unbiased)
      : groups_(std::move(groups)), count_(count), results_(results), unbiased_(unbiased) {}

  void Run(const RunArgs& args) const override {
    if (groups_.groups() == 0) {  // the mean of nothing
      std::fill_n(args.Out<float>(results_.mean), count_, std::numeric_limits<float>::quiet_NaN());
      std::fill_n(args.Out<float>(results_.spread), count_, std::numeric_limits<float>::quiet_NaN());
    }
    groups_.ForEach([&](std::size_t group) {
      const Moments moments = groups_.MomentsOf(args.In<float>(0), group);
      args.Out<float>(results_.mean)[group] = moments.mean;
      args.Out<float>(results_.spread)[group] = SpreadOf(moments.variance);
    });
  }

 private:
  float SpreadOf(float variance) const {
    const auto count = static_cast<double>(groups_.length());
    const double scaled = unbiased_ ? static_cast<double>(variance) * count / (count - 1) : variance;
    return static_cast<float>(results_.kind == Spread::kDeviation ? std::sqrt(scaled) : scaled);
  }

  GroupedElements groups_;
  std::size_t count_;
  Results results_;
  bool unbiased_;
};

std::unique_ptr<Kernel> LowerMoments(OpContext& context, const std::vector<bool>& axes,
                                     MomentsKernel::Results results, bool unbiased) {
  CheckType(context);
  return ThroughFloat(
      context, std::make_unique<MomentsKernel>(GroupedElements(context.InDims(0), axes),
                                               static_cast<std::size_t>(ElementCount(context.Out(0).dims)),
                                               results, unbiased));
}

void InferMoments(OpContext& context, const char* axes, bool keep) {
  const Dims dims = ReducedDims(context.InDims(0), AxesOrAll(context, axes), keep);
  for (int i = 0; i < 2; ++i)
    context.SetOut(i, context.In(0).type, dims, Format::kNd);
}

OpDef Floats(OpDef op) {
  return op.Types({DataType::kFloat, DataType::kFloat16, DataType::kBfloat16});
}

const RegisterOp moments({
    Floats(OpDef("MVN")
               .Infer([](OpContext& context) {
                 SampleAxes(context);
                 SameAsInput(context);
               })
               .Lower([](OpContext& context) { return LowerStandardize(context, SampleAxes(context)); })),
    Floats(OpDef("MVNV2")
               .Infer([](OpContext& context) {
                 AxesOfMvnV2(context);
                 SameAsInput(context);
               })
               .Lower([](OpContext& context) { return LowerStandardize(context, AxesOfMvnV2(context)); })),
    Floats(OpDef("ReduceStd")
               .Infer([](OpContext& context) {
                 InferMoments(context, "dim", context.node().Bool("keepdim", false));
               })
               .Lower([](OpContext& context) {
                 return LowerMoments(context, AxesOrAll(context, "dim"), {1, 0, Spread::kDeviation},
                                     context.node().Bool("unbiased", true));
               })),
    Floats(OpDef("ReduceMeanVariance")
               .Infer([](OpContext& context) {
                 InferMoments(context, "axes", context.node().Bool("keep_dims", true));
               })
               .Lower([](OpContext& context) {
                 return LowerMoments(context, AxesOrAll(context, "axes"), {0, 1, Spread::kVariance}, false);
               })),
});

}  // namespace
}  // namespace foothold
