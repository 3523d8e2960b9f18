// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The transforms of tiles that integer_winograd.h goes through. Places and strides count what stands for
// floats there: pairs of int16, and int32 for products. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/integer_finish.h"
#include "kernels/winograd_transform.h"

namespace foothold {

// `plane` is the block of the input, pairs of int16; so is what it becomes.
void TransformIntegerInput(const WinogradTiles& tiles, const float* plane, float* transformed);
// `plane` is the block of the output, the finish and the bias, or null, those of its two blocks of products,
// or of one if there is no second.
void TransformIntegerOutput(const WinogradTiles& tiles, const float* products, bool second,
                            const std::int32_t* bias, const IntegerFinish& finish, std::int16_t* plane);

}  // namespace foothold
