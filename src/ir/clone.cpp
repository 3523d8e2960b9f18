// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <unordered_map>

#include "base/error.h"
#include "ir/graph.h"

namespace foothold {
namespace {

using Copies = std::unordered_map<const Node*, Node*>;

void CopyPorts(const Node& from, Node& to) {
  for (const Input& input : from.inputs())
    to.AddInput(input.name, input.kind, input.group).desc = input.desc;
  for (const Output& output : from.outputs())
    to.AddOutput(output.name, output.kind, output.group).desc = output.desc;
}

void CopySubgraphs(const Node& from, Node& to) {
  for (const Subgraph& subgraph : from.subgraphs) {
    auto& source = const_cast<Subgraph&>(subgraph);  // made on demand, then kept
    Subgraph copy{subgraph.name, subgraph.group, nullptr, nullptr, nullptr};
    copy.graph = GraphOf(const_cast<Node&>(from), source).Clone();
    copy.graph->parent = &to;
    to.subgraphs.push_back(std::move(copy));
  }
}

Node& CopyOf(const Copies& copies, const Node& node, const std::string& graph) {
  const auto found = copies.find(&node);
  if (found == copies.end())
    Fail(kInvalidParam, "{} is linked with graph '{}' but is not in it", node.Description(), graph);
  return *found->second;
}

void CopyLinks(const Node& from, Node& to, const Copies& copies, const std::string& graph) {
  for (std::size_t i = 0; i < from.inputs().size(); ++i) {
    const OutputRef& source = from.inputs()[i].source;
    if (source) to.Connect(static_cast<int>(i), {&CopyOf(copies, *source.node, graph), source.port});
  }
  for (const Node* source : from.control_inputs())
    to.AddControlInput(CopyOf(copies, *source, graph));
}

}  // namespace

std::shared_ptr<Graph> Graph::Clone() const {
  auto copy = std::make_shared<Graph>(name_);
  Copies copies;
  copies.reserve(nodes_.size());
  for (const Node* node : nodes_) {
    Node& made = copy->Make(node->type(), node->name());
    copies.emplace(node, &made);
    CopyPorts(*node, made);
    made.attributes = node->attributes;
    made.file_folder = node->file_folder;
    CopySubgraphs(*node, made);
  }
  for (const Node* node : nodes_)
    CopyLinks(*node, *copies.at(node), copies, name_);
  for (const Node* node : inputs)
    copy->inputs.push_back(&CopyOf(copies, *node, name_));
  for (const Node* node : targets)
    copy->targets.push_back(&CopyOf(copies, *node, name_));
  for (const OutputRef& output : outputs)
    copy->outputs.push_back({&CopyOf(copies, *output.node, name_), output.port});
  copy->attributes = attributes;
  copy->need_iteration = need_iteration;
  return copy;
}

}  // namespace foothold
