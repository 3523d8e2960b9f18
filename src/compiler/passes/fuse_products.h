// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include "ir/graph.h"

namespace foothold {

// Lets products of float matrices add a bias and a residual and apply the activation that follows. The
// product gets the name of the last node it takes over. True if something was fused.
bool FuseProducts(Graph& graph);

}  // namespace foothold
