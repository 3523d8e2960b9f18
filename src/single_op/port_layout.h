// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Which tensor of a call belongs to which port of the operator. Tensors come in the order of the ports; a
// name (aclSetTensorDescName) passes over optional ports, and where an operator has several lists of tensors
// the names (x0, x1 ...) or aclSetTensorDynamicInput say which list each belongs to. Any thread.
#pragma once

#include <string>
#include <vector>

#include "prototypes/prototype.h"
#include "single_op/op_call.h"

namespace foothold {

struct PortSlot {
  std::string name;
  std::string group;
  PortKind kind = PortKind::kRequired;
  int tensor = -1;  // of the call; -1: none
};

// One slot for each port, instances of lists included. Throws kOpInputNotMatch or kOpOutputNotMatch if there
// are more tensors than ports, or lists that cannot be told apart.
std::vector<PortSlot> LayOutInputs(const Prototype& prototype, const TensorDescList& tensors);
std::vector<PortSlot> LayOutOutputs(const Prototype& prototype, const TensorDescList& tensors);

}  // namespace foothold
