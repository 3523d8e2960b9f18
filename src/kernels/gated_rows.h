// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// swish(gate) * x on float, float16 or bfloat16, computed in float. Any thread.
#pragma once

#include <cstddef>

#include "kernels/element_convert.h"

namespace foothold {

// out[i] = gate[i] * sigmoid(gate[i]) * x[i]
void SwishGate(ElementType type, const std::byte* gate, const std::byte* x, std::byte* out,
               std::size_t count);

}  // namespace foothold
