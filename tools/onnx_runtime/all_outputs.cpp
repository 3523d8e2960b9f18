// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx_runtime/all_outputs.h"

#include <set>

#include "onnx_runtime/wire.h"

namespace peer {
namespace {

// Fields of the messages of ONNX.
enum Field : std::uint32_t {
  kModelGraph = 7,
  kGraphNode = 1,
  kGraphOutput = 12,
  kNodeInput = 1,
  kNodeOutput = 2,
  kNodeName = 3,
  kNodeType = 4,
  kValueName = 1,
};

void AddNode(std::string_view message, std::map<std::string, ModelNode>& nodes) {
  ModelNode node;
  std::string name;
  WireField field;
  for (WireReader fields(message); fields.Next(field);) {
    if (field.number == kNodeInput) node.inputs.emplace_back(field.bytes);
    if (field.number == kNodeOutput) node.outputs.emplace_back(field.bytes);
    if (field.number == kNodeName) name = field.bytes;
    if (field.number == kNodeType) node.type = field.bytes;
  }
  nodes[name] = std::move(node);
}

}  // namespace

std::map<std::string, ModelNode> NodesOf(std::string_view model) {
  std::map<std::string, ModelNode> nodes;
  WireField graph, node;
  for (WireReader fields(model); fields.Next(graph);) {
    if (graph.number != kModelGraph) continue;
    for (WireReader parts(graph.bytes); parts.Next(node);)
      if (node.number == kGraphNode) AddNode(node.bytes, nodes);
  }
  return nodes;
}

// A message that comes twice is put together, so another graph with nothing but outputs adds them to the
// first.
std::string WithAllOutputs(const std::string& model, const std::map<std::string, ModelNode>& nodes,
                           const std::vector<std::string>& present) {
  std::set<std::string> known(present.begin(), present.end());
  known.insert("");
  std::string added;
  for (const auto& [name, node] : nodes)
    for (const std::string& output : node.outputs)
      if (known.insert(output).second) added += WireBytes(kGraphOutput, WireBytes(kValueName, output));
  return model + WireBytes(kModelGraph, added);
}

}  // namespace peer
