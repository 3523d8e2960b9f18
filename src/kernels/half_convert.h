// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Arrays of 16-bit floats to and from float, on several threads when they are long. Rounds to nearest, ties
// to even. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

enum class HalfKind { kFloat16, kBfloat16 };

void FloatsFromHalves(HalfKind kind, const std::uint16_t* from, float* to, std::size_t count);
void HalvesFromFloats(HalfKind kind, const float* from, std::uint16_t* to, std::size_t count);

}  // namespace foothold
