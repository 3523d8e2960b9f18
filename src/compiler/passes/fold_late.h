// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include "ir/graph.h"

namespace foothold {

// Constants this node would make are computed after the passes that want to see what they are made of.
bool FoldsLate(const Node& node);

// Computes constants that inference has left to passes, and what follows from them. True if
// there was one.
bool FoldLate(Graph& graph);

}  // namespace foothold
