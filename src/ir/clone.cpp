// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <algorithm>

#include "base/error.h"
#include "ir/graph.h"
#include "ir/node_walk.h"

namespace foothold {
namespace {

// By the place of the original.
using Copies = std::vector<Node*>;

void CopyPorts(const Node& from, Node& to) {
  to.ReservePorts(from.inputs().size(), from.outputs().size());
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

Node& CopyOf(const Copies& copies, const Node& node, const Graph& graph) {
  const std::size_t place = graph.PlaceOf(node);
  if (place == Graph::kNowhere)
    Fail(kInvalidParam, "{} is linked with graph '{}' but is not in it", node.Description(), graph.name());
  return *copies[place];
}

void CopyLinks(const Node& from, Node& to, const Copies& copies, const Graph& graph) {
  for (std::size_t i = 0; i < from.inputs().size(); ++i) {
    const OutputRef& source = from.inputs()[i].source;
    if (source) to.Connect(static_cast<int>(i), {&CopyOf(copies, *source.node, graph), source.port});
  }
  for (const Node* source : from.control_inputs())
    to.AddControlInput(CopyOf(copies, *source, graph));
}

bool HasCopiedSources(const Node& node, const Copies& copies, const Graph& graph) {
  const auto is_copied = [&](const Node* source) {
    return source == nullptr || graph.PlaceOf(*source) < copies.size();
  };
  return std::ranges::all_of(node.inputs(),
                             [&](const Input& input) { return is_copied(input.source.node); }) &&
         std::ranges::all_of(node.control_inputs(), is_copied);
}

}  // namespace

std::shared_ptr<Graph> Graph::Clone() const {
  auto copy = std::make_shared<Graph>(name_);
  Copies copies;
  copies.reserve(nodes_.size());
  std::size_t linked = 0;
  for (const Node* node : PortWalk(nodes_)) {
    Node& made = copy->Make(node->type(), node->name());
    copies.push_back(&made);
    CopyPorts(*node, made);
    made.attributes = node->attributes;
    made.file_folder = node->file_folder;
    CopySubgraphs(*node, made);
    // At once while it is at hand; but links are made in the order of nodes, which consumers are listed in.
    if (linked + 1 == copies.size() && HasCopiedSources(*node, copies, *this))
      CopyLinks(*node, *copies[linked++], copies, *this);
  }
  for (std::size_t i = linked; i < nodes_.size(); ++i)
    CopyLinks(*nodes_[i], *copies[i], copies, *this);
  for (const Node* node : inputs)
    copy->inputs.push_back(&CopyOf(copies, *node, *this));
  for (const Node* node : targets)
    copy->targets.push_back(&CopyOf(copies, *node, *this));
  for (const OutputRef& output : outputs)
    copy->outputs.push_back({&CopyOf(copies, *output.node, *this), output.port});
  copy->attributes = attributes;
  copy->need_iteration = need_iteration;
  return copy;
}

}  // namespace foothold
