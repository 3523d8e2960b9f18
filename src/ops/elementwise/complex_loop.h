// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Element-wise loops for complex numbers, by the operator whose meaning they have. Any thread.
#pragma once

#include <string_view>

#include "ops/elementwise/plain_loop.h"

namespace foothold {

// None where the operator means nothing for complex numbers, or `type` is not of them. Parameters are those
// of the operator's loop over real numbers.
PlainLoop ComplexLoop(std::string_view op, DataType type);

}  // namespace foothold
