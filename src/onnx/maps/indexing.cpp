// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators that choose elements by index or by condition.
#include "onnx/mapping.h"
#include "onnx/maps/shaping.h"

namespace foothold::onnx {
namespace {

void MapGather(NodeImport& node) {
  node.Out(0, node.Op("GatherV2", {node.In(0), node.In(1), node.builder().Int(node.Int("axis", 0))})
                  .Set("negative_index_support", true));
}

void MapGatherElements(NodeImport& node) {
  node.Out(0, node.Op("GatherElements", {node.In(0), node.In(1)}).Set("dim", node.Int("axis", 0)));
}

void MapGatherNd(NodeImport& node) {
  node.Out(0, node.Op("GatherNd", {node.In(0), node.In(1)})
                  .Set("batch_dims", node.Int("batch_dims", 0))
                  .Set("negative_index_support", true));
}

void MapScatterElements(NodeImport& node) {
  const std::string reduction = node.Text("reduction", "none");
  node.Out(0, node.Op("ScatterElements", {node.In(0), node.In(1), node.In(2)})
                  .Set("axis", node.Int("axis", 0))
                  .Set("reduction", reduction));
}

void MapScatterNd(NodeImport& node) {
  static const std::map<std::string, std::string> kTypes = {{"none", "TensorScatterUpdate"},
                                                            {"add", "TensorScatterAdd"},
                                                            {"max", "TensorScatterMax"},
                                                            {"min", "TensorScatterMin"}};
  const std::string reduction = node.Text("reduction", "none");
  const OutputRef x = node.In(0), indices = node.In(1), updates = node.In(2);
  if (reduction == "mul")
    return node.Out(0, node.Op("OnnxScatterNdMul").In("x", x).In("indices", indices).In("updates", updates));
  const auto type = kTypes.find(reduction);
  if (type == kTypes.end()) node.Unsupported("reduction '{}' is not supported", reduction);
  node.Out(0, node.Op(type->second, {x, indices, updates}));
}

// A negative index counts from the end; one outside gives no one.
void MapOneHot(NodeImport& node) {
  GraphBuilder& graph = node.builder();
  OutputRef indices = node.In(0);
  if (node.ElementType(0) != DataType::kInt64) indices = node.Cast(indices, DataType::kInt64);
  const OutputRef depth = ReshapeTo(node, node.Cast(node.In(1), DataType::kInt64), {});
  const OutputRef negative = node.Op("Less", {indices, graph.Int(0)});
  const OutputRef wrapped = node.Op("SelectV2", {negative, node.Op("Add", {indices, depth}), indices});
  const OutputRef values = node.In(2);
  const auto pick = [&](std::int64_t i) -> OutputRef {
    return node.Op("GatherV2", {values, graph.Int(i), graph.Int(0)});
  };
  node.Out(0, node.Op("OneHot", {wrapped, depth, pick(1), pick(0)})
                  .Set("axis", node.Int("axis", -1)));
}

void MapNonZero(NodeImport& node) {
  node.Out(0, node.Op("NonZero", {node.In(0)}).Set("transpose", true));
}

void MapCompress(NodeImport& node) {
  OutputRef x = node.In(0);
  std::int64_t axis = node.Int("axis", 0);
  if (!node.HasAttribute("axis")) x = ReshapeTo(node, x, {-1});
  const OutputRef chosen = SqueezeAxes(node, node.Op("Where", {node.In(1)}), {1});
  node.Out(0, node.Op("GatherV2", {x, chosen, node.builder().Int(axis)}));
}

// Column minus row, for every element of the last two dimensions.
OutputRef Diagonals(NodeImport& node, OutputRef x) {
  const OutputRef rows = CountTo(node, DimensionOf(node, x, -2));
  const OutputRef columns = CountTo(node, DimensionOf(node, x, -1));
  return node.Op("Sub", {columns, UnsqueezeAxes(node, rows, {1})});
}

void MapTrilu(NodeImport& node) {
  const bool upper = node.Int("upper", 1) != 0;
  const OutputRef x = node.In(0);
  const auto known = node.Has(1) ? node.KnownInts(1) : Ints{0};
  if (known && known->size() == 1)
    return node.Out(0, node.Op(upper ? "Triu" : "Tril", {x}).Set("diagonal", known->front()));
  const OutputRef kept = node.Op(upper ? "GreaterEqual" : "LessEqual", {Diagonals(node, x), node.In(1)});
  node.Out(0, node.Op("SelectV2", {kept, x, node.builder().Number(node.ElementType(0), 0)}));
}

void MapEyeLike(NodeImport& node) {
  const DataType type = node.OutputType(0).type;
  if (type == DataType::kUndefined) node.Unsupported("the element type of the output is not known");
  const OutputRef on = node.Op("Equal", {Diagonals(node, node.In(0)), node.builder().Int(node.Int("k", 0))});
  node.Out(0, node.Cast(on, type));
}

void MapReverseSequence(NodeImport& node) {
  node.Out(0, node.Op("ReverseSequence", {node.In(0), node.In(1)})
                  .Set("seq_dim", node.Int("time_axis", 0))
                  .Set("batch_dim", node.Int("batch_axis", 1)));
}

void MapUnique(NodeImport& node) {
  OpBuilder op = node.Op("UniqueAlongAxis", {node.In(0)});
  for (const char* name : {"indices", "inverse", "counts"})
    op.node().AddOutput(name, PortKind::kRequired);
  op.Set("sorted", node.Int("sorted", 1));
  if (node.HasAttribute("axis")) op.Set("axis", node.Int("axis", 0));
  for (int i = 0; i < 4; ++i)
    node.Out(i, op.Out(i));
}

const RegisterMapping gather("Gather", MapGather);
const RegisterMapping gather_elements("GatherElements", MapGatherElements);
const RegisterMapping gather_nd("GatherND", MapGatherNd);
const RegisterMapping scatter_elements({"ScatterElements", "Scatter"}, MapScatterElements);
const RegisterMapping scatter_nd("ScatterND", MapScatterNd);
const RegisterMapping one_hot("OneHot", MapOneHot);
const RegisterMapping non_zero("NonZero", MapNonZero);
const RegisterMapping compress("Compress", MapCompress);
const RegisterMapping trilu("Trilu", MapTrilu);
const RegisterMapping eye_like("EyeLike", MapEyeLike);
const RegisterMapping reverse_sequence("ReverseSequence", MapReverseSequence);
const RegisterMapping unique("Unique", MapUnique);

}  // namespace
}  // namespace foothold::onnx
