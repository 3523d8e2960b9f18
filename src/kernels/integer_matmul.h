// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Products of matrices of bytes with sums in int32, which wrap. Operands are widened to pairs of int16 first,
// so that no sum of products is rounded or saturates on the way. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/matmul.h"
#include "kernels/output_finish.h"

namespace foothold {

// Numbers of a packed operand.
std::size_t PackedIntegersLeft(const MatMulSize& size);
std::size_t PackedIntegersRight(const MatMulSize& size);

// `zeros`, if it is not null, has one number for each row of the left or each column of the right operand,
// `step` apart, that is taken from all its elements. For int8 and uint8.
template <typename T>
void PackIntegersLeft(const T* from, MatMulStrides strides, const MatMulSize& size, const T* zeros,
                      std::size_t step, std::int16_t* to);
template <typename T>
void PackIntegersRight(const T* from, MatMulStrides strides, const MatMulSize& size, const T* zeros,
                       std::size_t step, std::int16_t* to);

// out is dense; on several threads when that is worth it.
void MultiplyIntegers(const std::int16_t* left, const std::int16_t* right, const MatMulSize& size,
                      std::int32_t* out);

// Sums become floats: times a scale, plus the bias and residual of the finish, activated.
struct IntegerScaling {
  const float* scales = nullptr;
  std::size_t step = 0;  // 1: each column has its own, 0: there is one
  OutputFinish finish;   // the bias is one for each column
};
void MultiplyScaledIntegers(const std::int16_t* left, const std::int16_t* right, const MatMulSize& size,
                            const IntegerScaling& scaling, float* out);

}  // namespace foothold
