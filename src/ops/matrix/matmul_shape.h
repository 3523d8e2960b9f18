// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a (batched) product of two tensors multiplies: sizes, strides, and which matrices meet. Used by the
// rules of the matrix operators; any thread.
#pragma once

#include <vector>

#include "kernels/matmul.h"
#include "ops/op.h"

namespace foothold {

struct MatMulShape {
  MatMulSize size;
  MatMulStrides left, right;
  std::vector<std::size_t> left_of, right_of;  // by matrix of the output
  std::size_t left_matrices = 1, right_matrices = 1;
  Dims out;
  std::vector<std::size_t> left_at = {}, right_at = {};  // where those matrices begin, in elements
  bool dense = true;                                     // elements lie one after the other
  bool in_a_row = true;  // so do matrices, by rows or by columns: left_of and right_of say where they are
};

// numpy.matmul: the last two dimensions are multiplied, those before broadcast, and a vector on either side
// gets a dimension that is dropped from the result. A vector is not transposed. Refuses what does not fit.
MatMulShape MatMulShapeOf(const OpContext& context, int left, bool left_transposed, int right,
                          bool right_transposed);
// The same for operands that may be views (ops/strided_view.h): unless they lie in a row, only left_at and
// right_at say where matrices are.
MatMulShape ViewedShapeOf(const OpContext& context, int left, bool left_transposed, int right,
                          bool right_transposed);

// One right matrix for all: the matrices on the left become one, if they lie as such a matrix would.
void MergeRows(MatMulShape& shape);
// The same by left_at and right_at alone, also for groups of matrices that share one on the right.
void MergeViewedRows(MatMulShape& shape);

// The type of products of `type`: int8 is summed in int32.
DataType ProductType(DataType type);

}  // namespace foothold
