// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include "ir/graph.h"

namespace foothold {

// Lets products of bytes whose sums are scaled to floats do that on their way: sums that are cast and
// multiplied, as dynamic quantisation has it, and products of dequantised operands. True if there was one.
bool ScaleIntegerProducts(Graph& graph);

}  // namespace foothold
