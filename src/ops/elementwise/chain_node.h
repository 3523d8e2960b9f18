// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The operator ElementChain: several element-wise nodes as one. Programs do not make it; fusing does. Its
// inputs are the operands of its formula, in order; its attributes hold the rest, so that it is printed,
// copied and stored as any node is.
#pragma once

#include "ir/node.h"
#include "ops/elementwise/element_step.h"

namespace foothold {

// What a chain keeps on its stack stays in the cache up to here.
constexpr std::size_t kMaxFusedValues = 48;

// Makes a node without inputs and with one output an ElementChain; the caller connects the inputs this adds.
// `formula` has one result and its operands have the ports 0, 1, ...
void MakeChain(Node& node, const ElementFormula& formula);

}  // namespace foothold
