// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is behind ge::Operator, ge::GNode and ge::Graph, and how the rest of the API gets at the nodes and
// graphs of src/ir. Every public handle keeps what it stands for alive. Same threads as the public objects.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "graph/gnode.h"
#include "graph/graph.h"
#include "graph/operator.h"
#include "ir/graph.h"
#include "ir/node_pool.h"

namespace ge {

class OperatorImpl {
 public:
  using Function = std::function<graphStatus(Operator&)>;

  foothold::NodeRef node;
  InferenceContextPtr inference_context;
  // What the class of the operator has declared, for types that have no prototype.
  foothold::Attributes declared;  // attributes and their defaults
  std::set<std::string, std::less<>> dynamic_inputs;
  std::set<std::string, std::less<>> dynamic_outputs;
  Function infer;
  Function verify;
  Function infer_format;

  [[gnu::visibility("hidden")]] static OperatorImpl* Of(const Operator& op) { return op.impl_.get(); }
  [[gnu::visibility("hidden")]] static Operator Make(foothold::NodeRef node);
};

class NodeImpl {
 public:
  foothold::NodeRef node;

  [[gnu::visibility("hidden")]] static NodeImpl* Of(const GNode& node) { return node.impl_.get(); }
  [[gnu::visibility("hidden")]] static GNode Make(foothold::NodeRef node);
};

class GraphImpl {
 public:
  std::shared_ptr<foothold::Graph> graph;  // never null
  bool declared_valid = false;
  std::vector<std::shared_ptr<foothold::Graph>> unused_subgraphs;  // added, but no node runs them
  std::shared_ptr<foothold::Graph> parent;                         // where this was found as a subgraph
  foothold::NodeRef parent_node;

  [[gnu::visibility("hidden")]] static GraphImpl* Of(const Graph& graph) { return graph.impl_.get(); }
  [[gnu::visibility("hidden")]] static Graph Make(std::shared_ptr<foothold::Graph> graph);
  // Makes the graph that a default-constructed handle lacks.
  [[gnu::visibility("hidden")]] static GraphImpl& Ensure(Graph& graph);
};

}  // namespace ge

namespace foothold {

// Throw kInvalidParam for a handle that stands for nothing.
Node& NodeOf(const ge::Operator& op);
Node& NodeOf(const ge::GNode& node);
const std::shared_ptr<Graph>& GraphOf(const ge::Graph& graph);

inline ge::Operator ToOperator(Node& node) {
  return ge::OperatorImpl::Make(NodeRef(node));
}
inline ge::GNode ToGNode(Node& node) {
  return ge::NodeImpl::Make(NodeRef(node));
}
inline ge::GNodePtr ToGNodePtr(Node& node) {
  return std::make_shared<ge::GNode>(ToGNode(node));
}
// The public graph is another handle of `graph`: what either changes, both see.
inline ge::Graph ToPublic(std::shared_ptr<Graph> graph) {
  return ge::GraphImpl::Make(std::move(graph));
}

}  // namespace foothold
