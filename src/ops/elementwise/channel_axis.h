// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where the channels of a tensor are, and vectors over them. For operators with one number per channel.
#pragma once

#include <string_view>

#include "ops/op.h"

namespace foothold {

// By the format of the tensor, by `data_format` where that is not one of its rank; -1 for a scalar. A matrix
// has its channels last.
int ChannelAxis(const TensorType& type, std::string_view data_format);

// The dimensions of `per_channel` (a scalar, [1] or [channels]) as it is repeated over `type`. Refuses
// another number of elements, naming `port`.
Dims OverChannels(const OpContext& context, const TensorType& type, int axis, int port);

}  // namespace foothold
