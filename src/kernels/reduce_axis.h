// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Reduces one axis of a tensor of floating-point numbers: the loops behind ReduceSum and its relatives. Any
// thread.
#pragma once

#include <cstddef>

namespace foothold {

enum class Reduction { kSum, kSumOfMagnitudes, kSumOfSquares, kProduct, kMax, kMin };
enum class FloatStorage { kFloat, kFloat16, kBfloat16 };

// A dense tensor [outer, length, inner], of which `length` goes away.
struct ReducedShape {
  std::size_t outer = 1;
  std::size_t length = 1;
  std::size_t inner = 1;
};

// y is [outer, inner] in float whatever x is stored as. Sums and products of blocks are joined in double, so
// that the error does not grow with the length. A NaN makes a NaN, also of extremes. Nothing summed is 0,
// nothing multiplied 1; the extreme of nothing is infinite.
void ReduceAxis(const void* x, FloatStorage storage, ReducedShape shape, Reduction reduction, float* y);

// log(sum(exp(x))) of every row, without overflow.
void LogSumExpRows(const void* x, FloatStorage storage, std::size_t rows, std::size_t length, float* y);

}  // namespace foothold
