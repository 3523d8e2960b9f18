// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include "ir/graph.h"

namespace foothold {

// Makes GeluV2 of the products, sums and the Erf or Tanh that exporters write it with. The last of the nodes
// keeps its name. True if something was found.
bool FuseGelu(Graph& graph);

}  // namespace foothold
