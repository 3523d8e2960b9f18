// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include "ir/graph.h"

namespace foothold {

// Makes convolutions of floats work on blocks of channels, and with them the pooling, sums, activations and
// concatenations between them; the layout changes only where such a region begins and ends. True if there was
// a convolution to change.
bool BlockChannels(Graph& graph);

}  // namespace foothold
