// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A dense matrix as a product of others. Matrices lie column by column. Any thread; nothing is allocated.
#pragma once

#include <cstddef>

namespace foothold {

// a [rows, columns] becomes R above the diagonal and on it, and what makes Q below it; `scales` has room for
// min(rows, columns). Signs are those of reflections that turn columns away from themselves.
void ReflectColumns(double* a, std::size_t rows, std::size_t columns, double* scales);
// q [rows, width], the first `width` columns of Q of what ReflectColumns left.
void UnfoldReflections(const double* a, std::size_t rows, std::size_t columns, const double* scales,
                       double* q, std::size_t width);

// a [n, n] becomes U S, v [n, n] is V, with A = U S V^T: columns of a are orthogonal then, in no order.
void OrthogonalizeColumns(double* a, std::size_t n, double* v);
// Columns of u [rows, n] become as long as 1; `lengths` is what they were. Those of length 0 become some that
// are orthogonal to all others.
void NormalizeColumns(double* u, std::size_t rows, std::size_t n, double* lengths);

// The lower triangle of a [n, n] becomes L with A = L L^T; false: there is none.
bool SplitSymmetric(double* a, std::size_t n);

// inverse [n, n] of a, which is lost. Where a has none, infinities and NaN.
void Invert(double* a, std::size_t n, double* inverse);

}  // namespace foothold
