// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// From graphs of the program to bytes of models, for the functions of ge/ge_ir_build.h and sessions.
#pragma once

#include <cstddef>
#include <vector>

#include "ge/ge_ir_build.h"
#include "ir/graph.h"
#include "options/options.h"

namespace foothold {

// Throws what is wrong with the graph or an option.
std::vector<std::byte> BuildModelBytes(const Graph& graph, const OptionMap& options);
// The bytes are not copied.
ge::ModelBufferData ToBuffer(std::vector<std::byte> bytes);

}  // namespace foothold
