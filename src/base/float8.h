// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Floating types of 8 bits, as the Open Compute Project defines them, to float. Any thread.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "base/half.h"

namespace foothold {

// Four bits of exponent, three of mantissa; no infinities, one NaN of each sign.
inline float FloatFromE4m3fn(std::uint8_t bits) noexcept {
  if ((bits & 0x7Fu) == 0x7Fu) return std::numeric_limits<float>::quiet_NaN();
  // Read as a float with that exponent and scale: right for subnormals too.
  const std::uint32_t magnitude = (bits & 0x7Fu) << 20, sign = (bits & 0x80u) << 24;
  const float scaled = std::bit_cast<float>(magnitude) * 0x1p120f;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | sign);
}

// The upper half of a float16.
inline float FloatFromE5m2(std::uint8_t bits) noexcept {
  Half half;
  half.bits = static_cast<std::uint16_t>(bits << 8);
  return static_cast<float>(half);
}

// A power of two, for scales.
inline float FloatFromE8m0(std::uint8_t bits) noexcept {
  if (bits == 0xFFu) return std::numeric_limits<float>::quiet_NaN();
  if (bits == 0) return 0x1p-127f;
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 23);
}

}  // namespace foothold
