// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The window of a convolution or a pooling: how ONNX describes it, and how the Graph Engine wants it.
#pragma once

#include "onnx/node_import.h"

namespace foothold::onnx {

struct Window {
  Ints kernel, strides, dilations, begins, ends;  // one entry per spatial dimension
  // "SAME_UPPER" or "SAME_LOWER" where the size of the input, which decides the padding, is not known yet.
  std::string open_padding;

  std::size_t rank() const { return kernel.size(); }
  Ints Interleaved() const;  // begin, end, begin, end, ...
  Ints WithBatchAndChannel(const Ints& values, std::int64_t filler = 1) const;
  // A window over one dimension as one over two; the first has size 1.
  Window WithExtraDimension() const;
};

// Reads kernel_shape (else `kernel`), strides, dilations, pads and auto_pad. Refuses lists of the wrong
// length.
Window ReadWindow(const NodeImport& node, Ints kernel = {});

// The size of a spatial dimension of input 0; -1 if it is not known.
std::int64_t SizeOfInput(const NodeImport& node, const Window& window, std::size_t i);

// How SAME pads a dimension.
struct Padding {
  std::int64_t begin, end;
};
Padding SplitPadding(std::int64_t total, bool more_at_end);

// The names of layouts for tensors with that many spatial dimensions.
std::string ChannelsFirst(std::size_t spatial);

}  // namespace foothold::onnx
