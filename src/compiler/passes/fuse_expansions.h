// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Lets a depthwise convolution on blocks of channels compute the 1x1 convolution before it as it goes, so
// that what lies between them, several times as large as what it is made from, never leaves the caches.
#pragma once

#include "ir/graph.h"

namespace foothold {

bool FuseExpansions(Graph& graph);

}  // namespace foothold
