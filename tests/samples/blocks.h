// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What plain references have in common: shapes that meet, lines along dimensions.
#pragma once

#include <functional>
#include <vector>

#include "samples/sample.h"

namespace samples {

// The dimensions tensors have when they are repeated to fit.
Dims Met(const Dims& a, const Dims& b);
// Of the inputs, repeated to fit.
Block ElementByElement(const Given& in, const std::function<double(const double*)>& function);
// `function` of the elements whose coordinates differ in these dimensions alone (all, if none is named;
// negative ones count from the end), which have size 1 in the result, or are gone.
Block Reduced(const Block& x, const std::vector<double>& axes, bool keep,
              const std::function<double(const Values&)>& function);
// Each line along a dimension becomes another, of any one length.
Block AlongAxis(const Block& x, double axis, const std::function<Values(const Values&)>& function);
// What losses become by the number of a reduction: 0 none, 1 mean, 2 sum.
Block OfLosses(const Block& losses, double reduction);

}  // namespace samples
