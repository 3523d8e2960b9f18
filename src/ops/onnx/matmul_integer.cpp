// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// OnnxMatMulInteger: the product of two tensors of bytes, each minus its zero point if the third and fourth
// input give one, as int32. A zero point is one number, or one for each row of the first or each column of
// the second operand. Attributes transpose_x1 and transpose_x2 are as MatMulV2 has them.
// ScaledMatMulInteger: the same times 'scale', one float or one for each column, plus a 'bias' for each
// column and a 'residual', activated; as float. Programs do not make it, a pass does.
#include "ops/convolution/blocked_kernel.h"
#include "ops/matrix/integer_product.h"

namespace foothold {
namespace {

// Inputs are called x0, x1 ...
int ZeroPort(const OpContext& context, const char* name, int of, std::size_t count) {
  const int port = context.node().InputIndex(name);
  if (port < 0 || !context.Has(port)) return -1;
  const TensorType& zero = context.In(port);
  const std::int64_t given = ElementCount(zero.dims);
  if (zero.type != context.In(of).type || (given != 1 && given != static_cast<std::int64_t>(count)))
    context.Refuse("a zero point is {}, expected one {}, or {} of them", ToString(zero),
                   DataTypeName(context.In(of).type), count);
  return port;
}

IntegerProduct ProductOf(const OpContext& context) {
  IntegerProduct product;
  product.shape = MatMulShapeOf(context, 0, context.node().Bool("transpose_x1", false), 1,
                                context.node().Bool("transpose_x2", false));
  product.left_zero = ZeroPort(context, "x2", 0, product.shape.size.rows);
  product.right_zero = ZeroPort(context, "x3", 1, product.shape.size.columns);
  return product;
}

void InferMatMulInteger(OpContext& context) {
  context.SetOut(0, DataType::kInt32, ProductOf(context).shape.out, Format::kNd);
}

std::unique_ptr<Kernel> LowerMatMulInteger(OpContext& context) {
  return LowerIntegerProduct(context, ProductOf(context));
}

// A float input by name, with one element or one for each column; -1: there is none.
int FloatPort(const OpContext& context, const char* name, std::int64_t count) {
  const int port = context.node().InputIndex(name);
  if (port < 0 || !context.Has(port)) return -1;
  const std::int64_t given = ElementCount(context.InDims(port));
  const bool single = given == 1 && name == std::string_view("scale");
  if (context.In(port).type != DataType::kFloat || (given != count && !single))
    context.Refuse("{} is {}, expected {} floats", name, ToString(context.In(port)), count);
  return port;
}

IntegerProduct ScaledProductOf(const OpContext& context) {
  IntegerProduct product = ProductOf(context);
  const auto columns = static_cast<std::int64_t>(product.shape.size.columns);
  product.scale = FloatPort(context, "scale", columns);
  if (product.scale < 0) context.Refuse("there is no scale");
  product.float_bias = FloatPort(context, "bias", columns);
  product.residual = FloatPort(context, "residual", ElementCount(product.shape.out));
  product.activation = ActivationAttribute(context.node());
  return product;
}

void InferScaledMatMulInteger(OpContext& context) {
  context.SetOut(0, DataType::kFloat, ScaledProductOf(context).shape.out, Format::kNd);
}

std::unique_ptr<Kernel> LowerScaledMatMulInteger(OpContext& context) {
  return LowerIntegerProduct(context, ScaledProductOf(context));
}

const std::vector<DataType>& Bytes() {
  static const std::vector<DataType> bytes = {DataType::kInt8, DataType::kUint8};
  return bytes;
}

const RegisterOp matmul_integer(
    {OpDef("OnnxMatMulInteger").Infer(InferMatMulInteger).Lower(LowerMatMulInteger).Types(Bytes()),
     OpDef("ScaledMatMulInteger")
         .Infer(InferScaledMatMulInteger)
         .Lower(LowerScaledMatMulInteger)
         .Types(Bytes())});

}  // namespace
}  // namespace foothold
