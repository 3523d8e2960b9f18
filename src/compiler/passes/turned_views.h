// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Views that are walked through against the order of memory. Element by element, they are read faster when
// they have been turned before, square by square, so passes give them to nobody who would do the one without
// the other. One thread at a time, like the graph.
#pragma once

#include "ir/graph.h"
#include "ir/strided_view.h"

namespace foothold {

// Elements along the last dimension lie further apart than along another one.
bool IsTurned(const StridedView& view);

// Makes a copy before every element-wise node that reads such a view. True if there was one.
bool TurnBefore(Graph& graph);

}  // namespace foothold
