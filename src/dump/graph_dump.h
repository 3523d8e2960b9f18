// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Snapshots of a graph while it is compiled, written to files when DUMP_GE_GRAPH asks for them. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "ir/graph.h"

namespace foothold {

// The stages, in order.
inline constexpr std::string_view kBeginStage = "PreRunBegin";
inline constexpr std::string_view kPreparedStage = "PreRunAfterPrepare";
inline constexpr std::string_view kInferredStage = "AfterInfershape";
inline constexpr std::string_view kBuiltStage = "Build";

// Nothing happens unless the environment asks for this stage; a file that cannot be written is a warning.
void DumpStage(const Graph& graph, std::string_view stage, int device);

// Whether DUMP_GRAPH_LEVEL, given as `level`, asks for a stage: 1 and 2 all of them, 3 the last, 4 the first,
// or parts of names between bars.
bool IsStageWanted(std::string_view level, std::string_view stage);

}  // namespace foothold
