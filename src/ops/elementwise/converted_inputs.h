// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators that mix types, where the loops do not: inputs are brought to the type of the result first.
#pragma once

#include <memory>

#include "ops/op.h"

namespace foothold {

// Whether an input has another type than output 0.
bool NeedsConversion(const OpContext& context);

// The kernel the operator has for inputs of the type of output 0, behind conversions into the workspace.
std::unique_ptr<Kernel> LowerConverted(const OpContext& context);

}  // namespace foothold
