// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Floats to bytes by a scale that is found in them. Any thread; on several threads when that is worth it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold {

struct FloatRange {
  float low, high;
};
// Of no numbers: 0 to 0. The workspace is for what the threads find.
std::size_t RangeWorkspace(std::size_t count);
FloatRange RangeOfFloats(const float* from, std::size_t count, std::byte* workspace);

// round(x / scale) + zero, ties to even, from 0 to 255.
void QuantizeToBytes(const float* from, std::size_t count, float scale, float zero, std::uint8_t* to);

}  // namespace foothold
