// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Pooling of images, and its gradients.
#include <cstdlib>

#include "aclnn/mapping.h"
#include "aclnn/maps/window.h"
#include "aclnn/types.h"

namespace foothold::aclnn {
namespace {

// Windows that would begin behind the image are left out, as PyTorch does.
constexpr const char* kLastStartsInside = "last_starts_inside";

// Attributes that averages and their gradients share. The names of the parameters differ.
Op& SetAverage(Call& call, Op& op, std::string_view strides, std::string_view paddings) {
  const Sizes kernel = Pair(call, "kernelSize", {1, 1});
  return op.Set("ksize", Behind(kernel))
      .Set("strides", Behind(Pair(call, strides, kernel)))
      .Set("pads", BothSides(Pair(call, paddings, {0, 0})))
      .Set("data_format", std::string("NCHW"))
      .Set("ceil_mode", call.GetFlag("ceilMode"))
      .Set(kLastStartsInside, true)
      .Set("exclusive", !call.GetFlag("countIncludePad"))
      .Set("divisor_override", std::abs(call.GetInt("divisorOverride")));
}

// Operators know no divisors below 0: the sign is taken out of the average.
Value Signed(Call& call, Value average) {
  return call.GetInt("divisorOverride") < 0 ? Value(call.Op("Neg", {average})) : average;
}

void MapAvgPool2d(Call& call) {
  Op pool = call.Op("AvgPoolV2", {AsBatch(call, "self")});
  call.OutElements("out", Signed(call, SetAverage(call, pool, "strides", "paddings")));
}

void MapAvgPool2dBackward(Call& call) {
  const Value self = AsBatch(call, "self");
  const Value gradient = Call::As(call.To(AsBatch(call, "gradOutput"), TypeOf(self).type), Format::kNchw);
  const std::vector<std::int32_t> dims(DimsOf(self).begin(), DimsOf(self).end());
  Op pool = call.Op("AvgPoolV2Grad",
                    {call.Const(TensorValue::Of<std::int32_t>(DataType::kInt32, {4}, dims)), gradient});
  call.OutElements("gradInput", Signed(call, SetAverage(call, pool, "stride", "padding")));
}

// Top, bottom, left, right of a list {top, left, bottom, right}.
Sizes MaxPoolPads(Call& call) {
  const Sizes pads = call.GetInts("pads");
  if (pads.size() < 4) return BothSides(Pair(call, "pads", {0, 0}));
  if (pads.size() > 4) call.Refuse("'pads' has {} entries; four are expected", pads.size());
  return {pads[0], pads[2], pads[1], pads[3]};
}

void MapMaxPool(Call& call) {
  const Sizes kernel = Pair(call, "kernelShape", {1, 1});
  if (call.GetInt("autoPad") != 0) call.NotSupported("aclnnMaxPool with autoPad other than 0");
  for (const std::int64_t dilation : call.GetInts("dilations"))
    if (dilation != 1) call.NotSupported("aclnnMaxPool with dilations");
  call.OutElements("out", call.Op("MaxPoolV3", {AsBatch(call, "self")})
                              .Set("ksize", Behind(kernel))
                              .Set("strides", Behind(Pair(call, "strides", kernel)))
                              .Set("pads", MaxPoolPads(call))
                              .Set("data_format", std::string("NCHW"))
                              .Set("ceil_mode", call.GetFlag("ceilMode")));
}

// These operators have height and width in the middle, whatever the layout.
Sizes Amid(const Sizes& pair) {
  return {1, pair[0], pair[1], 1};
}

Op& SetMaximum(Call& call, Op& op) {
  const Sizes kernel = Pair(call, "kernelSize", {1, 1});
  return op.Set("ksize", Amid(kernel))
      .Set("strides", Amid(Pair(call, "stride", kernel)))
      .Set("pads", Amid(Pair(call, "padding", {0, 0})))
      .Set("dilation", Amid(Pair(call, "dilation", {1, 1})))
      .Set("ceil_mode", call.GetFlag("ceilMode"))
      .Set(kLastStartsInside, true);
}

void MapMaxPool2dWithIndices(Call& call) {
  const DataType type = call.TypeOfArgument("indices");
  if (type != DataType::kInt32 && type != DataType::kInt64)
    call.Refuse("'indices' is {}; int32 or int64 is expected", ToString(call.View("indices")));
  Op pool = call.Op("MaxPoolWithArgmaxV2", {AsBatch(call, "self")});
  SetMaximum(call, pool).Set("dtype", static_cast<std::int64_t>(type));
  call.OutElements("out", pool.Out(0));
  call.OutElements("indices", pool.Out(1));
}

void MapMaxPool2dWithIndicesBackward(Call& call) {
  const Value self = AsBatch(call, "self"), indices = AsBatch(call, "indices");
  const Value gradient = Call::As(call.To(AsBatch(call, "gradOutput"), TypeOf(self).type), Format::kNchw);
  Op pool = call.Op("MaxPoolGradWithArgmaxV1", {self, gradient, indices});
  call.OutElements("gradInput", SetMaximum(call, pool));
}

Sizes PooledSize(Call& call) {
  const Sizes size = call.GetInts("outputSize");
  if (size.size() != 2) call.Refuse("'outputSize' has {} entries; two are expected", size.size());
  return size;
}

void MapAdaptiveAvgPool2d(Call& call) {
  call.OutElements(
      "out", call.Op("AdaptiveAvgPool2d", {AsBatch(call, "self")}).Set("output_size", PooledSize(call)));
}

void MapAdaptiveMaxPool2d(Call& call) {
  Op pool = call.Op("AdaptiveMaxPool2d", {AsBatch(call, "self")});
  pool.Set("output_size", PooledSize(call));
  call.OutElements("outputOut", pool.Out(0));
  call.OutElements("indicesOut", pool.Out(1));
}

const RegisterMapping pooling_maps({
    {"aclnnAdaptiveAvgPool2d", MapAdaptiveAvgPool2d},
    {"aclnnAdaptiveMaxPool2d", MapAdaptiveMaxPool2d},
    {"aclnnAvgPool2d", MapAvgPool2d},
    {"aclnnAvgPool2dBackward", MapAvgPool2dBackward},
    {"aclnnMaxPool", MapMaxPool},
    {"aclnnMaxPool2dWithIndices", MapMaxPool2dWithIndices},
    {"aclnnMaxPool2dWithIndicesBackward", MapMaxPool2dWithIndicesBackward},
});

}  // namespace
}  // namespace foothold::aclnn
