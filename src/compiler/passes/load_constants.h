// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include "ir/graph.h"

namespace foothold {

bool IsLoaded(const Node& node);  // FileConstant, ConstPlaceHolder

// Turns FileConstant and ConstPlaceHolder of a graph and all graphs inside it into constants: the bytes of a
// file, or those at an address the program answers for. Nodes that come from files name no addresses, and
// only files below their own folder or below `weight_folder`. Throws kInvalidParam naming node and file. True
// if there was one.
bool LoadConstants(Graph& graph, const std::string& weight_folder);

}  // namespace foothold
