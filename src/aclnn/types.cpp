// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/types.h"

#include <fmt/format.h>

#include "aclnn/aclnn_codes.h"
#include "base/error.h"
#include "base/format_names.h"

namespace foothold::aclnn {
namespace {

bool IsWideUnsigned(DataType type) {
  return type == DataType::kUint16 || type == DataType::kUint32 || type == DataType::kUint64;
}

int FloatRank(DataType type) {
  return type == DataType::kDouble ? 3 : type == DataType::kFloat ? 2 : 1;
}

DataType PromoteFloats(DataType a, DataType b) {
  if (FloatRank(a) == FloatRank(b)) return DataType::kFloat;  // float16 with bfloat16
  return FloatRank(a) > FloatRank(b) ? a : b;
}

DataType PromoteComplex(DataType a, DataType b) {
  const auto wide = [](DataType type) { return type == DataType::kComplex128 || type == DataType::kDouble; };
  return wide(a) || wide(b) ? DataType::kComplex128 : DataType::kComplex64;
}

// Of signed ones and uint8.
DataType PromoteIntegers(DataType a, DataType b) {
  const auto bits = [](DataType type) { return BitsPerElement(type).value_or(0); };
  if (a == DataType::kUint8 && b == DataType::kInt8) return DataType::kInt16;
  if (b == DataType::kUint8 && a == DataType::kInt8) return DataType::kInt16;
  return bits(a) >= bits(b) ? a : b;
}

}  // namespace

bool IsFloat(DataType type) {
  return IsHalf(type) || type == DataType::kFloat || type == DataType::kDouble;
}

bool IsHalf(DataType type) {
  return type == DataType::kFloat16 || type == DataType::kBfloat16;
}

bool IsInteger(DataType type) {
  switch (type) {
    case DataType::kInt8:
    case DataType::kUint8:
    case DataType::kInt16:
    case DataType::kUint16:
    case DataType::kInt32:
    case DataType::kUint32:
    case DataType::kInt64:
    case DataType::kUint64:
      return true;
    default:
      return false;
  }
}

bool IsComplex(DataType type) {
  return type == DataType::kComplex64 || type == DataType::kComplex128 || type == DataType::kComplex32;
}

DataType Promote(DataType a, DataType b) {
  if (a == b) return a;
  if (a == DataType::kBool) return b;
  if (b == DataType::kBool) return a;
  const bool known =
      (IsFloat(a) || IsInteger(a) || IsComplex(a)) && (IsFloat(b) || IsInteger(b) || IsComplex(b));
  if (!known || IsWideUnsigned(a) || IsWideUnsigned(b))
    Fail(kParamInvalid, "types {} and {} do not go together", DataTypeName(a), DataTypeName(b));
  if (IsComplex(a) || IsComplex(b)) return PromoteComplex(a, b);
  if (IsFloat(a) && IsFloat(b)) return PromoteFloats(a, b);
  if (IsFloat(a) || IsFloat(b)) return IsFloat(a) ? a : b;
  return PromoteIntegers(a, b);
}

DataType PromoteWithScalar(DataType tensor, DataType scalar) {
  const auto kind = [](DataType type) {
    return IsComplex(type) ? 3 : IsFloat(type) ? 2 : type == DataType::kBool ? 0 : 1;
  };
  if (kind(scalar) <= kind(tensor)) return tensor;
  if (IsComplex(scalar)) return tensor == DataType::kDouble ? DataType::kComplex128 : DataType::kComplex64;
  return IsFloat(scalar) ? DataType::kFloat : scalar;
}

DataType ComputeType(DataType type) {
  return IsHalf(type) ? DataType::kFloat : type;
}

DataType FloatOf(DataType type) {
  return IsFloat(type) || IsComplex(type) ? type : DataType::kFloat;
}

bool Converts(DataType from, DataType to) {
  if (from == to) return true;
  if (to == DataType::kBool) return false;
  return IsComplex(to) || !IsComplex(from);
}

bool IsPrivateLayout(Format format) {
  switch (format) {
    case Format::kNc1hwc0:
    case Format::kFractalZ:
    case Format::kNc1hwc0C04:
    case Format::kFractalNz:
    case Format::kNdc1hwc0:
    case Format::kFractalZ3d:
    case Format::kFractalNzC016:
    case Format::kFractalNzC032:
    case Format::kFractalNzC02:
    case Format::kFractalNzC04:
    case Format::kFractalNzC08:
      return true;
    default:
      return false;
  }
}

std::string FormatText(Format format) {
  const auto names = FormatNames();
  const auto number = static_cast<std::size_t>(format);
  return number < names.size() ? names[number] : fmt::format("{}", static_cast<int>(format));
}

}  // namespace foothold::aclnn
