// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "llama/tensor.h"

#include <stdexcept>

namespace llama {

namespace {

std::int64_t ElementStride(const Tensor& tensor, std::size_t dimension) {
  return static_cast<std::int64_t>(tensor.nb[dimension]) / ByteSize(TypeOf(tensor.type));
}

}  // namespace

aclDataType TypeOf(Type type) {
  switch (type) {
    case Type::kF32:
      return ACL_FLOAT;
    case Type::kF16:
      return ACL_FLOAT16;
    case Type::kBf16:
      return ACL_BF16;
    case Type::kI8:
    case Type::kQ8_0:
      return ACL_INT8;
    case Type::kI16:
      return ACL_INT16;
    case Type::kI32:
      return ACL_INT32;
    case Type::kI64:
      return ACL_INT64;
    case Type::kQ4_0:
      return ACL_INT4;
  }
  throw std::runtime_error("a type the backend does not know");
}

std::int64_t ByteSize(aclDataType type) {
  switch (type) {
    case ACL_FLOAT:
    case ACL_INT32:
      return 4;
    case ACL_INT64:
      return 8;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
      return 2;
    default:
      return 1;
  }
}

bool IsQuantized(Type type) {
  return type == Type::kQ4_0 || type == Type::kQ8_0;
}

std::size_t BytesOf(const Tensor& tensor) {
  const auto size = static_cast<std::size_t>(tensor.size());
  if (IsQuantized(tensor.type)) return size / (tensor.type == Type::kQ4_0 ? 2 : 1) + size / 32 * 2;
  return size * static_cast<std::size_t>(ByteSize(TypeOf(tensor.type)));
}

Tensor Lay(Type type, std::array<std::int64_t, 4> ne, char* data) {
  Tensor tensor{type, ne, {}, data};
  tensor.nb[0] = static_cast<std::size_t>(ByteSize(TypeOf(type)));
  for (std::size_t i = 1; i < 4; ++i)
    tensor.nb[i] = tensor.nb[i - 1] * static_cast<std::size_t>(ne[i - 1]);
  return tensor;
}

bool IsContiguous(const Tensor& tensor) {
  return Lay(tensor.type, tensor.ne, nullptr).nb == tensor.nb;
}

Tensor Make(Backend& backend, Type type, std::array<std::int64_t, 4> ne) {
  Tensor tensor = Lay(type, ne, nullptr);
  tensor.data = backend.Allocate(BytesOf(tensor));
  return tensor;
}

Described All(const Tensor& tensor) {
  return Slice(tensor, 4);
}

Described Slice(const Tensor& tensor, std::size_t rank, std::int64_t third, std::int64_t fourth) {
  Dims dims, strides;
  for (std::size_t i = rank; i-- > 0;) {
    dims.push_back(tensor.ne[i]);
    strides.push_back(ElementStride(tensor, i));
  }
  char* const data = tensor.data + static_cast<std::size_t>(third) * tensor.nb[2] +
                     static_cast<std::size_t>(fourth) * tensor.nb[3];
  return {TypeOf(tensor.type), dims, strides, data};
}

Described Transposed(const Tensor& tensor) {
  Described all = All(tensor);
  std::swap(all.dims[2], all.dims[3]);
  std::swap(all.strides[2], all.strides[3]);
  return all;
}

Described Reshaped(const Tensor& tensor, Dims dims) {
  return {TypeOf(tensor.type), std::move(dims), tensor.data};
}

}  // namespace llama
