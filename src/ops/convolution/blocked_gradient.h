// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The gradients of convolutions on blocks of channels (kernels/channel_blocks.h): BlockedConv2DBackpropInput
// and BlockedConv2DBackpropFilter. Programs do not make them, the pass that blocks channels does. Any thread.
#pragma once

#include "ops/op.h"

namespace foothold {

// Whether a node can run so: floats in planes, one group, and for the input strides of 1, because then its
// gradient is a convolution of the output's.
bool HasBlockableInputGradient(const OpContext& context);
bool HasBlockableFilterGradient(const OpContext& context);

// Turn nodes found blockable into those on blocks; inputs and outputs are the caller's to change.
void MakeBlockedInputGradient(Node& node, std::int64_t channels);
void MakeBlockedFilterGradient(Node& node, std::int64_t channels);

}  // namespace foothold
