// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include "ir/graph.h"

namespace foothold {

// Lets convolutions on blocks of channels add a residual and apply the activation that follows. The
// convolution gets the name of the last node it takes over. True if something was fused.
bool FuseConvolutions(Graph& graph);

}  // namespace foothold
