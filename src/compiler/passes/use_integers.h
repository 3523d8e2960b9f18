// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include "ir/graph.h"

namespace foothold {

// Finds images that are dequantised, convolved, added, pooled or averaged and quantised again, and lets
// operators on integers do that, on blocks of channels. Sums of products are exact then, and each result is
// rounded once. True if something was found.
bool UseIntegers(Graph& graph);

}  // namespace foothold
