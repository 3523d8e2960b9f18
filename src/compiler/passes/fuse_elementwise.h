// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include "ir/graph.h"

namespace foothold {

// Makes one ElementChain of element-wise nodes that feed each other floats or truth values of one shape,
// where nobody else reads what goes between them. The last of them stays in the graph under its name, and
// may have a result of another type. True if something was fused.
bool FuseElementwise(Graph& graph);

}  // namespace foothold
