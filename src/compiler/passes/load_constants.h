// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include "ir/graph.h"

namespace foothold {

bool IsLoaded(const Node& node);  // FileConstant, ConstPlaceHolder

// Turns FileConstant and ConstPlaceHolder into constants: the bytes of a file, or those at an address the
// program answers for; addresses that come from files are refused. Throws kInvalidParam naming node and file.
// True if there was one.
bool LoadConstants(Graph& graph);

}  // namespace foothold
