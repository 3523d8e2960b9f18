// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Between the element types of memory and the floats that element functions work on. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

enum class ElementType : std::uint8_t { kFloat, kFloat16, kBfloat16, kBool, kInt8, kUint8, kInt32 };

std::size_t SizeOf(ElementType type);

// to[i] = the element at `from` + i * stride elements. A stride of 0 repeats one element.
void LoadFloats(ElementType type, const std::byte* from, std::int64_t stride, float* to, std::size_t count);

// Packed. 16-bit floats round to nearest, ties to even; truth is what is not 0; integers cut the fraction off
// and saturate, and a NaN gives 0.
void StoreFloats(ElementType type, const float* from, std::byte* to, std::size_t count);

}  // namespace foothold
