// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How numbers that are computed in float are stored. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace foothold {

enum class FloatKind : std::uint8_t { kFloat, kFloat16, kBfloat16 };

template <FloatKind kKind>
using StoredAs = std::conditional_t<kKind == FloatKind::kFloat, float, std::uint16_t>;

inline std::size_t BytesOf(FloatKind kind) {
  return kind == FloatKind::kFloat ? sizeof(float) : sizeof(std::uint16_t);
}

}  // namespace foothold
