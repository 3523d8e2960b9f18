// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Variances, deviations and logarithms of sums of exponentials, over several dimensions.
#include <algorithm>

#include "aclnn/mapping.h"
#include "aclnn/maps/axes.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

struct Spread {
  Value variance, mean;
};

// Squares of distances to the mean, divided by their number less `correction`.
Spread SpreadOf(Call& call) {
  const Value self = call.In("self");
  const DataType type = ComputeType(TypeOf(self).type);
  if (!IsFloat(type))
    call.Refuse("'self' is {}; floating-point numbers are expected", ToString(call.View("self")));
  const Value x = call.To(self, type);
  const auto axes = AxesOf(call, "dim", x);
  std::int64_t count = 1;
  for (const std::int64_t axis : axes)
    if (!DimsOf(x).empty())
      count *= DimsOf(x)[static_cast<std::size_t>(axis)];  // of none there is one number
  const Value mean = Reduced(call, "ReduceMean", x, axes, true);
  const Value squares =
      Reduced(call, "ReduceSum", call.Op("Square", {call.Op("Sub", {x, mean})}), axes, true);
  const double divisor = static_cast<double>(std::max<std::int64_t>(count - call.GetInt("correction"), 0));
  return {call.Op("RealDiv", {squares, call.Number(type, divisor)}), mean};
}

void MapVariance(Call& call, bool root, std::string_view out, std::string_view mean_out) {
  const Spread spread = SpreadOf(call);
  call.OutElements(out, root ? call.Op("Sqrt", {spread.variance}).Out() : spread.variance);
  if (!mean_out.empty()) call.OutElements(mean_out, spread.mean);
}

void MapLogSumExp(Call& call) {
  const Value self = call.In("self");
  const Value x = call.To(self, ComputeType(FloatOf(TypeOf(self).type)));
  call.OutElements("out",
                   Reduced(call, "ReduceLogSumExp", x, AxesOf(call, "dim", x), call.GetFlag("keepDim")));
}

const RegisterMapping spread_maps({
    {"aclnnStd", [](Call& call) { MapVariance(call, true, "out", ""); }},
    {"aclnnStdMeanCorrection", [](Call& call) { MapVariance(call, true, "stdOut", "meanOut"); }},
    {"aclnnVarCorrection", [](Call& call) { MapVariance(call, false, "out", ""); }},
    {"aclnnVarMean", [](Call& call) { MapVariance(call, false, "varOut", "meanOut"); }},
    {"aclnnLogSumExp", MapLogSumExp},
});

}  // namespace
}  // namespace foothold::aclnn
