// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Elements of collectives and what can be done with two of them. The numbers are those of HcclDataType and
// HcclReduceOp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold::collectives {

enum class Element : std::uint8_t {
  kInt8 = 0,
  kInt16 = 1,
  kInt32 = 2,
  kFloat16 = 3,
  kFloat32 = 4,
  kInt64 = 5,
  kUint64 = 6,
  kUint8 = 7,
  kUint16 = 8,
  kUint32 = 9,
  kFloat64 = 10,
  kBfloat16 = 11,
  kInt128 = 12,
  kHifloat8 = 14,
  kFloat8E4m3 = 15,
  kFloat8E5m2 = 16,
  kFloat8E8m0 = 17,
};

enum class Reduction : std::uint8_t { kSum = 0, kProduct = 1, kMaximum = 2, kMinimum = 3 };

std::size_t SizeOf(Element element) noexcept;  // 0 for a number that is none
const char* NameOf(Element element) noexcept;
const char* NameOf(Reduction reduction) noexcept;  // null for a number that is none
// The others are only moved.
bool CanBeReduced(Element element) noexcept;

}  // namespace foothold::collectives
