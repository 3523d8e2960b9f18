// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The element types a tensor may have, under the numbers of the public API (aclDataType);
// api/codes/tensor_enums_check.cpp holds them equal to the headers. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace foothold {

enum class DataType : int {
  kUndefined = -1,
  kFloat = 0,
  kFloat16 = 1,
  kInt8 = 2,
  kInt32 = 3,
  kUint8 = 4,
  kInt16 = 6,
  kUint16 = 7,
  kUint32 = 8,
  kInt64 = 9,
  kUint64 = 10,
  kDouble = 11,
  kBool = 12,
  kString = 13,
  kComplex64 = 16,
  kComplex128 = 17,
  kBfloat16 = 27,
  kInt4 = 29,
  kUint1 = 30,
  kComplex32 = 33,
  kHifloat8 = 34,
  kFloat8E5m2 = 35,
  kFloat8E4m3fn = 36,
  kFloat8E8m0 = 37,
  kFloat6E3m2 = 38,
  kFloat6E2m3 = 39,
  kFloat4E2m1 = 40,
  kFloat4E1m2 = 41,
};

// Bits of one element; 0 for strings and the undefined type, nothing for a number that is no type.
std::optional<int> BitsPerElement(DataType type) noexcept;

// Whole bytes of one element: types narrower than a byte count as one, so that elements times size is always
// enough room. 0 where BitsPerElement has no answer.
std::size_t BytesPerElement(DataType type) noexcept;

// Bytes of `elements` packed elements; nothing if that number does not fit.
std::optional<std::size_t> PackedBytes(DataType type, std::size_t elements) noexcept;

// "float", "int32" ...; "type <number>" has no place here, so an unknown number is "unknown type".
std::string_view DataTypeName(DataType type) noexcept;

}  // namespace foothold
