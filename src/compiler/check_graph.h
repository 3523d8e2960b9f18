// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Graphs come from files, too, and those may say anything. Rules and kernels use the ports that the prototype
// of their operator declares without asking for them: here is where it is found out whether a node has them.
#pragma once

#include "ir/graph.h"

namespace foothold {

// Throws kInvalidParam, listing what is wrong: beside what Graph::Validate finds, nodes with fewer outputs
// than their operators, without a required input or that read outputs no operator has, and operators that
// only passes make. Other operators without a prototype look for themselves.
void CheckGraph(const Graph& graph);

}  // namespace foothold
