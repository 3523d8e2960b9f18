// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Pixels from one picture to another, format by format: parts of the same size, both checked before. For
// transform. Any thread.
#pragma once

#include "media/transform.h"

namespace foothold::media {

void ConvertPart(const Picture& in, const Region& from, const Picture& out, const Region& to,
                 const ColorCoefficients& coefficients);

// One pixel, in double precision: Y U V to R G B or back; the fourth number is kept.
std::array<double, 4> ConvertValue(const std::array<double, 4>& value, ColorModel from, ColorModel to,
                                   const ColorCoefficients& coefficients);

}  // namespace foothold::media
