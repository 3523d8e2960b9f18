// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// BlockedConv2DTranspose: a transposed convolution without overlap on blocks of channels
// (kernels/blocked_widening.h). Programs do not make it, the pass that blocks channels does. Any thread.
#pragma once

#include <optional>

#include "kernels/blocked_widening.h"
#include "ops/op.h"

namespace foothold {

// The shape of a Conv2DTranspose that can run on blocks: floats in planes, a known filter and bias, a stride
// as large as the window, no padding and no groups.
std::optional<WideningShape> BlockableTransposed(const OpContext& context);

// Its data input and its output are the caller's to change.
void MakeBlockedConv2DTranspose(Node& node, const WideningShape& shape);

}  // namespace foothold
