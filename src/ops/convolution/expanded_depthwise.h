// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// BlockedExpandedDepthwise: a 1x1 BlockedConv2D and the depthwise one that alone reads it, in one node
// (kernels/expanded_depthwise.h). Programs do not make it, a pass does. The ports and attributes of the
// depthwise layer have their names, those of the 1x1 layer begin with "expansion_". Any thread.
#pragma once

#include "ops/op.h"

namespace foothold {

// Both are BlockedConv2D, and all their filters and biases are known.
bool IsExpandedDepthwise(const OpContext& expansion, const OpContext& depthwise);

// Makes `depthwise` both of them. `expansion` is left to the caller, who has found that nobody else reads it.
void MakeExpandedDepthwise(const Node& expansion, Node& depthwise);

}  // namespace foothold
