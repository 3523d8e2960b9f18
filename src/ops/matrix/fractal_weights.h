// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Matrices [rows, columns] in the layout FRACTAL_NZ and back: the rules of TransData for it. A row is cut
// into pieces of 32 bytes, so many elements being `width`; the tensor is [..., columns / width, rows / 16,
// 16, width], and zeros fill up the last pieces and rows. Used by rules; any thread.
#pragma once

#include <memory>

#include "ops/op.h"

namespace foothold {

// Between FRACTAL_NZ and ND.
bool IsFractalChange(const OpContext& context);

// To ND, the dimensions that the program gives the output say what is not filling; without, all is.
void InferFractalChange(OpContext& context);
// With the attribute "_in_place", output and input may be the same memory.
std::unique_ptr<Kernel> LowerFractalChange(OpContext& context);

}  // namespace foothold
