// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A graph: an ordered set of nodes, what goes in and what comes out. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/attribute.h"
#include "ir/node.h"
#include "ir/node_pool.h"
#include "ir/output_list.h"

namespace foothold {

class Graph {
 public:
  explicit Graph(std::string name = {});
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }

  // A new node without ports.
  Node& Make(std::string type, std::string name);
  // A node made elsewhere; nothing happens if it is here already. Its neighbours do not come with it.
  void Add(Node& node);
  // Takes the node out and cuts its links; outputs, inputs and targets that name it go too.
  void Remove(Node& node);
  void Remove(const std::vector<Node*>& nodes);
  // Cuts the node's links at once; it leaves with the next Sweep. For passes, which take out one node after
  // the other: each removal looks through the whole graph.
  void Drop(Node& node);
  void Sweep();
  // Takes nodes out and leaves their links as they are: they belong to another graph from now on.
  void Forget(const std::vector<Node*>& nodes);
  bool Contains(const Node& node) const noexcept { return PlaceOf(node) != kNowhere; }
  // Where it stands in nodes(), until one leaves; kNowhere if it is not here.
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  std::size_t PlaceOf(const Node& node) const noexcept {
    return node.home_ == number_ ? node.place_ : guests_.empty() ? kNowhere : PlaceOfGuest(node);
  }
  Node* Find(std::string_view name) const noexcept;  // the first of that name
  const std::vector<Node*>& nodes() const { return nodes_; }

  // Adds every node that is connected with one already here, in any direction.
  void AddConnected();

  std::vector<Node*> inputs;   // as the program listed them: Data, RefData, Variables
  OutputList outputs;          // what a run gives back, in this order
  std::vector<Node*> targets;  // run, not given back
  Attributes attributes;
  bool need_iteration = false;
  Node* parent = nullptr;  // the node that has this as a subgraph

  // Producers before consumers, otherwise in the order of adding. Throws kInvalidParam if nodes depend on
  // each other in a circle, naming one, or if a link leads out of the graph.
  std::vector<Node*> Order() const;

  // A deep copy with all subgraphs (builders are called), in a pool of its own. Constants share their bytes.
  std::shared_ptr<Graph> Clone() const;

  // Throws kInvalidParam with one message that lists all faults: two nodes of one name, required inputs
  // without a source, links that lead out of the graph, circles.
  void Validate() const;

 private:
  std::size_t PlaceOfGuest(const Node& node) const noexcept;
  void SetPlace(Node& node, std::size_t place);
  void Leave(Node& node);

  const std::uint64_t number_;  // no other graph has or had it
  std::string name_;
  std::vector<Node*> nodes_;
  // Places of nodes that another graph had before.
  std::unordered_map<const Node*, std::size_t> guests_;
  std::vector<Node*> dropped_;
  std::shared_ptr<NodePool> pool_;  // all nodes of the graph, and those connected with them
};

}  // namespace foothold
