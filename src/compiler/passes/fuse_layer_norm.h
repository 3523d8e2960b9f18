// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include "ir/graph.h"

namespace foothold {

// Makes LayerNorm of the means, differences and square root that exporters write it with, over the last
// dimension. The last of the nodes keeps its name. True if something was found.
bool FuseLayerNorm(Graph& graph);

}  // namespace foothold
