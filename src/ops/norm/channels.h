// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where the channels of a tensor of any rank are. Used by the rules of normalisations; any thread.
#pragma once

#include <string_view>

#include "kernels/normalize.h"
#include "ops/op.h"

namespace foothold {

// The index of the dimension that is the channels: by the format of the tensor if it fits its rank, else by
// data_format ("NHWC" and "NDHWC": the last; another text: the second). A vector is all channels.
std::size_t ChannelAxis(const OpContext& context, const TensorType& type, std::string_view data_format);

ChannelLayout LayoutAround(const Dims& dims, std::size_t axis);
// The same for a tensor that may be in blocks of channels (NC1HWC0), of which there are `channels`. Refuses
// blocks that are not as large as those of kernels/channel_blocks.h.
bool IsInBlocks(const TensorType& type);
ChannelLayout LayoutInBlocks(const OpContext& context, const Dims& dims, std::int64_t channels);

// Refuses an input that has not one float for each channel. An input that is not connected is accepted.
void CheckChannels(const OpContext& context, std::string_view input, std::int64_t channels);

}  // namespace foothold
