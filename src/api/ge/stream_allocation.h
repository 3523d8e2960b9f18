// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The public summary of streams, made from a compiled graph. Any thread.
#pragma once

#include <memory>

#include "ge/ge_graph_compile_summary.h"
#include "ir/graph.h"

namespace foothold {

// The nodes in it are copies: the program may change them.
std::shared_ptr<ge::StreamAllocationSummary> SummarizeStreams(const Graph& graph);

}  // namespace foothold
