// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// BlockedConv2D: a convolution on blocks of channels (kernels/channel_blocks.h) that adds a residual and
// applies an activation; BlockChannels and UnblockChannels lead there and back. Programs do not make them,
// the pass that blocks channels does. Tensors in blocks have the format NC1HWC0. Any thread.
#pragma once

#include <optional>
#include <string>

#include "kernels/blocked_convolution.h"
#include "kernels/convolution_shape.h"
#include "ops/op.h"

namespace foothold {

// The shape of a Conv2D that can run on blocks: floats in planes, a filter and a bias that are known, or a
// filter that is worth packing in every run.
std::optional<ConvolutionShape> BlockableConvolution(const OpContext& context);

// A convolution on blocks, and where the elements of its filter lie.
struct BlockedConvolution {
  ConvolutionShape shape;
  FilterStrides filter;
};
// Of a BlockedConv2D; refuses what does not fit together.
BlockedConvolution BlockedConvolutionOf(const OpContext& context);
// How a plan of it is named where its filter is packed.
std::string WayOf(const BlockedConvolutionPlan& plan);

// An image [N, C, H, W] in blocks of `lanes` channels.
TensorType BlockedType(const TensorType& planes, std::size_t lanes);
bool IsBlocked(const TensorType& type);
// Refuses x unless it has so many channels, in blocks of `lanes` or, if they are fewer, in one block of a
// multiple of `unit`. Files may hold the operators of passes, with anything in them.
void CheckBlocks(const OpContext& context, std::int64_t channels, std::size_t lanes, std::int64_t unit);

// The zeros around the input that the windows reach: top, bottom, left, right.
std::vector<std::int64_t> PadsOf(const ConvolutionShape& shape);
// Turns a Conv2D whose shape was found blockable into a BlockedConv2D; its data input and its output are the
// caller's to change. `padded`: the data input has these zeros.
void MakeBlockedConv2D(Node& node, const ConvolutionShape& shape, bool padded);

}  // namespace foothold
