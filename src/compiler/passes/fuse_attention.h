// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#pragma once

#include "ir/graph.h"

namespace foothold {

// Makes HeadAttention (ops/attention/head_attention.h) of the product of queries and keys, the softmax of it
// and the product with the values, with the scale, the shift and the mask in between, and reads the operands
// where transpositions and splits before it got them from. The last of the nodes keeps its name. True if
// something was found.
bool FuseAttention(Graph& graph);

}  // namespace foothold
