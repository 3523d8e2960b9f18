// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/mapping.h"
#include "onnx/maps/shaping.h"

namespace foothold::onnx {
namespace {

OutputRef AllAxes(NodeImport& node, OutputRef x) {
  if (const auto rank = node.KnownRank(0)) {
    Ints axes;
    for (std::size_t i = 0; i < *rank; ++i)
      axes.push_back(static_cast<std::int64_t>(i));
    return node.builder().Ints(axes);
  }
  return CountTo(node, node.Cast(node.Op("Rank", {x}), DataType::kInt64));
}

OutputRef Reduce(NodeImport& node, const std::string& type, OutputRef x) {
  const bool listed = node.HasAttribute("axes") || !IsEmptyList(node, 1);
  if (!listed && node.Int("noop_with_empty_axes", 0) != 0) return node.Op("Identity", {x});
  const OutputRef axes = node.HasAttribute("axes") ? node.builder().Ints(node.IntList("axes"))
                         : listed                  ? node.In(1)
                                                   : AllAxes(node, x);
  return node.Op(type, {x, axes}).Set("keep_dims", node.Int("keepdims", 1) != 0);
}

// Of truths, the largest is whether any is true.
void MapReduce(NodeImport& node) {
  const bool truths = node.TypeOf(0).type == DataType::kBool;
  const std::string type = truths && node.op() == "ReduceMax"   ? "ReduceAny"
                           : truths && node.op() == "ReduceMin" ? "ReduceAll"
                                                                : node.op();
  node.Out(0, Reduce(node, type, node.In(0)));
}

void MapReduceL1(NodeImport& node) {
  node.Out(0, Reduce(node, "ReduceSum", node.Op("Abs", {node.In(0)})));
}

void MapReduceL2(NodeImport& node) {
  node.Out(0, node.Op("Sqrt", {Reduce(node, "ReduceSum", node.Op("Square", {node.In(0)}))}));
}

void MapReduceSumSquare(NodeImport& node) {
  node.Out(0, Reduce(node, "ReduceSum", node.Op("Square", {node.In(0)})));
}

void MapReduceLogSum(NodeImport& node) {
  node.Out(0, node.Op("Log", {Reduce(node, "ReduceSum", node.In(0))}));
}

// The last of equals is the first of the reversed ones.
OutputRef LastIndex(NodeImport& node, const std::string& type, OutputRef x, std::int64_t axis) {
  GraphBuilder& graph = node.builder();
  const OutputRef reversed = node.Op("ReverseV2", {x, graph.Ints({axis})});
  const OutputRef index = node.Op(type, {reversed, graph.Int(axis)});
  const OutputRef last = node.Op("Sub", {DimensionOf(node, x, axis), graph.Int(1)});
  return node.Op("Sub", {last, index});
}

void MapArg(NodeImport& node) {
  const std::string type = node.op() == "ArgMax" ? "ArgMaxV2" : "ArgMin";
  const std::int64_t axis = node.Int("axis", 0);
  const OutputRef x = node.In(0);
  const OutputRef index = node.Int("select_last_index", 0) != 0
                              ? LastIndex(node, type, x, axis)
                              : node.Op(type, {x, node.builder().Int(axis)}).Out();
  if (node.Int("keepdims", 1) == 0) return node.Out(0, index);
  node.Out(0, node.Op("ExpandDims", {index, node.builder().Int(axis)}));
}

void MapTopK(NodeImport& node) {
  const OutputRef k = node.HasAttribute("k") ? node.builder().Int(node.Int("k", 0)) : node.In(1);
  const OpBuilder op = node.Op("TopKV2", {node.In(0), k})
                           .Set("sorted", node.Int("sorted", 1) != 0)
                           .Set("dim", node.Int("axis", -1))
                           .Set("largest", node.Int("largest", 1) != 0);
  node.Out(0, op.Out(0));
  if (node.Wants(1)) node.Out(1, node.Cast(op.Out(1), DataType::kInt64));
}

void MapCumSum(NodeImport& node) {
  node.Out(0, node.Op("Cumsum", {node.In(0), node.In(1)})
                  .Set("exclusive", node.Int("exclusive", 0) != 0)
                  .Set("reverse", node.Int("reverse", 0) != 0));
}

const RegisterMapping reduce({"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd",
                              "ReduceLogSumExp"},
                             MapReduce);
const RegisterMapping reduce_l1("ReduceL1", MapReduceL1);
const RegisterMapping reduce_l2("ReduceL2", MapReduceL2);
const RegisterMapping reduce_sum_square("ReduceSumSquare", MapReduceSumSquare);
const RegisterMapping reduce_log_sum("ReduceLogSum", MapReduceLogSum);
const RegisterMapping arg({"ArgMax", "ArgMin"}, MapArg);
const RegisterMapping top_k("TopK", MapTopK);
const RegisterMapping cum_sum("CumSum", MapCumSum);

}  // namespace
}  // namespace foothold::onnx
