// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// OnnxMatMulInteger: the product of two tensors of bytes, each minus its zero point if the third and fourth
// input give one, as int32. A zero point is one number, or one for each row of the first or each column of
// the second operand.
#include "ops/matrix/integer_product.h"

namespace foothold {
namespace {

int ZeroPort(const OpContext& context, int port, int of, std::size_t count) {
  if (port >= context.inputs() || !context.Has(port)) return -1;
  const TensorType& zero = context.In(port);
  const std::int64_t given = ElementCount(zero.dims);
  if (zero.type != context.In(of).type || (given != 1 && given != static_cast<std::int64_t>(count)))
    context.Refuse("a zero point is {}, expected one {}, or {} of them", ToString(zero),
                   DataTypeName(context.In(of).type), count);
  return port;
}

IntegerProduct ProductOf(const OpContext& context) {
  IntegerProduct product;
  product.shape = MatMulShapeOf(context, 0, false, 1, false);
  product.left_zero = ZeroPort(context, 2, 0, product.shape.size.rows);
  product.right_zero = ZeroPort(context, 3, 1, product.shape.size.columns);
  return product;
}

void InferMatMulInteger(OpContext& context) {
  context.SetOut(0, DataType::kInt32, ProductOf(context).shape.out, Format::kNd);
}

std::unique_ptr<Kernel> LowerMatMulInteger(OpContext& context) {
  return LowerIntegerProduct(context, ProductOf(context));
}

const RegisterOp matmul_integer(OpDef("OnnxMatMulInteger")
                                    .Infer(InferMatMulInteger)
                                    .Lower(LowerMatMulInteger)
                                    .Types({DataType::kInt8, DataType::kUint8}));

}  // namespace
}  // namespace foothold
