// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What one call answers at once: sizes of weights in the layout FRACTAL_NZ.
#include <limits>

#include "aclnn/objects.h"
#include "aclnnop/aclnn_npu_format_cast.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "api/guard.h"

using namespace foothold;
using namespace foothold::aclnn;

namespace {

constexpr std::int64_t kFractalRows = 16;

std::int64_t AlignedTo(std::int64_t value, std::int64_t step) {
  if (value > std::numeric_limits<std::int64_t>::max() / 2) Fail(kParamInvalid, "a dimension is {}", value);
  return (value + step - 1) / step * step;
}

// Elements of a row of a fractal: 32 bytes; weights in float get the room of half precision.
std::int64_t RowAlignment(DataType type) {
  return type == DataType::kInt8 ? 32 : 16;
}

std::uint64_t WeightElements(const std::vector<std::int64_t>& shape, DataType type) {
  if (shape.size() < 2) Fail(kParamInvalid, "tensorShape has {} entries; a matrix has two", shape.size());
  std::int64_t count = 1;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] < 0) Fail(kParamInvalid, "tensorShape has {}, which is negative", shape[i]);
    const bool row = i + 2 == shape.size(), column = i + 1 == shape.size();
    const std::int64_t dim = row      ? AlignedTo(shape[i], kFractalRows)
                             : column ? AlignedTo(shape[i], RowAlignment(type))
                                      : shape[i];
    if (__builtin_mul_overflow(count, dim, &count)) Fail(kParamInvalid, "tensorShape is too large");
  }
  return static_cast<std::uint64_t>(count);
}

void CheckWeightType(aclDataType type) {
  if (type != ACL_FLOAT16 && type != ACL_BF16 && type != ACL_INT8 && type != ACL_FLOAT)
    Fail(kParamInvalid, "dataType is {}; float16, bfloat16, int8 or float is expected",
         static_cast<int>(type));
}

// [..., rows, columns] as [..., columns / width, rows / 16, 16, width].
std::vector<std::int64_t> FractalShape(const Tensor& tensor) {
  const std::size_t rank = tensor.dims.size();
  if (rank < 2) Fail(kParamInvalid, "srcTensor has {} dimensions; two at least are expected", rank);
  const int bits = BitsPerElement(tensor.type).value_or(0);
  if (bits != 8 && bits != 16 && bits != 32)
    Fail(kFindKernel, "there are no fractals of {}", DataTypeName(tensor.type));
  const std::int64_t width = 256 / bits;
  std::vector<std::int64_t> shape(tensor.dims.begin(), tensor.dims.end() - 2);
  shape.insert(shape.end(),
               {AlignedTo(tensor.dims[rank - 1], width) / width,
                AlignedTo(tensor.dims[rank - 2], kFractalRows) / kFractalRows, kFractalRows, width});
  return shape;
}

}  // namespace

aclnnStatus aclnnCalculateMatmulWeightSizeV2(const aclIntArray* tensorShape, aclDataType dataType,
                                             uint64_t* weightTensorSize) {
  return Guard(FOOTHOLD_CALL(tensorShape, dataType, weightTensorSize), [&] {
    const auto& shape = IntArrays::Get().Find(tensorShape);
    CheckNotNull(weightTensorSize, "weightTensorSize", kParamNull);
    CheckWeightType(dataType);
    *weightTensorSize = WeightElements(shape, static_cast<DataType>(dataType));
  });
}

aclnnStatus aclnnNpuFormatCastCalculateSizeAndFormat(const aclTensor* srcTensor, int dstFormat,
                                                     int additionalDtype, int64_t** dstShape,
                                                     uint64_t* dstShapeSize, int* actualFormat) {
  return Guard(FOOTHOLD_CALL(srcTensor, dstFormat, additionalDtype, dstShape, dstShapeSize, actualFormat),
               [&] {
                 const Tensor& source = Tensors::Get().Find(srcTensor);
                 CheckNotNull(dstShape, "dstShape", kParamNull);
                 CheckNotNull(dstShapeSize, "dstShapeSize", kParamNull);
                 CheckNotNull(actualFormat, "actualFormat", kParamNull);
                 if (dstFormat != ACL_FORMAT_FRACTAL_NZ && dstFormat != ACL_FORMAT_ND)
                   Fail(kFindKernel, "dstFormat is {}; ND and FRACTAL_NZ are possible", dstFormat);
                 const auto shape = dstFormat == ACL_FORMAT_ND
                                        ? std::vector<std::int64_t>(source.dims.begin(), source.dims.end())
                                        : FractalShape(source);
                 auto list = std::make_unique<std::int64_t[]>(shape.size());
                 std::copy(shape.begin(), shape.end(), list.get());
                 *dstShape = list.release();
                 *dstShapeSize = shape.size();
                 *actualFormat = dstFormat;
               });
}
