// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/data_type.h"

#include <array>

namespace foothold {
namespace {

constexpr std::optional<int> Bits(DataType type) noexcept {
  switch (type) {
    case DataType::kUndefined:
    case DataType::kString:
      return 0;
    case DataType::kUint1:
      return 1;
    case DataType::kInt4:
    case DataType::kFloat4E2m1:
    case DataType::kFloat4E1m2:
      return 4;
    case DataType::kFloat6E3m2:
    case DataType::kFloat6E2m3:
      return 6;
    case DataType::kInt8:
    case DataType::kUint8:
    case DataType::kBool:
    case DataType::kHifloat8:
    case DataType::kFloat8E5m2:
    case DataType::kFloat8E4m3fn:
    case DataType::kFloat8E8m0:
      return 8;
    case DataType::kFloat16:
    case DataType::kBfloat16:
    case DataType::kInt16:
    case DataType::kUint16:
      return 16;
    case DataType::kFloat:
    case DataType::kInt32:
    case DataType::kUint32:
    case DataType::kComplex32:
      return 32;
    case DataType::kInt64:
    case DataType::kUint64:
    case DataType::kDouble:
    case DataType::kComplex64:
      return 64;
    case DataType::kComplex128:
      return 128;
  }
  return std::nullopt;
}

// Every run asks for the sizes of its inputs and outputs. Types beyond the table are looked up the long way.
constexpr auto kBits = [] {
  std::array<std::optional<int>, 48> bits;
  for (std::size_t i = 0; i < bits.size(); ++i)
    bits[i] = Bits(static_cast<DataType>(i));
  return bits;
}();

}  // namespace

std::optional<int> BitsPerElement(DataType type) noexcept {
  const auto index = static_cast<std::size_t>(type);
  return index < kBits.size() ? kBits[index] : Bits(type);
}

std::size_t BytesPerElement(DataType type) noexcept {
  return static_cast<std::size_t>(BitsPerElement(type).value_or(0) + 7) / 8;
}

std::optional<std::size_t> PackedBytes(DataType type, std::size_t elements) noexcept {
  const auto bits = static_cast<std::size_t>(BitsPerElement(type).value_or(0));
  std::size_t total = 0;
  if (bits % 8 == 0) {
    if (__builtin_mul_overflow(elements, bits / 8, &total)) return std::nullopt;
    return total;
  }
  // At most 6 bits: eighths first, so that the product cannot overflow before the sum does.
  return elements / 8 * bits + (elements % 8 * bits + 7) / 8;
}

std::string_view DataTypeName(DataType type) noexcept {
  switch (type) {
    case DataType::kUndefined:
      return "undefined";
    case DataType::kFloat:
      return "float";
    case DataType::kFloat16:
      return "float16";
    case DataType::kInt8:
      return "int8";
    case DataType::kInt32:
      return "int32";
    case DataType::kUint8:
      return "uint8";
    case DataType::kInt16:
      return "int16";
    case DataType::kUint16:
      return "uint16";
    case DataType::kUint32:
      return "uint32";
    case DataType::kInt64:
      return "int64";
    case DataType::kUint64:
      return "uint64";
    case DataType::kDouble:
      return "double";
    case DataType::kBool:
      return "bool";
    case DataType::kString:
      return "string";
    case DataType::kComplex64:
      return "complex64";
    case DataType::kComplex128:
      return "complex128";
    case DataType::kBfloat16:
      return "bfloat16";
    case DataType::kInt4:
      return "int4";
    case DataType::kUint1:
      return "uint1";
    case DataType::kComplex32:
      return "complex32";
    case DataType::kHifloat8:
      return "hifloat8";
    case DataType::kFloat8E5m2:
      return "float8e5m2";
    case DataType::kFloat8E4m3fn:
      return "float8e4m3fn";
    case DataType::kFloat8E8m0:
      return "float8e8m0";
    case DataType::kFloat6E3m2:
      return "float6e3m2";
    case DataType::kFloat6E2m3:
      return "float6e2m3";
    case DataType::kFloat4E2m1:
      return "float4e2m1";
    case DataType::kFloat4E1m2:
      return "float4e1m2";
  }
  return "unknown type";
}

}  // namespace foothold
