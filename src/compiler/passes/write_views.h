// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include "ir/graph.h"

namespace foothold {

// A ViewCopy of what an element-wise node makes (OpDef::WritesViews): that node writes the elements where
// they belong, and the ViewCopy stays as the name of the memory that was written. True if it did.
bool FoldsWrite(const Graph& graph, Node& node);

}  // namespace foothold
