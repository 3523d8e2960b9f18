// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// From the data type of a tensor to the C++ type of its elements, for rules that choose a loop. Any thread.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "base/data_type.h"
#include "base/half.h"

namespace foothold {

template <typename T>
struct ElementTag {
  using Type = T;
};

// Calls visit(ElementTag<T>) for the C++ type of `type`, or otherwise() for a type that is not among them:
// bool is bool; 16-bit floats are Half and Bfloat16.
template <typename Visit, typename Otherwise>
auto VisitType(DataType type, Visit&& visit, Otherwise&& otherwise) {
  switch (type) {
    case DataType::kFloat:
      return visit(ElementTag<float>());
    case DataType::kDouble:
      return visit(ElementTag<double>());
    case DataType::kFloat16:
      return visit(ElementTag<Half>());
    case DataType::kBfloat16:
      return visit(ElementTag<Bfloat16>());
    case DataType::kInt8:
      return visit(ElementTag<std::int8_t>());
    case DataType::kUint8:
      return visit(ElementTag<std::uint8_t>());
    case DataType::kInt16:
      return visit(ElementTag<std::int16_t>());
    case DataType::kUint16:
      return visit(ElementTag<std::uint16_t>());
    case DataType::kInt32:
      return visit(ElementTag<std::int32_t>());
    case DataType::kUint32:
      return visit(ElementTag<std::uint32_t>());
    case DataType::kInt64:
      return visit(ElementTag<std::int64_t>());
    case DataType::kUint64:
      return visit(ElementTag<std::uint64_t>());
    case DataType::kBool:
      return visit(ElementTag<bool>());
    default:
      return otherwise();
  }
}

// 16-bit floats are computed in float, everything else in its own type.
template <typename T>
inline constexpr bool kIsHalf = std::is_same_v<T, Half> || std::is_same_v<T, Bfloat16>;
template <typename T>
using Computed = std::conditional_t<kIsHalf<T>, float, T>;
template <typename T>
inline constexpr bool kIsFloating = std::is_floating_point_v<T> || kIsHalf<T>;

}  // namespace foothold
