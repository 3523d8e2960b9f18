// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The kernel of operators that resize along some axes, one after the other, whatever the element types of
// input and output. Used while lowering; any thread.
#pragma once

#include <memory>
#include <vector>

#include "kernels/resample.h"
#include "ops/op.h"

namespace foothold {

// How one axis is resized. Results in `outside` become `fill` whatever the other axes say.
struct AxisResize {
  std::size_t axis;
  Taps taps;
  std::vector<std::size_t> outside;
};

// The taps of the gradient: what each of `in` elements gave to which results.
Taps Transposed(const Taps& taps, std::size_t in);

// Input 0 into output 0, whose dimensions follow from the taps. Integers are rounded to the nearest, ties to
// even, and limited to their type. Unsupported for types that are no numbers.
std::unique_ptr<Kernel> LowerResample(const OpContext& context, std::vector<AxisResize> axes,
                                      double fill = 0.0);

}  // namespace foothold
