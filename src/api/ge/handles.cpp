// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/ge/graph_impl.h"
#include "base/error.h"

namespace ge {

Operator OperatorImpl::Make(foothold::NodeRef node) {
  auto impl = std::make_shared<OperatorImpl>();
  impl->node = std::move(node);
  return Operator(std::move(impl));
}

GNode NodeImpl::Make(foothold::NodeRef node) {
  GNode made;
  made.impl_ = std::make_shared<NodeImpl>();
  made.impl_->node = std::move(node);
  return made;
}

Graph GraphImpl::Make(std::shared_ptr<foothold::Graph> graph) {
  Graph made;
  made.impl_ = std::make_shared<GraphImpl>();
  made.impl_->graph = std::move(graph);
  return made;
}

GraphImpl& GraphImpl::Ensure(Graph& graph) {
  if (graph.impl_ == nullptr) graph = Make(std::make_shared<foothold::Graph>());
  return *graph.impl_;
}

}  // namespace ge

namespace foothold {

Node& NodeOf(const ge::Operator& op) {
  const ge::OperatorImpl* impl = ge::OperatorImpl::Of(op);
  if (impl == nullptr || !impl->node) Fail(kInvalidParam, "the operator is empty");
  return *impl->node;
}

Node& NodeOf(const ge::GNode& node) {
  const ge::NodeImpl* impl = ge::NodeImpl::Of(node);
  if (impl == nullptr || !impl->node) Fail(kInvalidParam, "the node is empty");
  return *impl->node;
}

const std::shared_ptr<Graph>& GraphOf(const ge::Graph& graph) {
  const ge::GraphImpl* impl = ge::GraphImpl::Of(graph);
  if (impl == nullptr)
    Fail(kInvalidParam, "the graph is empty: it was made without a name, and nothing was loaded");
  return impl->graph;
}

}  // namespace foothold
