// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Products of int8 matrices, and products whose operands are permuted first. Transposed views are multiplied
// as they lie.
#include <string>

#include "aclnn/maps/fractal.h"
#include "aclnn/maps/given.h"

namespace foothold::aclnn {
namespace {

// One side: the flag of the call says how the view is meant, the view how it lies.
void AddSide(Call& call, Op& product, const char* port, const char* flag) {
  const StoredMatrix side = PlainMatrix(call, port);
  product.In(port, side.value);
  product.Set(std::string("transpose_") + port, call.GetFlag(flag) != side.transposed);
}

Op QuantProduct(Call& call, const char* type) {
  Op product = call.Op(type);
  AddSide(call, product, "x1", "transposeX1");
  AddSide(call, product, "x2", "transposeX2");
  product.In("bias", call.InIfGiven("bias"));
  product.Set("dtype", static_cast<std::int64_t>(call.TypeOfArgument("out")));
  return product;
}

void MapQuantMatmulV4(Call& call) {
  Op product = QuantProduct(call, "QuantBatchMatmulV3");
  product.In("scale", call.In("scale")).In("offset", call.InIfGiven("offset"));
  product.In("pertoken_scale", call.InIfGiven("pertokenScaleOptional"));
  call.Out("out", product);
}

void MapQuantMatmulV5(Call& call) {
  RefuseGiven(call, "products of quantised matrices", {"yScale", "x1Offset", "x2Offset", "yOffset"});
  if (call.GetInt("groupSize") != 0)
    call.NotSupported("products of quantised matrices with scales of groups: groupSize other than 0");
  Op product = QuantProduct(call, "QuantBatchMatmulV4");
  product.In("x1_scale", call.InIfGiven("x1Scale")).In("x2_scale", call.In("x2Scale"));
  call.Out("out", product);
}

// As the first phase says, the dimensions in the order in which they are multiplied.
void SetOrders(Call& call, Op& product) {
  product.Set("perm_x1", call.GetInts("permX1"))
      .Set("perm_x2", call.GetInts("permX2"))
      .Set("perm_y", call.GetInts("permY"))
      .Set("batch_split_factor", call.GetInt("batchSplitFactor"));
}

void MapTransposeBatchMatMul(Call& call) {
  RefuseGiven(call, "aclnnTransposeBatchMatMul", {"bias", "scale"});
  Op product = call.Op("TransposeBatchMatMul", {call.In("x1"), call.In("x2")});
  SetOrders(call, product);
  call.Out("out", product);
}

void MapTransposeQuantBatchMatMul(Call& call) {
  RefuseGiven(call, "aclnnTransposeQuantBatchMatMul", {"bias"});
  Op product = call.Op("TransposeQuantBatchMatMul", {call.In("x1"), call.In("x2")});
  product.In("x1_scale", call.InIfGiven("x1Scale")).In("x2_scale", call.InIfGiven("x2Scale"));
  SetOrders(call, product);
  product.Set("dtype", call.GetInt("dtype")).Set("group_size", call.GetInt("groupSize"));
  call.Out("out", product);
}

const RegisterMapping quantized_matrix_maps({
    {"aclnnQuantMatmulV4", MapQuantMatmulV4},
    {"aclnnQuantMatmulV5", MapQuantMatmulV5},
    {"aclnnQuantMatmulWeightNz", MapQuantMatmulV5},
    {"aclnnTransposeBatchMatMul", MapTransposeBatchMatMul},
    {"aclnnTransposeQuantBatchMatMul", MapTransposeQuantBatchMatMul},
});

}  // namespace
}  // namespace foothold::aclnn
