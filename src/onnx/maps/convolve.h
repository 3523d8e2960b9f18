// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A convolution over one to three dimensions, for Conv and its quantised forms. One thread at a time.
#pragma once

#include "onnx/maps/window.h"

namespace foothold::onnx {

// The window of a node whose filter is input `filter`. Refuses more than three dimensions.
Window ConvolutionWindow(const NodeImport& node, int filter);

// `bias` may be nothing. Reads the attribute 'group'.
OutputRef Convolve(NodeImport& node, OutputRef x, OutputRef filter, OutputRef bias, const Window& window);

}  // namespace foothold::onnx
