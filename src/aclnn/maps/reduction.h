// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How losses of many elements become one. One thread at a time.
#pragma once

#include <string>
#include <string_view>

#include "aclnn/call.h"

namespace foothold::aclnn {

// The parameter 'reduction': "none", "mean" or "sum".
std::string ReductionOf(Call& call);
void OutReduced(Call& call, std::string_view out, Value losses);
// What the gradient of each of so many losses is divided by.
double SharesOf(Call& call, const Dims& losses);

}  // namespace foothold::aclnn
