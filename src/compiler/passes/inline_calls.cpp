// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/inline_calls.h"

#include <unordered_map>

#include "base/error.h"
#include "compiler/check_graph.h"
#include "compiler/normalize.h"
#include "compiler/sources.h"
#include "ir/node_walk.h"

namespace foothold {
namespace {

void CheckPorts(const Node& call, std::size_t arguments, const Graph& body) {
  if (arguments != call.inputs().size() || body.outputs.size() != call.outputs().size())
    Fail(kInvalidParam, "{} has {} arguments and {} outputs, its graph '{}' {} and {}", call.Description(),
         call.inputs().size(), call.outputs().size(), body.name(), arguments, body.outputs.size());
}

// What nothing is connected to may be there as long as nobody looks at it.
void CheckArgument(const Node& call, const Input& input, const Node& argument, const Graph& body) {
  if (!input.source && (!argument.outputs()[0].consumers.empty() || body.outputs.Has(argument)))
    Fail(kInvalidParam, "{}: its graph '{}' uses input '{}', which has no source", call.Description(),
         body.name(), input.name);
}

// Variables keep their names: they are what other graphs of the session know them by.
void MoveNodes(Graph& to, const Node& call, Graph& body) {
  for (Node* node : body.nodes()) {
    if (IsData(*node)) continue;
    if (!IsVariable(*node)) node->set_name(call.name() + "/" + node->name());
    to.Add(*node);
    for (Node* before : call.control_inputs())
      node->AddControlInput(*before);
  }
}

void InlineCall(Graph& graph, Node& call) {
  if (call.subgraphs.empty()) Fail(kInvalidParam, "{} has no graph to call", call.Description());
  Graph& body = GraphOf(call, call.subgraphs[0]);
  CheckGraph(body);
  InlineCalls(body);
  const std::vector<Node*> arguments = OrderInputs(body);
  CheckPorts(call, arguments.size(), body);
  std::unordered_map<const Node*, OutputRef> source;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    CheckArgument(call, call.inputs()[i], *arguments[i], body);
    source[arguments[i]] = call.inputs()[i].source;
    if (call.inputs()[i].source) ReplaceUses({arguments[i], 0}, call.inputs()[i].source);
  }
  MoveNodes(graph, call, body);
  for (std::size_t i = 0; i < body.outputs.size(); ++i) {
    OutputRef to = body.outputs[i];
    if (const auto found = source.find(to.node); found != source.end()) to = found->second;
    const OutputRef from{&call, static_cast<int>(i)};
    ReplaceUses(from, to);
    graph.outputs.Replace(from, to);
  }
  for (Node* after : std::vector<Node*>(call.control_outputs()))
    for (const OutputRef& output : body.outputs)
      if (source.count(output.node) == 0) after->AddControlInput(*output.node);
  graph.Drop(call);
  // It stays in the pool of nodes that its graph has joined, and would keep that for ever.
  call.subgraphs.clear();
}

}  // namespace

bool IsCall(const Node& node) {
  return node.type() == "PartitionedCall" || node.type() == "StatefulPartitionedCall" ||
         node.type() == "StatelessPartitionedCall";
}

bool InlineCalls(Graph& graph) {
  std::vector<Node*> calls;
  for (Node* node : TypeWalk(graph.nodes()))
    if (IsCall(*node)) calls.push_back(node);
  for (Node* call : calls)
    InlineCall(graph, *call);
  graph.Sweep();
  return !calls.empty();
}

}  // namespace foothold
