// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ir/node_pool.h"

#include <new>
#include <utility>

#include "ir/node.h"
#include "ir/node_memory.h"
#include "ir/node_walk.h"

namespace foothold {
namespace {

// Ahead of all changes, for memory may be short; twice as much, for elements mostly come one at a time.
template <typename T>
void MakeRoom(std::vector<T>& list, std::size_t more) {
  const std::size_t count = list.size() + more;
  if (count > list.capacity()) list.reserve(2 * count);
}

}  // namespace

NodePool::NodePool() = default;

NodePool::~NodePool() {
  for (Node* node : PortWalk(nodes_)) {
    std::pmr::memory_resource& memory = *node->inputs_.get_allocator().resource();
    node->~Node();
    memory.deallocate(node, sizeof(Node), alignof(Node));
  }
}

Node& NodePool::Make(std::string type, std::string name) {
  NodePool& root = Root();
  if (root.memory_.empty()) root.memory_.push_back(std::make_unique<NodeMemory>());
  MakeRoom(root.nodes_, 1);
  NodeMemory& memory = *root.memory_.front();
  void* const place = memory.allocate(sizeof(Node), alignof(Node));
  root.nodes_.push_back(new (place) Node(root, memory, std::move(type), std::move(name)));
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
  MakeRoom(to->nodes_, from->nodes_.size());
  MakeRoom(to->memory_, from->memory_.size());
  from->joined_ = to->shared_from_this();
  for (Node* node : from->nodes_) {
    node->pool_ = to;
    to->nodes_.push_back(node);
  }
  for (auto& memory : from->memory_)
    to->memory_.push_back(std::move(memory));
  from->nodes_.clear();
  from->memory_.clear();
}

NodeRef::NodeRef(Node& node) : node_(&node), pool_(node.pool_->shared_from_this()) {}

NodeRef NodeRef::Make(std::string type, std::string name) {
  const auto pool = std::make_shared<NodePool>();
  return NodeRef(pool->Make(std::move(type), std::move(name)));
}

}  // namespace foothold
