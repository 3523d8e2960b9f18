// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "conformance/hccl/elements.h"

#include <algorithm>
#include <cstring>

namespace {

// In few steps: there are many elements, and tests are compiled quickly rather than well.
template <typename T>
void Put(std::uint8_t*& at, T value) {
  std::memcpy(at, &value, sizeof(T));
  at += sizeof(T);
}

// Exact for small whole numbers.
std::uint16_t Bfloat16(float value) {
  std::uint32_t word;
  std::memcpy(&word, &value, sizeof(word));
  return static_cast<std::uint16_t>(word >> 16);
}

void PutElement(std::uint8_t*& bytes, HcclDataType type, int value) {
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

// Values of all ranks are the same again after so many elements, which is no multiple of what anything is cut
// into.
constexpr std::uint64_t kRow = 997, kPeriod = 10 * kRow;

template <typename ValueAt>
Bytes Repeated(const ElementType& type, std::uint64_t count, const ValueAt& value_at) {
  Bytes bytes(count * type.size);
  std::uint8_t* at = bytes.data();
  for (std::uint64_t i = 0; i < std::min(count, kPeriod); ++i)
    PutElement(at, type.type, value_at(i));
  // What is there is a whole number of periods as long as something is missing.
  for (std::size_t there = kPeriod * type.size; there < bytes.size(); there *= 2)
    std::memcpy(bytes.data() + there, bytes.data(), std::min(there, bytes.size() - there));
  return bytes;
}

int Combine(int one, int other, HcclReduceOp operation) {
  switch (operation) {
    case HCCL_REDUCE_SUM:
      return one + other;
    case HCCL_REDUCE_PROD:
      return one * other;
    case HCCL_REDUCE_MAX:
      return std::max(one, other);
    default:
      return std::min(one, other);
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
  Bytes bytes(values.size() * TypeOf(type).size);
  std::uint8_t* at = bytes.data();
  for (const int value : values)
    PutElement(at, type, value);
  return bytes;
}

int ValueOf(std::uint32_t rank, std::uint64_t index, HcclReduceOp operation) {
  const std::uint64_t mixed = rank * 7 + index * (3 + rank / 5) + index / kRow;
  return static_cast<int>(mixed % (operation == HCCL_REDUCE_PROD ? 2 : 5)) + 1;
}

Bytes Elements(const ElementType& type, std::uint32_t rank, std::uint64_t count, HcclReduceOp operation,
               std::uint64_t first) {
  return Repeated(type, count, [&](std::uint64_t i) { return ValueOf(rank, first + i, operation); });
}

Bytes Combined(const ElementType& type, std::uint32_t ranks, std::uint64_t count, HcclReduceOp operation,
               std::uint64_t first) {
  return Repeated(type, count, [&](std::uint64_t i) {
    int all = ValueOf(0, first + i, operation);
    for (std::uint32_t rank = 1; rank < ranks; ++rank)
      all = Combine(all, ValueOf(rank, first + i, operation), operation);
    return all;
  });
}
