// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "conformance/hccl/elements.h"

#include <algorithm>
#include <cstring>

namespace {

template <typename T>
void Put(Bytes& bytes, T value) {
  const auto* const from = reinterpret_cast<const std::uint8_t*>(&value);
  bytes.insert(bytes.end(), from, from + sizeof(T));
}

// Exact for small whole numbers.
std::uint16_t Bfloat16(float value) {
  std::uint32_t word;
  std::memcpy(&word, &value, sizeof(word));
  return static_cast<std::uint16_t>(word >> 16);
}

void PutElement(Bytes& bytes, HcclDataType type, int value) {
  switch (type) {
    case HCCL_DATA_TYPE_INT16:
    case HCCL_DATA_TYPE_UINT16:
      return Put(bytes, static_cast<std::uint16_t>(value));
    case HCCL_DATA_TYPE_INT32:
    case HCCL_DATA_TYPE_UINT32:
      return Put(bytes, static_cast<std::uint32_t>(value));
    case HCCL_DATA_TYPE_INT64:
    case HCCL_DATA_TYPE_UINT64:
      return Put(bytes, static_cast<std::uint64_t>(value));
    case HCCL_DATA_TYPE_FP16:
      return Put(bytes, static_cast<std::uint16_t>(aclFloatToFloat16(static_cast<float>(value))));
    case HCCL_DATA_TYPE_BFP16:
      return Put(bytes, Bfloat16(static_cast<float>(value)));
    case HCCL_DATA_TYPE_FP32:
      return Put(bytes, static_cast<float>(value));
    case HCCL_DATA_TYPE_FP64:
      return Put(bytes, static_cast<double>(value));
    case HCCL_DATA_TYPE_INT128:
      Put(bytes, static_cast<std::uint64_t>(value));
      return Put(bytes, std::uint64_t{7});
    default:
      return Put(bytes, static_cast<std::uint8_t>(value));
  }
}

}  // namespace

const std::vector<ElementType>& ElementTypes() {
  static const std::vector<ElementType> types = {
      {HCCL_DATA_TYPE_INT8, "int8", 1, true},        {HCCL_DATA_TYPE_INT16, "int16", 2, true},
      {HCCL_DATA_TYPE_INT32, "int32", 4, true},      {HCCL_DATA_TYPE_FP16, "fp16", 2, true},
      {HCCL_DATA_TYPE_FP32, "fp32", 4, true},        {HCCL_DATA_TYPE_INT64, "int64", 8, true},
      {HCCL_DATA_TYPE_UINT64, "uint64", 8, true},    {HCCL_DATA_TYPE_UINT8, "uint8", 1, true},
      {HCCL_DATA_TYPE_UINT16, "uint16", 2, true},    {HCCL_DATA_TYPE_UINT32, "uint32", 4, true},
      {HCCL_DATA_TYPE_FP64, "fp64", 8, true},        {HCCL_DATA_TYPE_BFP16, "bfp16", 2, true},
      {HCCL_DATA_TYPE_INT128, "int128", 16, false},  {HCCL_DATA_TYPE_HIF8, "hif8", 1, false},
      {HCCL_DATA_TYPE_FP8E4M3, "fp8e4m3", 1, false}, {HCCL_DATA_TYPE_FP8E5M2, "fp8e5m2", 1, false},
      {HCCL_DATA_TYPE_FP8E8M0, "fp8e8m0", 1, false},
  };
  return types;
}

const ElementType& TypeOf(HcclDataType type) {
  return *std::find_if(ElementTypes().begin(), ElementTypes().end(),
                       [&](const ElementType& one) { return one.type == type; });
}

Bytes Encode(HcclDataType type, const std::vector<int>& values) {
  Bytes bytes;
  bytes.reserve(values.size() * TypeOf(type).size);
  for (const int value : values)
    PutElement(bytes, type, value);
  return bytes;
}

int ValueOf(std::uint32_t rank, std::uint64_t index, HcclReduceOp operation) {
  const std::uint64_t mixed = rank * 7 + index * 3 + index / 11;
  return static_cast<int>(mixed % (operation == HCCL_REDUCE_PROD ? 2 : 5)) + 1;
}

std::vector<int> Values(std::uint32_t rank, std::uint64_t count, HcclReduceOp operation,
                        std::uint64_t first) {
  std::vector<int> values(count);
  for (std::uint64_t i = 0; i < count; ++i)
    values[i] = ValueOf(rank, first + i, operation);
  return values;
}

std::vector<int> Combined(std::uint32_t ranks, std::uint64_t count, HcclReduceOp operation,
                          std::uint64_t first) {
  std::vector<int> result = Values(0, count, operation, first);
  for (std::uint32_t rank = 1; rank < ranks; ++rank) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const int next = ValueOf(rank, first + i, operation);
      int& all = result[i];
      all = operation == HCCL_REDUCE_SUM    ? all + next
            : operation == HCCL_REDUCE_PROD ? all * next
            : operation == HCCL_REDUCE_MAX  ? std::max(all, next)
                                            : std::min(all, next);
    }
  }
  return result;
}
