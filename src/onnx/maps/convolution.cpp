// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>

#include "onnx/mapping.h"
#include "onnx/maps/convolve.h"
#include "onnx/maps/shaping.h"

namespace foothold::onnx {
namespace {

Ints FilterSize(const NodeImport& node, int input) {
  const Dims dims = node.TypeOf(input).dims;
  return dims.size() > 2 ? Ints(dims.begin() + 2, dims.end()) : Ints();
}

void CheckRank(const NodeImport& node, const Window& window) {
  if (window.rank() > 3) node.Unsupported("{} spatial dimensions are not supported", window.rank());
}

void SetWindow(OpBuilder& op, const Window& window, std::int64_t groups) {
  op.Set("strides", window.WithBatchAndChannel(window.strides))
      .Set("pads", window.Interleaved())
      .Set("dilations", window.WithBatchAndChannel(window.dilations))
      .Set("groups", groups)
      .Set("data_format", ChannelsFirst(window.rank()));
  if (!window.open_padding.empty()) op.Set("auto_pad", window.open_padding);
}

}  // namespace

Window ConvolutionWindow(const NodeImport& node, int filter) {
  Window window = ReadWindow(node, FilterSize(node, filter));
  CheckRank(node, window);
  return window;
}

OutputRef Convolve(NodeImport& node, OutputRef x, OutputRef filter, OutputRef bias, const Window& window) {
  if (window.rank() == 1) {
    const OutputRef y = Convolve(node, UnsqueezeAxes(node, x, {2}), UnsqueezeAxes(node, filter, {2}), bias,
                                 window.WithExtraDimension());
    return SqueezeAxes(node, y, {2});
  }
  OpBuilder op = node.Op(window.rank() == 3 ? "Conv3D" : "Conv2D", {x, filter, bias});
  SetWindow(op, window, node.Int("group", 1));
  return op;
}

namespace {

void MapConv(NodeImport& node) {
  node.Out(0, Convolve(node, node.In(0), node.In(1), node.InOr(2), ConvolutionWindow(node, 1)));
}

// What a transposed convolution would give without padding, minus what is wanted, is padding.
void PadToShape(const NodeImport& node, Window& window, Ints& extra, const Ints& wanted) {
  const bool more_at_end = node.Text("auto_pad", "NOTSET") == "SAME_UPPER";
  for (std::size_t i = 0; i < window.rank(); ++i) {
    const std::int64_t size = SizeOfInput(node, window, i);
    if (size < 0)
      node.Unsupported(
          "the size of input 0 must be known to find its padding; give the shapes of the inputs");
    const std::int64_t reach = window.dilations[i] * (window.kernel[i] - 1) + 1;
    const std::int64_t target = wanted.empty() ? size * window.strides[i] : wanted[i];
    std::int64_t total = window.strides[i] * (size - 1) + extra[i] + reach - target;
    if (total < 0) {  // the output reaches further than the window
      extra[i] -= total;
      total = 0;
    }
    const Padding padding = SplitPadding(total, more_at_end);
    window.begins[i] = padding.begin;
    window.ends[i] = padding.end;
  }
}

OutputRef ConvolveTransposed(NodeImport& node, OutputRef x, OutputRef filter, OutputRef bias,
                             const Window& window, const Ints& extra) {
  if (window.rank() == 1) {
    const OutputRef y =
        ConvolveTransposed(node, UnsqueezeAxes(node, x, {2}), UnsqueezeAxes(node, filter, {2}), bias,
                           window.WithExtraDimension(), {0, extra[0]});
    return SqueezeAxes(node, y, {2});
  }
  const OutputRef any_size = node.builder().Ints(Ints(window.rank() + 2, 0));
  OpBuilder op =
      node.Op(window.rank() == 3 ? "Conv3DTranspose" : "Conv2DTranspose", {any_size, x, filter, bias});
  SetWindow(op, window, node.Int("group", 1));
  op.Set("output_padding", window.WithBatchAndChannel(extra, 0));
  return op;
}

void MapConvTranspose(NodeImport& node) {
  Window window = ConvolutionWindow(node, 1);
  window.open_padding.clear();
  Ints extra = node.IntList("output_padding", Ints(window.rank(), 0));
  Ints wanted = node.IntList("output_shape");
  if (wanted.size() == window.rank() + 2) wanted.erase(wanted.begin(), wanted.begin() + 2);
  const auto too_large = [](std::int64_t value) { return value < 0 || value > (std::int64_t{1} << 40); };
  if (std::any_of(extra.begin(), extra.end(), too_large) ||
      std::any_of(wanted.begin(), wanted.end(), too_large))
    node.Unsupported("output_padding or output_shape have entries that cannot be");
  if (extra.size() != window.rank() || (!wanted.empty() && wanted.size() != window.rank()))
    node.Unsupported("output_padding or output_shape do not have {} entries", window.rank());
  const std::string mode = node.Text("auto_pad", "NOTSET");
  if (!wanted.empty() || mode == "SAME_UPPER" || mode == "SAME_LOWER")
    PadToShape(node, window, extra, wanted);
  node.Out(0, ConvolveTransposed(node, node.In(0), node.In(1), node.InOr(2), window, extra));
}

const RegisterMapping conv("Conv", MapConv);
const RegisterMapping conv_transpose("ConvTranspose", MapConvTranspose);

}  // namespace
}  // namespace foothold::onnx
