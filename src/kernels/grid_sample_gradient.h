// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The gradients of GridSample, by the image and by the points. Any thread.
#pragma once

#include "kernels/grid_sample.h"

namespace foothold {

// `gradient` is like the result of GridSample, `x_gradient` like x, `grid_gradient` like the grid; one that
// is null is not computed.
void GridSampleGradient(const GridSampleShape& shape, const float* gradient, const float* x,
                        const float* grid, float* x_gradient, float* grid_gradient);
void GridSampleGradient(const GridSampleShape& shape, const double* gradient, const double* x,
                        const double* grid, double* x_gradient, double* grid_gradient);

}  // namespace foothold
