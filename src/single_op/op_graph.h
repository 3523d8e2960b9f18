// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The graph of one operator: its node, a Data node for each tensor that comes with the run, a constant for
// each that does not. Any thread.
#pragma once

#include <memory>

#include "ir/graph.h"
#include "single_op/op_call.h"

namespace foothold {

// Throws kOpNotFound for a type nobody has described, kFeatureUnsupported for one that runs graphs of its
// own, and what the description of tensors and attributes says against them.
const Prototype& PrototypeOf(const OpCall& call);
std::shared_ptr<Graph> MakeOpGraph(const OpCall& call);

}  // namespace foothold
