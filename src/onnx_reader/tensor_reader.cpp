// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx_reader/tensor_reader.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/error.h"

namespace foothold::onnx {
namespace {

using Proto = ::onnx::TensorProto;

// A sparse tensor says little and may mean much.
constexpr std::int64_t kMostSparseElements = std::int64_t{1} << 28;
// So do constants of functions, which are there once for each call. What all tensors of a model may take, and
// how much more for each byte that was read for them (docs/onnx.md).
constexpr std::size_t kFreeBytes = std::size_t{256} << 20;
constexpr std::size_t kMostGrowth = 1024;

std::string Named(const Proto& tensor) {
  return tensor.name().empty() ? "a tensor without name" : "tensor '" + tensor.name() + "'";
}

TensorType TypeOf(const Proto& tensor) {
  TensorType type{ToDataType(tensor.data_type(), Named(tensor)), Format::kNd, {}};
  for (const std::int64_t dim : tensor.dims()) {
    if (dim < 0) Fail(kParseFile, "{} has the dimension {}", Named(tensor), dim);
    type.dims.push_back(dim);
  }
  return type;
}

// `scale`: numbers of the list per element (complex types have two).
template <typename To, typename List>
void Copy(const Proto& tensor, const List& list, std::size_t count, std::byte* to) {
  if (static_cast<std::size_t>(list.size()) != count)
    Fail(kParseFile, "{} has {} elements, expected {}", Named(tensor), list.size(), count);
  for (std::size_t i = 0; i < count; ++i) {
    const To value = static_cast<To>(list.Get(static_cast<int>(i)));
    std::memcpy(to + i * sizeof(To), &value, sizeof(To));
  }
}

std::size_t ListSize(const Proto& tensor, DataType type) {
  switch (type) {
    case DataType::kFloat:
      return static_cast<std::size_t>(tensor.float_data_size());
    case DataType::kComplex64:
      return static_cast<std::size_t>(tensor.float_data_size()) / 2;
    case DataType::kDouble:
      return static_cast<std::size_t>(tensor.double_data_size());
    case DataType::kComplex128:
      return static_cast<std::size_t>(tensor.double_data_size()) / 2;
    case DataType::kInt64:
      return static_cast<std::size_t>(tensor.int64_data_size());
    case DataType::kUint32:
    case DataType::kUint64:
      return static_cast<std::size_t>(tensor.uint64_data_size());
    default:
      return static_cast<std::size_t>(tensor.int32_data_size());
  }
}

void CopyList(const Proto& tensor, DataType type, std::size_t count, std::byte* to) {
  switch (type) {
    case DataType::kFloat:
      return Copy<float>(tensor, tensor.float_data(), count, to);
    case DataType::kComplex64:
      return Copy<float>(tensor, tensor.float_data(), 2 * count, to);
    case DataType::kDouble:
      return Copy<double>(tensor, tensor.double_data(), count, to);
    case DataType::kComplex128:
      return Copy<double>(tensor, tensor.double_data(), 2 * count, to);
    case DataType::kInt64:
      return Copy<std::int64_t>(tensor, tensor.int64_data(), count, to);
    case DataType::kUint64:
      return Copy<std::uint64_t>(tensor, tensor.uint64_data(), count, to);
    case DataType::kUint32:
      return Copy<std::uint32_t>(tensor, tensor.uint64_data(), count, to);
    case DataType::kInt32:
      return Copy<std::int32_t>(tensor, tensor.int32_data(), count, to);
    case DataType::kInt16:
    case DataType::kUint16:
    case DataType::kFloat16:
    case DataType::kBfloat16:
      return Copy<std::uint16_t>(tensor, tensor.int32_data(), count, to);
    default:
      return Copy<std::uint8_t>(tensor, tensor.int32_data(), count, to);
  }
}

// Their values decide no shapes.
bool IsFloating(DataType type) {
  return type == DataType::kFloat || type == DataType::kDouble || type == DataType::kFloat16 ||
         type == DataType::kBfloat16;
}

bool IsExternal(const Proto& tensor) {
  return tensor.data_location() == Proto::EXTERNAL;
}

// Before anything is allocated: what is declared may be much more than what is there.
void CheckLength(const Proto& tensor, const TensorType& type, std::size_t size) {
  const std::size_t count = static_cast<std::size_t>(ElementCount(type.dims));
  if (tensor.has_raw_data() ? tensor.raw_data().size() != size : ListSize(tensor, type.type) != count)
    Fail(kParseFile, "{} is {}, which needs {} bytes; its data has {} {}", Named(tensor), ToString(type),
         size, tensor.has_raw_data() ? tensor.raw_data().size() : ListSize(tensor, type.type),
         tensor.has_raw_data() ? "bytes" : "elements");
}

}  // namespace

DataType ToDataType(int onnx_type, const std::string& what) {
  switch (onnx_type) {
    case Proto::FLOAT:
      return DataType::kFloat;
    case Proto::UINT8:
      return DataType::kUint8;
    case Proto::INT8:
      return DataType::kInt8;
    case Proto::UINT16:
      return DataType::kUint16;
    case Proto::INT16:
      return DataType::kInt16;
    case Proto::INT32:
      return DataType::kInt32;
    case Proto::INT64:
      return DataType::kInt64;
    case Proto::STRING:
      return DataType::kString;
    case Proto::BOOL:
      return DataType::kBool;
    case Proto::FLOAT16:
      return DataType::kFloat16;
    case Proto::DOUBLE:
      return DataType::kDouble;
    case Proto::UINT32:
      return DataType::kUint32;
    case Proto::UINT64:
      return DataType::kUint64;
    case Proto::COMPLEX64:
      return DataType::kComplex64;
    case Proto::COMPLEX128:
      return DataType::kComplex128;
    case Proto::BFLOAT16:
      return DataType::kBfloat16;
    default:
      Fail(kFeatureUnsupported, "{} has the element type {}, which is not supported", what, onnx_type);
  }
}

ValueType ToValueType(const ::onnx::TypeProto& type) {
  ValueType value;
  switch (type.value_case()) {
    case ::onnx::TypeProto::kTensorType:
      break;
    case ::onnx::TypeProto::kSequenceType:
      value.kind = ValueType::Kind::kSequence;
      return value;
    case ::onnx::TypeProto::kOptionalType:
      value.kind = ValueType::Kind::kOptional;
      return value;
    case ::onnx::TypeProto::VALUE_NOT_SET:
      return value;
    default:
      value.kind = ValueType::Kind::kOther;
      return value;
  }
  value.kind = ValueType::Kind::kTensor;
  if (type.tensor_type().elem_type() != Proto::UNDEFINED)
    value.type = ToDataType(type.tensor_type().elem_type(), "a value");
  if (!type.tensor_type().has_shape()) return value;
  value.dims.clear();
  for (const auto& dim : type.tensor_type().shape().dim())
    value.dims.push_back(dim.has_dim_value() && dim.dim_value() >= 0 ? dim.dim_value() : kUnknownDim);
  return value;
}

::onnx::TypeProto ToTypeProto(const ValueType& type) {
  ::onnx::TypeProto proto;
  if (type.kind != ValueType::Kind::kTensor) return proto;
  auto& tensor = *proto.mutable_tensor_type();
  for (int number = Proto::FLOAT; number <= Proto::BFLOAT16; ++number)
    if (type.type != DataType::kUndefined && ToDataType(number, "a value") == type.type)
      tensor.set_elem_type(number);
  if (!type.RankKnown()) return proto;
  tensor.mutable_shape();
  for (const std::int64_t dim : type.dims) {
    auto& added = *tensor.mutable_shape()->add_dim();
    if (dim >= 0) added.set_dim_value(dim);
  }
  return proto;
}

void TensorReader::Count(std::size_t size, const std::string& name) {
  taken_ = size > SIZE_MAX - taken_ ? SIZE_MAX : taken_ + size;
  if (taken_ > kFreeBytes && (taken_ - kFreeBytes) / kMostGrowth > given_)
    Fail(kParseFile,
         "{} makes the tensors of the model {} bytes large, and {} were read for them: sparse tensors, or "
         "constants that are repeated by functions, take more than {} bytes and {} times what was read",
         name, taken_, given_, kFreeBytes, kMostGrowth);
}

TensorValue TensorReader::Allocate(TensorType type, std::size_t size, const std::string& name) {
  Count(size, name);
  return {std::move(type), request_.allocate(size), size};
}

TensorValue TensorReader::Read(const Proto& tensor) {
  const TensorType type = TypeOf(tensor);
  if (type.type == DataType::kString) return {type, nullptr, 0};
  const std::size_t size = ByteSize(type);
  if (IsExternal(tensor)) {
    const ExternalTensor found = external_.Find(tensor, size);
    given_ += std::min(size, SIZE_MAX - given_);
    TensorValue value = Allocate(type, size, Named(tensor));
    found.Read(value.mutable_data());
    return value;
  }
  CheckLength(tensor, type, size);
  TensorValue value = Allocate(type, size, Named(tensor));
  if (size == 0) return value;
  if (tensor.has_raw_data()) {
    std::memcpy(value.mutable_data(), tensor.raw_data().data(), size);
  } else {
    CopyList(tensor, type.type, static_cast<std::size_t>(ElementCount(type.dims)), value.mutable_data());
  }
  return value;
}

TensorValue TensorReader::Read(const Proto& tensor, const ModelSource& source, const WeightPlace& place) {
  TensorType type = TypeOf(tensor);
  if (type.type == DataType::kString) return {type, nullptr, 0};
  const std::size_t size = ByteSize(type);
  if (size != place.size)
    Fail(kParseFile, "{} is {}, which needs {} bytes; its data has {} bytes", Named(tensor), ToString(type),
         size, place.size);
  if (source.file && IsFloating(type.type)) {
    Count(size, Named(tensor));
    return request_.read_weight(std::move(type), size, source.file, place.offset);
  }
  TensorValue value = Allocate(std::move(type), size, Named(tensor));
  if (!source.Read(place.offset, value.mutable_data(), size))
    Fail(kInvalidFile, "{}: cannot read {} bytes at {} of model {}", Named(tensor), size, place.offset,
         source.name);
  return value;
}

TensorValue TensorReader::Read(const ::onnx::SparseTensorProto& tensor) {
  const TensorValue values = Read(tensor.values());
  const TensorValue indices = Read(tensor.indices());
  TensorType type{values.type().type, Format::kNd, {tensor.dims().begin(), tensor.dims().end()}};
  const std::string name = Named(tensor.values());
  if (!IsStatic(type.dims) || ElementCount(type.dims) > kMostSparseElements)
    Fail(kParseFile, "sparse {} has the shape {}", name, ToString(type.dims));
  if (indices.type().type != DataType::kInt64 || values.type().type == DataType::kString)
    Fail(kParseFile, "sparse {} has indices of type {}, expected int64", name,
         DataTypeName(indices.type().type));
  TensorValue dense = Allocate(type, ByteSize(type), "sparse " + name);
  if (dense.size() > 0) std::memset(dense.mutable_data(), 0, dense.size());
  const auto count = static_cast<std::size_t>(ElementCount(values.dims()));
  const std::size_t rank = indices.dims().size() == 2 ? type.dims.size() : 1;
  if (indices.size() != count * rank * sizeof(std::int64_t))
    Fail(kParseFile, "sparse {} has {} values, but {} bytes of indices", name, count, indices.size());
  const std::size_t bytes = BytesPerElement(type.type);
  for (std::size_t i = 0; i < count; ++i) {
    std::int64_t position = 0;
    for (std::size_t d = 0; d < rank; ++d) {
      const std::int64_t index = indices.As<std::int64_t>()[i * rank + d];
      const std::int64_t length = rank == 1 ? ElementCount(type.dims) : type.dims[d];
      if (index < 0 || index >= length) Fail(kParseFile, "sparse {} has the index {}", name, index);
      position = position * length + index;
    }
    std::memcpy(dense.mutable_data() + static_cast<std::size_t>(position) * bytes, values.data() + i * bytes,
                bytes);
  }
  return dense;
}

}  // namespace foothold::onnx
