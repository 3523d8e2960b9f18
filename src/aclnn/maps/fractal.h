// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Weights in the layout FRACTAL_NZ. A tensor of that format whose storage has less than four dimensions was
// written by aclnnTransMatmulWeight, which leaves weights as they are where whole fractals do not fit them
// (docs/decisions); with four or more, its storage is the layout with its filling.
#pragma once

#include "aclnn/mapping.h"

namespace foothold::aclnn {

// Elements of a row of a fractal; throws kFindKernel for a type that has none.
std::int64_t FractalWidth(const Call& call, DataType type);
// Whole fractals cover the matrix [rows, columns].
bool FitsFractals(const Call& call, DataType type, std::int64_t rows, std::int64_t columns);

// A matrix or a batch of them as it lies in memory: the last two dimensions the other way round where it is
// transposed.
struct StoredMatrix {
  Value value;
  bool transposed = false;
};
// In no layout of its own, for operators that know none: fractals are taken apart in every run.
StoredMatrix PlainMatrix(Call& call, std::string_view name, std::size_t index = 0);

// A matrix or a batch of them in that layout, as an operand of a product.
void AddFractal(Call& call, Op& product, const char* port, std::string_view name);

}  // namespace foothold::aclnn
