// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The graph inside an .om file. Weights are read where the file is mapped. Any thread.
#pragma once

#include <memory>

#include "ir/graph.h"
#include "model/om_file.h"

namespace foothold {

// The sections it stands in.
inline constexpr const char* kGraphSection = "graph";
inline constexpr const char* kWeightsSection = "weights";

// The constants of the graph keep the file. A file may come from anywhere: throws kParseModel for what does
// not fit together, and for nodes that would read other files or memory.
std::shared_ptr<Graph> ReadSavedGraph(const std::shared_ptr<const OmFile>& file);

}  // namespace foothold
