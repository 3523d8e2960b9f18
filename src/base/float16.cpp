// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/float16.h"

#include <bit>

namespace foothold {
namespace {

constexpr std::uint32_t kLargestHalf = 0x7BFF;
constexpr int kFractionBitsDropped = 23 - 10;
constexpr std::uint32_t kExponentShift = 127 - 15;  // between the two exponent biases
constexpr std::uint32_t kSmallestNormal = (kExponentShift + 1) << 23;
constexpr std::uint32_t kInfinity = 0xFFu << 23;

std::uint32_t ShiftRightToNearestEven(std::uint32_t value, int bits) {
  const std::uint32_t half = 1u << (bits - 1);
  const std::uint32_t odd = (value >> bits) & 1;
  return (value + half - 1 + odd) >> bits;
}

std::uint32_t SubnormalHalf(std::uint32_t magnitude) {
  const int exponent = static_cast<int>(magnitude >> 23);
  const int bits = kFractionBitsDropped + static_cast<int>(kExponentShift) + 1 - exponent;
  if (bits > 24) return 0;  // below half of the smallest subnormal
  return ShiftRightToNearestEven((magnitude & 0x7FFFFF) | 0x800000, bits);
}

}  // namespace

float SaturatingHalfToFloat(std::uint16_t half) noexcept {
  const std::uint32_t sign = (half & 0x8000u) << 16;
  const std::uint32_t exponent = (half >> 10) & 0x1F;
  const std::uint32_t fraction = half & 0x3FF;
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | (exponent + kExponentShift) << 23 | fraction << kFractionBitsDropped);
}

std::uint16_t SaturatingFloatToHalf(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16) & 0x8000;
  const std::uint32_t magnitude = bits & 0x7FFFFFFF;
  std::uint32_t half;
  if (magnitude >= kInfinity) {
    half = kLargestHalf;
  } else if (magnitude < kSmallestNormal) {
    half = SubnormalHalf(magnitude);
  } else {
    half = ShiftRightToNearestEven(magnitude - (kExponentShift << 23), kFractionBitsDropped);
  }
  return static_cast<std::uint16_t>(sign | (half < kLargestHalf ? half : kLargestHalf));
}

}  // namespace foothold
