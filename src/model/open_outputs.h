// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The shapes of outputs of a graph whose inputs have open dimensions, as far as they can be told without
// them. For the description of models. Any thread.
#pragma once

#include <vector>

#include "options/input_shapes.h"

namespace foothold {

// Two shapes: what they have in common. Where they differ a dimension is open, or their number is.
Dims CommonDims(const Dims& a, const Dims& b);

// By output of the normal graph; an unknown rank where nothing can be said. Types are inferred for some sizes
// of the open dimensions: a dimension that is the same for all of them is taken to be so for others.
std::vector<Dims> OpenOutputs(const Graph& graph, const InputShapes& shapes);

}  // namespace foothold
