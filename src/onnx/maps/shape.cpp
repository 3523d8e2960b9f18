// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators that give the same elements another shape or place.
#include "onnx/mapping.h"
#include "onnx/maps/shaping.h"

namespace foothold::onnx {
namespace {

void MapReshape(NodeImport& node) {
  const OutputRef shape =
      node.HasAttribute("shape") ? node.builder().Ints(node.IntList("shape")) : node.In(1);
  node.Out(0, node.Op("Reshape", {node.In(0), shape}).Set("allowzero", node.Int("allowzero", 0)));
}

void MapFlatten(NodeImport& node) {
  node.Out(0, node.Op("Flatten", {node.In(0)}).Set("axis", node.Int("axis", 1)));
}

void MapSqueeze(NodeImport& node) {
  if (const auto axes = KnownList(node, "axes", 1))
    return node.Out(0, node.Op("Squeeze", {node.In(0)}).Set("axis", *axes));
  if (!node.Has(1)) return node.Out(0, node.Op("Squeeze", {node.In(0)}).Set("axis", Ints()));
  node.Out(0, node.Op("SqueezeV3", {node.In(0), node.In(1)}));
}

void MapUnsqueeze(NodeImport& node) {
  if (const auto axes = KnownList(node, "axes", 1))
    return node.Out(0, node.Op("Unsqueeze", {node.In(0)}).Set("axes", *axes));
  node.Out(0, node.Op("UnsqueezeV3", {node.In(0), node.In(1)}));
}

void MapTranspose(NodeImport& node) {
  Ints perm = node.IntList("perm");
  if (perm.empty())
    for (std::size_t i = node.Rank(0); i > 0; --i)
      perm.push_back(static_cast<std::int64_t>(i) - 1);
  node.Out(0, TransposeTo(node, node.In(0), perm));
}

void MapShape(NodeImport& node) {
  const OutputRef shape = ShapeOf(node, node.In(0));
  if (!node.HasAttribute("start") && !node.HasAttribute("end")) return node.Out(0, shape);
  constexpr std::int64_t kEnd = std::int64_t{1} << 62;
  node.Out(0, SliceAxis(node, shape, 0, node.Int("start", 0), node.Int("end", kEnd)));
}

void MapSize(NodeImport& node) {
  node.Out(0, node.Op("Size", {node.In(0)}).Set("dtype", static_cast<std::int64_t>(DataType::kInt64)));
}

void MapConcat(NodeImport& node) {
  // Version 1 has a default, which later ones have not.
  const std::int64_t axis = node.Int("axis", 1);
  if (node.inputs() == 1) return node.Out(0, node.Op("Identity", {node.In(0)}));
  node.Out(0, node.Op("ConcatD")
                  .InList("x", node.AllInputs())
                  .Set("concat_dim", axis)
                  .Set("N", static_cast<std::int64_t>(node.inputs())));
}

// Parts of equal size; the last may be smaller.
Ints EqualParts(const NodeImport& node, std::int64_t size, std::int64_t count) {
  const std::int64_t part = (size + count - 1) / count;
  if (part * (count - 1) > size) node.Unsupported("{} elements cannot be split into {} parts", size, count);
  Ints sizes(static_cast<std::size_t>(count), part);
  sizes.back() = size - part * (count - 1);
  return sizes;
}

OutputRef SplitSizes(NodeImport& node, std::int64_t axis, std::int64_t count) {
  if (node.HasAttribute("split")) return node.builder().Ints(node.IntList("split"));
  if (node.Has(1)) return node.In(1);
  const Dims dims = node.TypeOf(0).dims;
  const auto rank = static_cast<std::int64_t>(dims.size());
  const std::int64_t at = axis < 0 ? axis + rank : axis;
  const bool known = RankKnown(dims) && at >= 0 && at < rank && dims[static_cast<std::size_t>(at)] >= 0;
  return known ? node.builder().Ints(EqualParts(node, dims[static_cast<std::size_t>(at)], count))
               : OutputRef();
}

void MapSplit(NodeImport& node) {
  const std::int64_t axis = node.Int("axis", 0), count = node.outputs();
  const OutputRef sizes = SplitSizes(node, axis, count);
  GraphBuilder& graph = node.builder();
  OpBuilder op = sizes ? node.Op("SplitV", {node.In(0), sizes, graph.Int(axis)})
                       : node.Op("Split", {graph.Int(axis), node.In(0)});
  op.Outputs("y", static_cast<std::size_t>(count)).Set("num_split", count);
  for (int i = 0; i < node.outputs(); ++i)
    node.Out(i, op.Out(i));
}

void MapSlice(NodeImport& node) {
  GraphBuilder& graph = node.builder();
  if (node.version() >= 10)
    return node.Out(
        0, node.Op("StridedSliceV2", {node.In(0), node.In(1), node.In(2), node.InOr(3), node.InOr(4)}));
  const OutputRef axes = node.HasAttribute("axes") ? graph.Ints(node.IntList("axes")) : OutputRef();
  node.Out(0, node.Op("StridedSliceV2", {node.In(0), graph.Ints(node.IntList("starts")),
                                         graph.Ints(node.IntList("ends")), axes}));
}

// Pads of some axes as pads of all.
OutputRef AllPads(NodeImport& node) {
  if (!node.Has(3)) return node.In(1);
  const auto pads = node.KnownInts(1), axes = node.KnownInts(3);
  if (!pads || !axes || pads->size() != 2 * axes->size())
    node.Unsupported("pads and axes must be constants that fit together");
  const std::size_t rank = node.Rank(0);
  Ints all(2 * rank, 0);
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const std::int64_t axis = (*axes)[i] < 0 ? (*axes)[i] + static_cast<std::int64_t>(rank) : (*axes)[i];
    if (axis < 0 || axis >= static_cast<std::int64_t>(rank)) node.Unsupported("there is no axis {}", axis);
    all[static_cast<std::size_t>(axis)] = (*pads)[i];
    all[static_cast<std::size_t>(axis) + rank] = (*pads)[i + axes->size()];
  }
  return node.builder().Ints(all);
}

void MapPad(NodeImport& node) {
  const std::string mode = node.Text("mode", "constant");
  if (mode != "constant" && mode != "reflect" && mode != "edge")
    node.Unsupported("padding mode '{}' is not supported", mode);
  const bool old = node.version() < 11;
  const OutputRef pads =
      old ? node.builder().Ints(node.IntList(node.version() == 1 ? "paddings" : "pads")) : AllPads(node);
  OutputRef value = old ? OutputRef() : node.InOr(2);
  if (old && mode == "constant") value = node.builder().Number(node.ElementType(0), node.Float("value", 0));
  node.Out(0, node.Op("PadV3", {node.In(0), pads, mode == "constant" ? value : OutputRef()})
                  .Set("mode", mode)
                  .Set("paddings_contiguous", false));
}

void MapExpand(NodeImport& node) {
  node.Out(0, node.Op("Expand", {node.In(0), node.In(1)}));
}

void MapTile(NodeImport& node) {
  if (node.version() >= 6) return node.Out(0, node.Op("Tile", {node.In(0), node.In(1)}));
  const auto tiles = node.KnownNumber(1), axis = node.KnownNumber(2);
  if (!tiles || !axis) node.Unsupported("tiles and axis must be constants");
  if (!(*tiles >= 0 && *tiles <= 0x1p53)) node.Unsupported("tiles is {}, expected a count", *tiles);
  Ints multiples(node.Rank(0), 1);
  if (*axis < 0 || *axis >= static_cast<double>(multiples.size()))
    node.Unsupported("there is no axis {}", *axis);
  multiples[static_cast<std::size_t>(*axis)] = static_cast<std::int64_t>(*tiles);
  node.Out(0, node.Op("Tile", {node.In(0), node.builder().Ints(multiples)}));
}

void MapDepthToSpace(NodeImport& node) {
  node.Out(0, node.Op("DepthToSpace", {node.In(0)})
                  .Set("block_size", node.Int("blocksize", 0))
                  .Set("mode", node.Text("mode", "DCR"))
                  .Set("data_format", "NCHW"));
}

void MapSpaceToDepth(NodeImport& node) {
  node.Out(0, node.Op("SpaceToDepth", {node.In(0)})
                  .Set("block_size", node.Int("blocksize", 0))
                  .Set("data_format", "NCHW"));
}

const RegisterMapping reshape("Reshape", MapReshape);
const RegisterMapping flatten("Flatten", MapFlatten);
const RegisterMapping squeeze("Squeeze", MapSqueeze);
const RegisterMapping unsqueeze("Unsqueeze", MapUnsqueeze);
const RegisterMapping transpose("Transpose", MapTranspose);
const RegisterMapping shape("Shape", MapShape);
const RegisterMapping size("Size", MapSize);
const RegisterMapping concat("Concat", MapConcat);
const RegisterMapping split("Split", MapSplit);
const RegisterMapping slice("Slice", MapSlice);
const RegisterMapping pad("Pad", MapPad);
const RegisterMapping expand("Expand", MapExpand);
const RegisterMapping tile("Tile", MapTile);
const RegisterMapping depth_to_space("DepthToSpace", MapDepthToSpace);
const RegisterMapping space_to_depth("SpaceToDepth", MapSpaceToDepth);

}  // namespace
}  // namespace foothold::onnx
