// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include "ir/graph.h"

namespace foothold {

// Lets the preparation of pictures (Aipp) write what the first convolution reads, so that they are passed
// over once. True if there was one to change.
bool FuseAipp(Graph& graph);

}  // namespace foothold
