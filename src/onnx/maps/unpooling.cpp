// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/mapping.h"
#include "onnx/maps/shaping.h"
#include "onnx/maps/window.h"

namespace foothold::onnx {
namespace {

// The shape MaxPool had before, which the indices count in.
Ints ShapeBefore(const NodeImport& node, const Window& window) {
  const Dims dims = node.TypeOf(0).dims;
  if (!IsStatic(dims) || dims.size() != window.rank() + 2)
    node.Unsupported("the shape of input 0 must be known; give the shapes of the inputs");
  Ints shape = {dims[0], dims[1]};
  for (std::size_t i = 0; i < window.rank(); ++i)
    shape.push_back((SizeOfInput(node, window, i) - 1) * window.strides[i] + window.kernel[i] -
                    window.begins[i] - window.ends[i]);
  return shape;
}

void MapMaxUnpool(NodeImport& node) {
  const Ints before = ShapeBefore(node, ReadWindow(node));
  GraphBuilder& graph = node.builder();
  const std::int64_t count = ElementCount(before);
  const OutputRef zeros = node.Op("Fill", {graph.Ints({count}), graph.Number(node.ElementType(0), 0)});
  const OutputRef places = ReshapeTo(node, node.In(1), {-1});
  const OutputRef values = ReshapeTo(node, node.In(0), {-1});
  const OutputRef flat = node.Op("ScatterElements", {zeros, places, values}).Set("axis", std::int64_t{0});
  const OutputRef y = ReshapeTo(node, flat, before);
  if (!node.Has(2)) return node.Out(0, y);
  const OutputRef ends = node.Op("Sub", {node.In(2), graph.Ints(before)});
  const OutputRef pads = node.Op("ConcatD")
                             .InList("x", {graph.Ints(Ints(before.size(), 0)), ends})
                             .Set("concat_dim", std::int64_t{0})
                             .Set("N", std::int64_t{2});
  node.Out(0, node.Op("PadV3", {y, pads}).Set("paddings_contiguous", false));
}

const RegisterMapping max_unpool("MaxUnpool", MapMaxUnpool);

}  // namespace
}  // namespace foothold::onnx
