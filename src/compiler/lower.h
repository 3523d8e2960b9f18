// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The last step of compiling: kernels for the nodes, places for the values.
#pragma once

#include <memory>

#include "ir/graph.h"
#include "program/program.h"

namespace foothold {

// `graph` is normal and all its types are known. Throws one Error that lists every node without a kernel for
// its types.
std::shared_ptr<const Program> LowerGraph(Graph& graph);

}  // namespace foothold
