// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the outputs of an operator are going to be, without compiling or running it. Any thread.
#pragma once

#include <vector>

#include "ir/tensor_value.h"
#include "single_op/op_call.h"

namespace foothold {

struct InferredOutput {
  TensorType type;
  std::vector<Range> ranges;  // one for each dimension where the sizes of inputs are open; else empty
};

// By output of the call; the type of an absent one is undefined. `values` by input of the call: those that
// are known, others without bytes. Dimensions that the run decides are -1, or a single -2 where not even
// their number is known. Where inputs are open, the outputs are computed for the smallest and the largest
// inputs their ranges allow, and what differs is open. Throws what the operator has against its inputs.
std::vector<InferredOutput> InferOutputs(const OpCall& call, const std::vector<TensorValue>& values);

}  // namespace foothold
