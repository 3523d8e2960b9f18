// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The passes between inference and lowering, in their order.
#pragma once

#include "ir/graph.h"

namespace foothold {

// All types are known and stay known. Every pass leaves a graph that computes the same outputs.
void RunPasses(Graph& graph);

}  // namespace foothold
