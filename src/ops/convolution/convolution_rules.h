// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the 2-D convolutions and their gradients share: from descriptors and attributes to the shape of the
// convolution. Used by rules; any thread.
#pragma once

#include <string_view>

#include "kernels/convolution_shape.h"
#include "ops/op.h"
#include "ops/window/window.h"

namespace foothold {

// A filter by meaning, whatever the order of its dimensions.
struct FilterDims {
  std::int64_t out, in, height, width;  // `in` is what one group reads
  FilterStrides strides;
};

// The attribute groups; at least 1.
std::int64_t GroupsAttribute(const OpContext& context);

// NCHW is [out, in, height, width], HWCN [height, width, in, out], NHWC [out, height, width, in]. With
// another format the layout of the data decides: in planes NCHW, with channels last HWCN, as TensorFlow has
// it.
FilterDims FilterDimsOf(const OpContext& context, const TensorType& type, bool channels_last,
                        std::string_view what);
// A filter of a depthwise convolution: HWCN is [height, width, channels, multiplier].
FilterDims DepthwiseFilterDimsOf(const OpContext& context, const TensorType& type, bool channels_last,
                                 std::int64_t channels);

// The convolution from `input` to its output with the node's strides, dilations, groups and paddings (pads,
// padding, auto_pad).
ConvolutionShape ShapeOfConvolution(const OpContext& context, const ImageDims& input,
                                    const FilterDims& filter, bool channels_last);
// The same when the output is given, as gradients do; refuses one the convolution does not have.
ConvolutionShape ShapeOfGradient(const OpContext& context, const ImageDims& input, const FilterDims& filter,
                                 const ImageDims& output, bool channels_last);

ImageDims OutputDims(const ConvolutionShape& shape);

// A bias must have one element for each channel. -1 if there is none.
int CheckedBias(const OpContext& context, std::int64_t channels);

}  // namespace foothold
