// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Normalisation over batches whose parts several devices hold: statistics of a part, of all parts, and what
// is done with them. Channels are the second dimension. Computed in float.
#include <algorithm>

#include "aclnn/mapping.h"
#include "aclnn/maps/formula.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

Term InFloat(Call& call, const char* name) {
  return {call, call.To(call.In(name), DataType::kFloat)};
}

// One number for each channel, as it repeats over the input.
class Channels {
 public:
  Channels(Call& call, const char* input) : call_(call), dims_(call.DimsOfArgument(input)) {
    if (dims_.size() < 2)
      call.Refuse("'{}' is {}; a batch of channels is expected", input, ToString(call.View(input)));
    for (std::size_t i = 0; i < dims_.size(); ++i)
      if (i != 1) others_.push_back(static_cast<std::int64_t>(i));
  }
  Term Over(const char* name) const { return Over(InFloat(call_, name)); }
  Term Over(const Term& value) const {
    if (ElementCount(value.dims()) != dims_[1])
      call_.Refuse("{} is given for each of {} channels", foothold::ToString(value.dims()), dims_[1]);
    Dims dims(dims_.size(), 1);
    dims[1] = dims_[1];
    return {call_, call_.Reshape(value, dims)};
  }
  Term Summed(const Term& value) const { return Sum(value, others_); }
  double Count() const {
    return static_cast<double>(ElementCount(dims_)) /
           static_cast<double>(std::max<std::int64_t>(dims_[1], 1));
  }

 private:
  Call& call_;
  Dims dims_;
  std::vector<std::int64_t> others_;
};

void MapReduce(Call& call) {
  const Channels channels(call, "x");
  const Term x = InFloat(call, "x");
  call.OutElements("sum", channels.Summed(x));
  call.OutElements("squareSum", channels.Summed(x * x));
}

void MapStats(Call& call) {
  const Channels channels(call, "input");
  const Term x = InFloat(call, "input"), mean = channels.Summed(x) / channels.Count();
  const Term distance = x - channels.Over(mean);
  const Term variance = channels.Summed(distance * distance) / channels.Count();
  call.OutElements("mean", mean);
  call.OutElements("invstd", Rsqrt(variance + call.GetReal("eps")));
}

// Statistics that go on from batch to batch; the variance is that of a sample.
void Move(Call& call, const char* name, const Term& now) {
  if (!call.Has(name)) return;
  const double share = call.GetReal("momentum");
  const Term before = InFloat(call, name);
  call.OutElements(name, before * (1 - share) + Term{call, call.Reshape(now, before.dims())} * share);
}

Term OfSample(const Term& variance, const Term& count) {
  return variance * count / Apply("Maximum", count - 1, count.Like(1));
}

// Rows are parts, columns are channels.
void MapGatherSums(Call& call) {
  const Term sums = Sum(InFloat(call, "totalSum"), {0}), squares = Sum(InFloat(call, "totalSquareSum"), {0});
  const Term count = Sum(InFloat(call, "sampleCount"));
  const Term mean = sums / count, variance = squares / count - mean * mean;
  call.OutElements("batchMean", mean);
  call.OutElements("batchInvstd", Rsqrt(variance + call.GetReal("eps")));
  Move(call, "mean", mean);
  Move(call, "variance", OfSample(variance, count));
}

void MapGatherStats(Call& call) {
  const Term means = InFloat(call, "mean"), invstds = InFloat(call, "invstd"),
             counts = InFloat(call, "counts");
  const Term count = Sum(counts), weights{call, call.Reshape(counts, {ElementCount(counts.dims()), 1})};
  const double eps = call.GetReal("eps");
  const Term mean = Sum(means * weights, {0}) / count;
  const Term distance = means - mean, variances = 1 / (invstds * invstds) - eps;
  const Term variance = Sum((variances + distance * distance) * weights, {0}) / count;
  call.OutElements("meanAll", mean);
  call.OutElements("invstdAll", Rsqrt(variance + eps));
  Move(call, "runningMean", mean);
  Move(call, "runningVar", OfSample(variance, count));
}

void MapElements(Call& call) {
  const Channels channels(call, "input");
  Term y = (InFloat(call, "input") - channels.Over("mean")) * channels.Over("invstd");
  if (call.Has("weight")) y = y * channels.Over("weight");
  if (call.Has("bias")) y = y + channels.Over("bias");
  call.Out("output", y);
}

void MapReduceBackward(Call& call) {
  const Channels channels(call, "input");
  const Term dy = InFloat(call, "gradOut");
  const Term sum = channels.Summed(dy);
  const Term products = channels.Summed(dy * (InFloat(call, "input") - channels.Over("mean")));
  const Term invstd{call, call.Reshape(InFloat(call, "invstd"), products.dims())};
  if (call.GetFlag("inputG")) {
    call.OutIfGiven("sumDy", sum);
    call.OutIfGiven("sumDyXmu", products);
  }
  if (call.GetFlag("weightG")) call.OutIfGiven("gradWeight", products * invstd);
  if (call.GetFlag("biasG")) call.OutIfGiven("gradBias", sum);
}

void MapElementsBackward(Call& call) {
  const Channels channels(call, "input");
  const Term count = Sum(InFloat(call, "counter")), invstd = channels.Over("invstd");
  const Term distance = InFloat(call, "input") - channels.Over("mean");
  const Term mean_dy = channels.Over("sumDy") / count,
             slope = channels.Over("sumDyXmu") / count * invstd * invstd;
  Term dx = (InFloat(call, "gradOut") - mean_dy - distance * slope) * invstd;
  if (call.Has("weight")) dx = dx * channels.Over("weight");
  call.Out("gradInput", dx);
}

const RegisterMapping shared_statistics_maps({
    {"aclnnBatchNormReduce", MapReduce},
    {"aclnnBatchNormStats", MapStats},
    {"aclnnSyncBatchNormGatherStats", MapGatherSums},
    {"aclnnBatchNormGatherStatsWithCounts", MapGatherStats},
    {"aclnnBatchNormElemt", MapElements},
    {"aclnnBatchNormReduceBackward", MapReduceBackward},
    {"aclnnBatchNormElemtBackward", MapElementsBackward},
});

}  // namespace
}  // namespace foothold::aclnn
