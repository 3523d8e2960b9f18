// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx_reader/graph_types.h"

#include <algorithm>

#include "onnx_reader/tensor_reader.h"

namespace foothold::onnx {
namespace {

const ModelGraph* FindGraph(const ModelNode& node, std::string_view name) {
  const auto found = node.attributes.find(name);
  if (found == node.attributes.end()) return nullptr;
  const auto* graph = std::get_if<std::shared_ptr<const ModelGraph>>(&found->second);
  return graph == nullptr ? nullptr : graph->get();
}

// What two values have in common.
ValueType Common(const ValueType& a, const ValueType& b) {
  if (a.kind != b.kind || a.type != b.type) return {};
  ValueType common = a;
  if (a.dims.size() != b.dims.size() || !a.RankKnown() || !b.RankKnown()) {
    common.dims = {kUnknownRank};
    return common;
  }
  for (std::size_t i = 0; i < common.dims.size(); ++i)
    if (a.dims[i] != b.dims[i]) common.dims[i] = kUnknownDim;
  return common;
}

// A list of such elements, one more dimension, in whatever order.
ValueType ListOf(const ValueType& element) {
  ValueType list = element;
  if (element.kind != ValueType::Kind::kTensor || !element.RankKnown()) return list;
  list.dims.assign(element.dims.size() + 1, kUnknownDim);
  return list;
}

std::vector<ValueType> BranchTypes(const ModelGraph& yes, const ModelGraph& no) {
  std::vector<ValueType> types;
  for (std::size_t i = 0; i < std::min(yes.outputs.size(), no.outputs.size()); ++i)
    types.push_back(Common(yes.outputs[i].type, no.outputs[i].type));
  return types;
}

// The body's outputs from `first` on are states, then elements of lists; its inputs from `first_state` on are
// states before the step.
std::vector<ValueType> LoopTypes(const ModelGraph& body, std::size_t first, std::size_t first_state,
                                 std::size_t states) {
  std::vector<ValueType> types;
  for (std::size_t i = first; i < body.outputs.size(); ++i) {
    const std::size_t state = i - first;
    const bool is_state = state < states && first_state + state < body.inputs.size();
    types.push_back(is_state ? Common(body.inputs[first_state + state].type, body.outputs[i].type)
                             : ListOf(body.outputs[i].type));
  }
  return types;
}

std::vector<ValueType> ScanTypes(const ModelNode& node, const ModelGraph& body) {
  const auto found = node.attributes.find("num_scan_inputs");
  const auto* scanned = found == node.attributes.end() ? nullptr : std::get_if<std::int64_t>(&found->second);
  if (node.version < 9 || scanned == nullptr) return {};
  const auto states = static_cast<std::int64_t>(node.inputs.size()) - *scanned;
  return states < 0 ? std::vector<ValueType>() : LoopTypes(body, 0, 0, static_cast<std::size_t>(states));
}

std::vector<ValueType> TypesOf(const ModelNode& node) {
  const ModelGraph* yes = FindGraph(node, "then_branch");
  const ModelGraph* no = FindGraph(node, "else_branch");
  const ModelGraph* body = FindGraph(node, "body");
  if (node.op == "If" && yes != nullptr && no != nullptr) return BranchTypes(*yes, *no);
  if (node.op == "Loop" && body != nullptr && node.inputs.size() >= 2)
    return LoopTypes(*body, 1, 2, node.inputs.size() - 2);
  if (node.op == "Scan" && body != nullptr) return ScanTypes(node, *body);
  return {};
}

}  // namespace

bool HasGraphs(const ModelNode& node) {
  return std::any_of(node.attributes.begin(), node.attributes.end(), [](const auto& attribute) {
    return std::holds_alternative<std::shared_ptr<const ModelGraph>>(attribute.second);
  });
}

std::vector<::onnx::TypeProto> TypesOfGraphs(const ModelNode& node, std::size_t outputs) {
  std::vector<::onnx::TypeProto> protos(outputs);
  const std::vector<ValueType> types = TypesOf(node);
  for (std::size_t i = 0; i < std::min(protos.size(), types.size()); ++i)
    protos[i] = ToTypeProto(types[i]);
  return protos;
}

}  // namespace foothold::onnx
