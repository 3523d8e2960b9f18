// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>

#include "onnx/mapping.h"
#include "onnx/maps/shaping.h"
#include "onnx/maps/window.h"

namespace foothold::onnx {
namespace {

// Pooling of the Graph Engine has no SAME_LOWER, and SAME only in the plane.
void RefuseOpenPadding(const NodeImport& node, const Window& window) {
  const bool plane = window.open_padding == "SAME_UPPER" && window.rank() < 3 && node.op() != "LpPool";
  if (!window.open_padding.empty() && !plane)
    node.Unsupported("the size of input 0 must be known for auto_pad {}; give the shapes of the inputs",
                     window.open_padding);
  if (window.rank() > 3) node.Unsupported("{} spatial dimensions are not supported", window.rank());
}

std::string PaddingMode(const Window& window) {
  return window.open_padding.empty() ? "CALCULATED" : "SAME";
}

OutputRef MaxPool(NodeImport& node, OutputRef x, const Window& window) {
  if (window.rank() == 1)
    return SqueezeAxes(node, MaxPool(node, UnsqueezeAxes(node, x, {2}), window.WithExtraDimension()), {2});
  const bool ceil = node.Int("ceil_mode", 0) != 0;
  OpBuilder op = node.Op(window.rank() == 3 ? "MaxPool3D" : "MaxPoolV3", {x});
  op.Set("ksize", window.WithBatchAndChannel(window.kernel))
      .Set("strides", window.WithBatchAndChannel(window.strides))
      .Set("pads", window.Interleaved())
      .Set("data_format", ChannelsFirst(window.rank()));
  if (window.rank() == 3) return op.Set("padding", "CALCULATED").Set("ceil_mode", std::int64_t{ceil});
  return op.Set("padding_mode", PaddingMode(window)).Set("ceil_mode", ceil);
}

std::int64_t ReachOf(const Window& window, std::size_t i) {
  return window.dilations[i] * (window.kernel[i] - 1) + 1;
}

// With ceil_mode the standard leaves out windows that begin in the padding at the end, the Graph Engine does
// not.
OutputRef WithoutEmptyWindows(NodeImport& node, OutputRef y, const Window& window) {
  if (node.Int("ceil_mode", 0) == 0) return y;
  GraphBuilder& graph = node.builder();
  for (std::size_t i = 0; i < window.rank(); ++i) {
    const std::int64_t stride = window.strides[i], begin = window.begins[i];
    if (window.ends[i] == 0 && stride <= ReachOf(window, i)) continue;  // there are none
    const auto axis = static_cast<std::int64_t>(i) + 2;
    const OutputRef size = DimensionOf(node, node.In(0), axis);
    const OutputRef count =
        node.Op("FloorDiv", {node.Op("Add", {size, graph.Int(begin + stride - 1)}), graph.Int(stride)});
    y = node.Op("StridedSliceV2",
                {y, graph.Ints({0}), ReshapeTo(node, count, {1}), graph.Ints({axis}), graph.Ints({1})});
  }
  return y;
}

bool IsDilated(const Window& window) {
  return std::any_of(window.dilations.begin(), window.dilations.end(), [](std::int64_t d) { return d != 1; });
}

// The operator of our own knows dilations and indices.
void MapMaxPool(NodeImport& node) {
  const Window window = ReadWindow(node);
  RefuseOpenPadding(node, window);
  if (!window.open_padding.empty() && (node.Wants(1) || IsDilated(window)))
    node.Unsupported("the size of input 0 must be known for auto_pad {}; give the shapes of the inputs",
                     window.open_padding);
  if (!node.Wants(1) && !IsDilated(window))
    return node.Out(0, WithoutEmptyWindows(node, MaxPool(node, node.In(0), window), window));
  OpBuilder op = node.Op("OnnxMaxPool", {node.In(0)});
  op.node().AddOutput("indices", PortKind::kRequired);
  op.Set("kernel", window.kernel)
      .Set("strides", window.strides)
      .Set("dilations", window.dilations)
      .Set("begins", window.begins)
      .Set("ends", window.ends)
      .Set("ceil_mode", node.Int("ceil_mode", 0) != 0)
      .Set("column_major", node.Int("storage_order", 0) != 0);
  for (int i = 0; i < 2; ++i)
    node.Out(i, WithoutEmptyWindows(node, op.Out(i), window));
}

OutputRef AveragePool(NodeImport& node, OutputRef x, const Window& window, bool with_padding, bool ceil) {
  if (window.rank() == 1)
    return SqueezeAxes(
        node, AveragePool(node, UnsqueezeAxes(node, x, {2}), window.WithExtraDimension(), with_padding, ceil),
        {2});
  OpBuilder op = node.Op(window.rank() == 3 ? "AvgPool3D" : "AvgPoolV2", {x});
  op.Set("ksize", window.WithBatchAndChannel(window.kernel))
      .Set("strides", window.WithBatchAndChannel(window.strides))
      .Set("pads", window.Interleaved())
      .Set("ceil_mode", ceil)
      .Set("data_format", ChannelsFirst(window.rank()));
  if (window.rank() == 3) return op.Set("count_include_pad", with_padding);
  return op.Set("padding_mode", PaddingMode(window)).Set("exclusive", !with_padding);
}

void MapAveragePool(NodeImport& node) {
  const Window window = ReadWindow(node);
  RefuseOpenPadding(node, window);
  if (IsDilated(window)) node.Unsupported("dilations of AveragePool are not supported");
  const OutputRef y = AveragePool(node, node.In(0), window, node.Int("count_include_pad", 0) != 0,
                                  node.Int("ceil_mode", 0) != 0);
  node.Out(0, WithoutEmptyWindows(node, y, window));
}

// What the last window lacks becomes padding, so that all windows have the same size.
void PadToWholeWindows(const NodeImport& node, Window& window) {
  for (std::size_t i = 0; i < window.rank(); ++i) {
    const std::int64_t size = SizeOfInput(node, window, i), stride = window.strides[i];
    if (size < 0)
      node.Unsupported("the size of input 0 must be known for ceil_mode; give the shapes of the inputs");
    const std::int64_t free = size + window.begins[i] + window.ends[i] - window.kernel[i];
    if (free < 0) continue;                                     // refused when it is compiled
    std::int64_t last = (free + stride - 1) / stride * stride;  // where the last window begins
    if (last >= size + window.begins[i]) last -= stride;
    window.ends[i] = std::max<std::int64_t>(last + window.kernel[i] - size - window.begins[i], 0);
  }
}

// The mean of |x|^p, times the size of the window, to the power of 1/p.
void MapLpPool(NodeImport& node) {
  Window window = ReadWindow(node);
  RefuseOpenPadding(node, window);
  if (IsDilated(window)) node.Unsupported("dilations of LpPool are not supported");
  if (node.Int("ceil_mode", 0) != 0) PadToWholeWindows(node, window);
  const DataType type = node.ElementType(0);
  const double p = node.version() < 2 ? node.Float("p", 2.0f) : static_cast<double>(node.Int("p", 2));
  GraphBuilder& graph = node.builder();
  const OutputRef power = node.Op("Pow", {node.Op("Abs", {node.In(0)}), graph.Number(type, p)});
  double size = 1;
  for (const std::int64_t length : window.kernel)
    size *= static_cast<double>(length);
  const OutputRef sum =
      node.Op("Mul", {AveragePool(node, power, window, true, false), graph.Number(type, size)});
  node.Out(0, node.Op("Pow", {sum, graph.Number(type, 1 / p)}));
}

// All dimensions but the first two.
OutputRef SpatialAxes(NodeImport& node) {
  const auto rank = node.KnownRank(0);
  GraphBuilder& graph = node.builder();
  if (!rank) {
    const OutputRef count = node.Cast(node.Op("Rank", {node.In(0)}), DataType::kInt64);
    return node.Op("Range", {graph.Int(2), count, graph.Int(1)});
  }
  Ints axes;
  for (std::size_t i = 2; i < *rank; ++i)
    axes.push_back(static_cast<std::int64_t>(i));
  return graph.Ints(axes);
}

OutputRef Reduce(NodeImport& node, const std::string& type, OutputRef x) {
  return node.Op(type, {x, SpatialAxes(node)}).Set("keep_dims", true);
}

void MapGlobalAveragePool(NodeImport& node) {
  node.Out(0, node.Op("GlobalAveragePool", {node.In(0)}));
}

void MapGlobalMaxPool(NodeImport& node) {
  node.Out(0, Reduce(node, "ReduceMax", node.In(0)));
}

void MapGlobalLpPool(NodeImport& node) {
  const DataType type = node.ElementType(0);
  const double p = node.version() < 2 ? node.Float("p", 2.0f) : static_cast<double>(node.Int("p", 2));
  GraphBuilder& graph = node.builder();
  const OutputRef power = node.Op("Pow", {node.Op("Abs", {node.In(0)}), graph.Number(type, p)});
  node.Out(0, node.Op("Pow", {Reduce(node, "ReduceSum", power), graph.Number(type, 1 / p)}));
}

const RegisterMapping max_pool("MaxPool", MapMaxPool);
const RegisterMapping average_pool("AveragePool", MapAveragePool);
const RegisterMapping lp_pool("LpPool", MapLpPool);
const RegisterMapping global_average_pool("GlobalAveragePool", MapGlobalAveragePool);
const RegisterMapping global_max_pool("GlobalMaxPool", MapGlobalMaxPool);
const RegisterMapping global_lp_pool("GlobalLpPool", MapGlobalLpPool);

}  // namespace
}  // namespace foothold::onnx
