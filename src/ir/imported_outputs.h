// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the model a graph was imported from calls its outputs: an attribute of the graph, which goes with it
// into files. Written by importers, read where outputs are named for programs.
#pragma once

#include <string>
#include <vector>

#include "ir/graph.h"

namespace foothold {

// "node:port:name" for each output, as offline models name them.
inline constexpr const char* kImportedOutputs = "_imported_outputs";

// The text for one output, empty if the graph has none: it was not imported, or its outputs were exchanged.
std::string ImportedName(const Graph& graph, std::size_t output);

}  // namespace foothold
