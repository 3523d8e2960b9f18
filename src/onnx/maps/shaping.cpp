// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/maps/shaping.h"

namespace foothold::onnx {

OutputRef UnsqueezeAxes(NodeImport& node, OutputRef x, Ints axes) {
  return axes.empty() ? x : node.Op("Unsqueeze", {x}).Set("axes", std::move(axes));
}

OutputRef SqueezeAxes(NodeImport& node, OutputRef x, Ints axes) {
  return axes.empty() ? x : node.Op("Squeeze", {x}).Set("axis", std::move(axes));
}

OutputRef ReshapeTo(NodeImport& node, OutputRef x, const Ints& shape) {
  return node.Op("Reshape", {x, node.builder().Ints(shape)}).Set("allowzero", std::int64_t{0});
}

OutputRef ShapeOf(NodeImport& node, OutputRef x) {
  return node.Op("Shape", {x}).Set("dtype", static_cast<std::int64_t>(DataType::kInt64));
}

OutputRef DimensionOf(NodeImport& node, OutputRef x, std::int64_t axis) {
  return node.Op("GatherV2", {ShapeOf(node, x), node.builder().Int(axis), node.builder().Int(0)})
      .Set("negative_index_support", true);
}

OutputRef SliceAxis(NodeImport& node, OutputRef x, std::int64_t axis, std::int64_t begin, std::int64_t end) {
  GraphBuilder& graph = node.builder();
  return node.Op("StridedSliceV2", {x, graph.Ints({begin}), graph.Ints({end}), graph.Ints({axis})});
}

OutputRef TransposeTo(NodeImport& node, OutputRef x, const Ints& perm) {
  return node.Op("Transpose", {x, node.builder().Ints(perm)});
}

OutputRef CountTo(NodeImport& node, OutputRef count) {
  return node.Op("Range", {node.builder().Int(0), count, node.builder().Int(1)});
}

bool IsEmptyList(const NodeImport& node, int input) {
  return !node.Has(input) || node.TypeOf(input).dims == Dims{0};
}

std::optional<Ints> KnownList(const NodeImport& node, std::string_view attribute, int input) {
  if (node.HasAttribute(attribute)) return node.IntList(attribute);
  return node.KnownInts(input);
}

}  // namespace foothold::onnx
