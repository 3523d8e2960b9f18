// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include "ir/graph.h"

namespace foothold {

// Nodes that read or write views (OpDef::ReadsViews, OpDef::WritesViews) take over what only moves elements
// before and behind them: transpositions, slices, repetitions, gathers and scatters by strides. A part that
// lies in one piece is read by any node where it is. The last pass: views are known to lowering alone. True
// if something was folded.
bool FoldViews(Graph& graph);

}  // namespace foothold
