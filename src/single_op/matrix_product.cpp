// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "single_op/matrix_product.h"

#include <array>

#include "base/error.h"

namespace foothold {
namespace {

TensorDesc Matrix(DataType type, std::int64_t rows, std::int64_t columns, bool transposed) {
  const std::int64_t dims[] = {transposed ? columns : rows, transposed ? rows : columns};
  return TensorDesc(type, Format::kNd, Shape(2, dims));
}

TensorDesc Factor(DataType type) {
  const std::int64_t one = 1;
  return TensorDesc(type, Format::kNd, Shape(1, &one));
}

void Check(const ProductShape& shape) {
  if (shape.m <= 0 || shape.n <= 0 || shape.k <= 0)
    Fail(kInvalidParam, "a product of {} x {} and {} x {}: sizes have to be positive", shape.m, shape.k,
         shape.k, shape.n);
  using Types = std::array<DataType, 3>;
  constexpr Types kKnown[] = {{DataType::kFloat16, DataType::kFloat16, DataType::kFloat16},
                              {DataType::kFloat16, DataType::kFloat16, DataType::kFloat},
                              {DataType::kInt8, DataType::kInt8, DataType::kFloat},
                              {DataType::kInt8, DataType::kInt8, DataType::kInt32}};
  for (const Types& known : kKnown)
    if (known == Types{shape.a, shape.b, shape.c}) return;
  Fail(kFeatureUnsupported,
       "a product of {} and {} into {}; expected float16, float16 into float16 or float, or int8, int8 into "
       "float or int32",
       DataTypeName(shape.a), DataTypeName(shape.b), DataTypeName(shape.c));
}

}  // namespace

MatrixProduct::MatrixProduct(const ProductShape& shape) : output_(Matrix(shape.c, shape.m, shape.n, false)) {
  Check(shape);
  inputs_ = {Matrix(shape.a, shape.m, shape.k, shape.transpose_a),
             Matrix(shape.b, shape.k, shape.n, shape.transpose_b), output_, Factor(shape.c), Factor(shape.c)};
  attributes_.Set("transpose_a", shape.transpose_a);
  attributes_.Set("transpose_b", shape.transpose_b);
  call_.type = "GEMM";
  for (const TensorDesc& desc : inputs_)
    call_.inputs.push_back(&desc);
  call_.outputs.push_back(&output_);
  call_.attributes = &attributes_;
}

void RunProduct(const ProductShape& shape, const ProductMemory& memory, const StreamRef& stream,
                const char* api) {
  const MatrixProduct product(shape);
  const OpCall& call = product.call();
  const void* const addresses[] = {memory.a, memory.b, memory.c, memory.alpha, memory.beta};
  std::vector<DataBuffer> buffers;
  for (std::size_t i = 0; i < call.inputs.size(); ++i)
    buffers.push_back({const_cast<void*>(addresses[i]), call.inputs[i]->bytes()});
  OpTensors tensors;
  for (const DataBuffer& buffer : buffers)
    tensors.inputs.push_back(&buffer);
  tensors.outputs.push_back(&buffers[2]);
  RunOperator(Operators::Get().FindOrCompile(call), call, tensors, stream, api);
}

}  // namespace foothold
