// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The graph of one operator, for aclgrphGenerateForOp: a Data node for each input that is described. Any
// thread.
#pragma once

#include <vector>

#include "graph/graph.h"
#include "graph/tensor.h"

namespace foothold {

// Tensors come in the order of the ports; names pass over optional ports and say which list (x0, x1, ...) a
// tensor belongs to. An undefined element type is an optional input that is not there. Only outputs that are
// described are outputs of the graph. Throws kInvalidParam for an unknown type, and if there are more tensors
// than ports.
ge::Graph GraphForOp(const char* type, const std::vector<ge::TensorDesc>& inputs,
                     const std::vector<ge::TensorDesc>& outputs);

}  // namespace foothold
