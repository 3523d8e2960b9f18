// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Pooling of volumes, gradients by places, and what undoes a pooling.
#include <algorithm>

#include "aclnn/mapping.h"
#include "aclnn/maps/planes.h"
#include "aclnn/maps/window.h"
#include "aclnn/types.h"
#include "calls/view.h"

namespace foothold::aclnn {
namespace {

// One entry for all dimensions, or one for each.
Sizes Triple(Call& call, std::string_view name, const Sizes& otherwise) {
  const Sizes sizes = call.Has(name) ? call.GetInts(name) : Sizes();
  if (sizes.empty()) return otherwise;
  if (sizes.size() == 1) return {sizes[0], sizes[0], sizes[0]};
  if (sizes.size() != 3) call.Refuse("'{}' has {} entries; one or three are expected", name, sizes.size());
  return sizes;
}

Op& Describe(Call& call, Op& op, bool dilates) {
  const Sizes kernel = Triple(call, "kernelSize", {1, 1, 1});
  return op.Set("kernel", kernel)
      .Set("stride", Triple(call, "stride", kernel))
      .Set("padding", Triple(call, "padding", {0, 0, 0}))
      .Set("dilation", dilates ? Triple(call, "dilation", {1, 1, 1}) : Sizes{1, 1, 1})
      .Set("ceil_mode", call.GetFlag("ceilMode"));
}

Op& DescribeAverage(Call& call, Op& op) {
  return Describe(call, op, false)
      .Set("count_include_pad", call.GetFlag("countIncludePad"))
      .Set("divisor_override", call.GetInt("divisorOverride"));
}

void MapAverage(Call& call) {
  Op pool = call.OwnOp("AclnnAvgPool", {{"x", Planes(call, "self", 3)}}, {"y"});
  call.OutElements("out", DescribeAverage(call, pool));
}

void MapAverageBackward(Call& call) {
  Op pool = call.OwnOp("AclnnAvgPoolGrad", {{"grad", Planes(call, "gradOutput", 3)}}, {"y"});
  DescribeAverage(call, pool).Set("input_dims", PlaneDims(call, "self", 3).InPlanes());
  call.OutElements("output", pool);
}

DataType PlaceType(Call& call, std::string_view name) {
  const DataType type = call.TypeOfArgument(name);
  if (type != DataType::kInt32 && type != DataType::kInt64)
    call.Refuse("'{}' is {}; int32 or int64 is expected", name, ToString(call.View(name)));
  return type;
}

void MapMaximum(Call& call) {
  Op pool = call.OwnOp("AclnnMaxPool", {{"x", Planes(call, "self", 3)}}, {"y", "places"});
  Describe(call, pool, true).Set("dtype", PlaceType(call, "indices"));
  call.OutElements("out", pool.Out(0));
  call.OutElements("indices", pool.Out(1));
}

// Elements of rows at places of longer rows.
Value Scattered(Call& call, Value rows, Value places, std::int64_t size, bool adds) {
  return call.OwnOp("AclnnPlaneScatter", {{"x", rows}, {"places", places}}, {"y"})
      .Set("size", size)
      .Set("add", adds);
}

void MapBackwardByPlaces(Call& call, std::size_t axes) {
  PlaceType(call, "indices");
  const PlaneDims planes(call, "self", axes);
  call.OutElements("gradInput", Scattered(call, Rows(call, "gradOutput", axes), Rows(call, "indices", axes),
                                          planes.points, true));
}

void MapUnpool(Call& call, std::size_t axes, std::string_view out) {
  PlaceType(call, "indices");
  const Sizes size = call.GetInts("outputSize");
  if (size.size() != axes) call.Refuse("'outputSize' has {} entries; {} are expected", size.size(), axes);
  call.OutElements(out, Scattered(call, Rows(call, "self", axes), Rows(call, "indices", axes),
                                  ElementCount(Dims(size)), false));
}

Sizes PooledSize(Call& call, std::size_t axes) {
  const Sizes size = call.GetInts("outputSize");
  if (size.size() != axes) call.Refuse("'outputSize' has {} entries; {} are expected", size.size(), axes);
  return size;
}

void MapAdaptiveAverage(Call& call) {
  call.OutElements(
      "out", call.Op("AdaptiveAvgPool2d", {Planes(call, "self", 3)}).Set("output_size", PooledSize(call, 3)));
}

void MapAdaptiveMaximum(Call& call) {
  PlaceType(call, "indicesOut");
  Op pool = call.Op("AdaptiveMaxPool2d", {Planes(call, "self", 3)});
  pool.Set("output_size", PooledSize(call, 3));
  call.OutElements("outputOut", pool.Out(0));
  call.OutElements("indicesOut", pool.Out(1));
}

void MapAdaptiveAverageBackward(Call& call, std::size_t axes) {
  const PlaneDims planes(call, "self", axes);
  call.OutElements("out",
                   call.OwnOp("AclnnAdaptiveAvgPoolGrad", {{"grad", Planes(call, "gradOutput", axes)}}, {"y"})
                       .Set("input_dims", planes.InPlanes()));
}

// The mask is for the gradient alone, which reads it as it is written here: places as int32, as long as there
// is room for them; else they are found again.
bool MaskHasRoom(Call& call, const Dims& pooled) {
  const Tensor mask = call.View("indices");
  return IsContiguous(mask.dims, mask.strides) &&
         static_cast<std::size_t>(CountOf(mask.dims)) * BytesPerElement(mask.type) >=
             static_cast<std::size_t>(ElementCount(pooled)) * sizeof(std::int32_t);
}

Op MaskedPool(Call& call) {
  const Sizes kernel = Pair(call, "kernelSize", {1, 1});
  const auto amid = [](const Sizes& pair) { return Sizes{1, pair[0], pair[1], 1}; };
  Op pool = call.Op("MaxPoolWithArgmaxV2", {AsBatch(call, "self")});
  pool.Set("ksize", amid(kernel))
      .Set("strides", amid(Pair(call, "stride", kernel)))
      .Set("pads", amid(Pair(call, "padding", {0, 0})))
      .Set("dilation", amid(Pair(call, "dilation", {1, 1})))
      .Set("ceil_mode", call.GetFlag("ceilMode"))
      .Set("last_starts_inside", true)
      .Set("dtype", static_cast<std::int64_t>(DataType::kInt32));
  return pool;
}

void MapMaximumWithMask(Call& call) {
  Op pool = MaskedPool(call);
  call.OutElements("out", pool.Out(0));
  if (MaskHasRoom(call, DimsOf(pool.Out(1)))) call.OutMemory("indices", pool.Out(1));
}

void MapMaximumWithMaskBackward(Call& call) {
  const Value self = AsBatch(call, "self");
  const Value gradient = Call::As(call.To(AsBatch(call, "gradOutput"), TypeOf(self).type), Format::kNchw);
  const TensorType places{DataType::kInt32, Format::kNchw, DimsOf(gradient)};
  const Value found =
      MaskHasRoom(call, DimsOf(gradient)) ? call.Memory("indices", 0, places) : MaskedPool(call).Out(1);
  call.OutElements("gradInput", call.Op("MaxPoolGradWithArgmaxV1", {self, gradient, found}));
}

const RegisterMapping volume_pooling_maps({
    {"aclnnAvgPool3d", MapAverage},
    {"aclnnAvgPool3dBackward", MapAverageBackward},
    {"aclnnMaxPool3dWithArgmax", MapMaximum},
    {"aclnnMaxPool3dWithArgmaxBackward", [](Call& call) { MapBackwardByPlaces(call, 3); }},
    {"aclnnAdaptiveMaxPool2dBackward", [](Call& call) { MapBackwardByPlaces(call, 2); }},
    {"aclnnAdaptiveMaxPool3dBackward", [](Call& call) { MapBackwardByPlaces(call, 3); }},
    {"aclnnMaxUnpool2d", [](Call& call) { MapUnpool(call, 2, "out"); }},
    {"aclnnMaxUnpool3d", [](Call& call) { MapUnpool(call, 3, "outRef"); }},
    {"aclnnAdaptiveAvgPool3d", MapAdaptiveAverage},
    {"aclnnAdaptiveMaxPool3d", MapAdaptiveMaximum},
    {"aclnnAdaptiveAvgPool2dBackward", [](Call& call) { MapAdaptiveAverageBackward(call, 2); }},
    {"aclnnAdaptiveAvgPool3dBackward", [](Call& call) { MapAdaptiveAverageBackward(call, 3); }},
    {"aclnnMaxPool2dWithMask", MapMaximumWithMask},
    {"aclnnMaxPool2dWithMaskBackward", MapMaximumWithMaskBackward},
});

}  // namespace
}  // namespace foothold::aclnn
