// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Products of operands as they lie in memory: of two floating-point types, as views (ops/strided_view.h), or
// with x2 in the layout FRACTAL_NZ, which its attribute "_fractal_nz" says. Used while lowering; any thread.
#pragma once

#include "kernels/stored_product.h"
#include "ops/matrix/matmul_shape.h"

namespace foothold {

// The elements of a row of a fractal. The matrix [columns, depth] lies as [depth / n][columns][n] then.
constexpr const char* kFractalAttribute = "_fractal_nz";

// Of float, float16 or bfloat16.
FloatKind FloatKindOf(DataType type);

// The floating-point type of the product, as a number, where it is not that of the operands.
constexpr const char* kProductType = "_product_type";

bool IsFractal(const OpContext& context);

// For x1 and x2 of float, float16 or bfloat16. Refuses fractals that do not fit.
StoredProductPlan StoredPlanOf(const OpContext& context, MatMulShape shape);

}  // namespace foothold
