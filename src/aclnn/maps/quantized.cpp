// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Products with quantised weights.
#include "aclnn/mapping.h"
#include "aclnn/maps/fractal.h"

namespace foothold::aclnn {
namespace {

StoredMatrix MatrixOf(Call& call, std::string_view name) {
  const Tensor view = call.View(name);
  if (view.dims.size() != 2) call.Refuse("'{}' is {}; a matrix is expected", name, ToString(view));
  return PlainMatrix(call, name);
}

// Scales and offsets of groups; both lie alike.
StoredMatrix ScaleOf(Call& call, std::string_view name) {
  const Tensor view = call.View(name);
  const bool groups = view.dims.size() == 2 && view.dims[0] > 1 && view.dims[1] > 1;
  return groups ? MatrixOf(call, name) : StoredMatrix{call.In(name)};
}

void MapWeightQuant(Call& call) {
  for (const char* name : {"quantScaleOptional", "quantOffsetOptional"})
    if (call.Has(name)) call.NotSupported("aclnnWeightQuantBatchMatmul with quantScale or quantOffset");
  const Value x = call.In("x");
  const StoredMatrix weight = MatrixOf(call, "weight"), scale = ScaleOf(call, "antiquantScale");
  Op product = call.Op("WeightQuantBatchMatmulV2", {x, weight.value, scale.value});
  product.Set("transpose_weight", weight.transposed).Set("_transpose_scale", scale.transposed);
  product.Set("antiquant_group_size", call.GetInt("antiquantGroupSize"));
  if (call.Has("antiquantOffsetOptional")) {
    const StoredMatrix offset = ScaleOf(call, "antiquantOffsetOptional");
    if (offset.transposed != scale.transposed)
      call.NotSupported("antiquantScale and antiquantOffset that lie differently");
    product.In("antiquant_offset", offset.value);
  }
  product.In("bias", call.InIfGiven("biasOptional"));
  call.Out("y", product);
}

const RegisterMapping quantized_maps({{"aclnnWeightQuantBatchMatmulV2", MapWeightQuant},
                                      {"aclnnWeightQuantBatchMatmulV3", MapWeightQuant}});

}  // namespace
}  // namespace foothold::aclnn
