// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Half precision as aclFloat16ToFloat and aclFloatToFloat16 define it: there are no infinities and no NaN.
// Exponent 31 is one more ordinary exponent (0x7C00 is 65536), and a float that does not fit becomes the
// largest finite IEEE half (65504) of its sign. Any thread.
#pragma once

#include <cstdint>

namespace foothold {

float SaturatingHalfToFloat(std::uint16_t half) noexcept;

// Rounds to nearest, ties to even, into subnormals too.
std::uint16_t SaturatingFloatToHalf(float value) noexcept;

}  // namespace foothold
