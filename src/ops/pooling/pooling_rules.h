// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the pooling operators and their gradients share: from descriptors and attributes to the shape of the
// pooling. Used by rules; any thread.
#pragma once

#include "kernels/pooling.h"
#include "ops/op.h"
#include "ops/window/window.h"

namespace foothold {

struct PoolingWay {
  PoolingMode mode;
  const char* padding;         // the attribute that names the padding
  const char* default_format;  // of data_format
};

// For an input of these dimensions, in planes, with channels last, or in blocks of channels (NC1HWC0).
// `count_padding` and `divisor` are those of the node.
PoolingShape ShapeOfPooling(const OpContext& context, const TensorType& input, const PoolingWay& way);
// The pooling of Caffe: window and stride are height and width; a last window that starts in the padding is
// not there; averages count the padding.
PoolingShape ShapeOfCaffePooling(const OpContext& context, const TensorType& input);
// Everything from the third dimension on is one window.
PoolingShape ShapeOfGlobalPooling(const OpContext& context, const TensorType& input, PoolingMode mode);

Dims OutputDims(const PoolingShape& shape);
// In blocks of channels if the input is.
Dims OutputDims(const PoolingShape& shape, const TensorType& input);

// Resolve; with the undeclared attribute last_starts_inside a last window that would start in the padding is
// not there, as PyTorch has it.
void ResolvePooling(const OpContext& context, WindowAxis& axis, PadMode mode, bool ceil,
                    std::string_view what);
// A resolved axis as the loops want it.
PoolingAxis ToPoolingAxis(const WindowAxis& axis);
// The attribute divisor_override; 0 if there is none.
std::size_t DivisorOverride(const OpContext& context);

}  // namespace foothold
