// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Owns nodes. A program drops its handle of a node that it has connected and still expects to find it from
// the other end, in either direction; so all nodes that hang together belong to one pool, and any handle into
// the pool keeps all of them. Connecting two nodes joins their pools. Nothing is leaked in cycles.
// One thread at a time per pool.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace foothold {

class Node;
class NodeMemory;

class NodePool : public std::enable_shared_from_this<NodePool> {
 public:
  NodePool();
  ~NodePool();
  NodePool(const NodePool&) = delete;
  NodePool& operator=(const NodePool&) = delete;

  Node& Make(std::string type, std::string name);

  // Afterwards both names stand for one pool, whichever of them a handle holds.
  static void Join(Node& a, Node& b);
  static void Join(const std::shared_ptr<NodePool>& pool, Node& node);
  static void Join(const std::shared_ptr<NodePool>& a, const std::shared_ptr<NodePool>& b);

 private:
  NodePool& Root();

  std::vector<Node*> nodes_;
  std::vector<std::unique_ptr<NodeMemory>> memory_;  // that they are in; new ones go to the first
  std::shared_ptr<NodePool> joined_;                 // the pool that took the nodes over
};

// A handle: the node and what keeps it.
class NodeRef {
 public:
  NodeRef() = default;
  explicit NodeRef(Node& node);
  // A node in a pool of its own.
  static NodeRef Make(std::string type, std::string name);

  Node* get() const { return node_; }
  Node& operator*() const { return *node_; }
  Node* operator->() const { return node_; }
  explicit operator bool() const { return node_ != nullptr; }
  bool operator==(const NodeRef& other) const { return node_ == other.node_; }

 private:
  Node* node_ = nullptr;
  std::shared_ptr<NodePool> pool_;
};

}  // namespace foothold
