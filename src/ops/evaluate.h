// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Runs one node on its own: constants at compile time, operators whose data decide their shapes, tests.
// Any thread.
#pragma once

#include <vector>

#include "ir/node.h"
#include "ir/tensor_value.h"

namespace foothold {

// `inputs` by port, null where not connected. Sets the node's output types and returns its outputs in fresh
// memory. Throws what the rules throw; kFeatureUnsupported if the operator is not registered.
std::vector<TensorValue> EvaluateNode(Node& node, const std::vector<const TensorValue*>& inputs);

// The same for an operator whose data decide its shapes (OpDef::Evaluate); the node stays as it is, so
// several threads may run it at once.
std::vector<TensorValue> EvaluateByData(Node& node, const std::vector<const TensorValue*>& inputs);

}  // namespace foothold
