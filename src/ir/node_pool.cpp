// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ir/node_pool.h"

#include <utility>

#include "ir/node.h"

namespace foothold {

NodePool::NodePool() = default;
NodePool::~NodePool() = default;

Node& NodePool::Make(std::string type, std::string name) {
  NodePool& root = Root();
  root.nodes_.push_back(std::make_unique<Node>(root, std::move(type), std::move(name)));
  return *root.nodes_.back();
}

NodePool& NodePool::Root() {
  NodePool* pool = this;
  while (pool->joined_)
    pool = pool->joined_.get();
  return *pool;
}

void NodePool::Join(Node& a, Node& b) {
  if (a.pool_ != b.pool_) Join(a.pool_->shared_from_this(), b.pool_->shared_from_this());
}

void NodePool::Join(const std::shared_ptr<NodePool>& pool, Node& node) {
  Join(pool, node.pool_->shared_from_this());
}

// The smaller moves into the larger, so a node moves at most log(n) times, and a chain of pools is that long.
void NodePool::Join(const std::shared_ptr<NodePool>& a, const std::shared_ptr<NodePool>& b) {
  NodePool* from = &a->Root();
  NodePool* to = &b->Root();
  if (from == to) return;
  if (from->nodes_.size() > to->nodes_.size()) std::swap(from, to);
  // Ahead of all changes, for memory may be short; twice as much, for nodes mostly come one at a time.
  const std::size_t count = to->nodes_.size() + from->nodes_.size();
  if (count > to->nodes_.capacity()) to->nodes_.reserve(2 * count);
  from->joined_ = to->shared_from_this();
  for (auto& node : from->nodes_) {
    node->pool_ = to;
    to->nodes_.push_back(std::move(node));
  }
  from->nodes_.clear();
}

NodeRef::NodeRef(Node& node) : node_(&node), pool_(node.pool_->shared_from_this()) {}

NodeRef NodeRef::Make(std::string type, std::string name) {
  const auto pool = std::make_shared<NodePool>();
  return NodeRef(pool->Make(std::move(type), std::move(name)));
}

}  // namespace foothold
