// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ir/graph.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <functional>
#include <utility>

#include "base/error.h"
#include "ir/node_walk.h"

namespace foothold {
namespace {

// Calls visit(neighbour) for everything a node is linked with.
template <typename Visit>
void ForEachNeighbour(const Node& node, Visit&& visit) {
  for (const Input& input : node.inputs())
    if (input.source) visit(*input.source.node);
  for (const Output& output : node.outputs())
    for (const InputRef& consumer : output.consumers)
      visit(*consumer.node);
  for (Node* other : node.control_inputs())
    visit(*other);
  for (Node* other : node.control_outputs())
    visit(*other);
}

// By number: what its inputs read, then what it waits for. Null: an input that is not connected.
Node* Producer(const Node& node, std::size_t number) {
  const auto& inputs = node.inputs();
  return number < inputs.size() ? inputs[number].source.node : node.control_inputs()[number - inputs.size()];
}

std::size_t Producers(const Node& node) {
  return node.inputs().size() + node.control_inputs().size();
}

// Their input x only carries a description.
bool IsFedFromOutside(const Node& node) {
  return node.type() == "Data" || node.type() == "RefData" || node.type() == "Variable";
}

// Nodes by name, in one piece of memory.
class NodesByName {
 public:
  explicit NodesByName(std::size_t count) : slots_(std::bit_ceil(2 * count + 2)) {}

  // The node of that name that came first, which may be this one.
  const Node& Insert(const Node& node) {
    const std::size_t hash = std::hash<std::string_view>()(node.name());
    std::size_t place = hash & (slots_.size() - 1);
    while (slots_[place].node != nullptr &&
           (slots_[place].hash != hash || slots_[place].node->name() != node.name()))
      place = (place + 1) & (slots_.size() - 1);
    if (slots_[place].node == nullptr) slots_[place] = {hash, &node};
    return *slots_[place].node;
  }

 private:
  struct Slot {
    std::size_t hash = 0;
    const Node* node = nullptr;
  };
  std::vector<Slot> slots_;
};

std::uint64_t NextNumber() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

Graph::Graph(std::string name)
    : number_(NextNumber()), name_(std::move(name)), pool_(std::make_shared<NodePool>()) {}

Node& Graph::Make(std::string type, std::string name) {
  Node& node = pool_->Make(std::move(type), std::move(name));
  Add(node);
  return node;
}

void Graph::Add(Node& node) {
  if (Contains(node)) return;
  NodePool::Join(pool_, node);
  if (nodes_.size() == nodes_.capacity()) nodes_.reserve(2 * nodes_.size() + 1);  // memory may be short
  if (node.home_ != 0) {
    guests_.emplace(&node, nodes_.size());
  } else {
    node.home_ = number_;
    node.place_ = nodes_.size();
  }
  nodes_.push_back(&node);
}

std::size_t Graph::PlaceOfGuest(const Node& node) const noexcept {
  const auto found = guests_.find(&node);
  return found == guests_.end() ? kNowhere : found->second;
}

void Graph::SetPlace(Node& node, std::size_t place) {
  if (node.home_ == number_)
    node.place_ = place;
  else
    guests_.at(&node) = place;
}

void Graph::Leave(Node& node) {
  if (node.home_ == number_)
    node.home_ = 0;
  else
    guests_.erase(&node);
}

void Graph::Remove(Node& node) {
  Remove(std::vector<Node*>{&node});
}

void Graph::Remove(const std::vector<Node*>& nodes) {
  Forget(nodes);
  for (Node* node : nodes)
    node->DisconnectAll();
}

void Graph::Drop(Node& node) {
  dropped_.push_back(&node);
  node.DisconnectAll();
}

void Graph::Sweep() {
  if (!dropped_.empty()) Forget(std::exchange(dropped_, {}));
}

void Graph::Forget(const std::vector<Node*>& nodes) {
  if (nodes.empty()) return;
  std::size_t kept = nodes_.size();
  for (Node* node : nodes) {
    const std::size_t place = PlaceOf(*node);
    if (place == kNowhere) continue;
    nodes_[place] = nullptr;
    kept = std::min(kept, place);
    Leave(*node);
  }
  for (std::size_t i = kept; i < nodes_.size(); ++i) {
    if (nodes_[i] == nullptr) continue;
    SetPlace(*nodes_[i], kept);
    nodes_[kept++] = nodes_[i];
  }
  nodes_.resize(kept);
  const auto gone = [&](const Node* node) { return !Contains(*node); };
  std::erase_if(inputs, gone);
  std::erase_if(targets, gone);
  outputs.EraseIf([&](const OutputRef& output) { return gone(output.node); });
}

Node* Graph::Find(std::string_view name) const noexcept {
  const auto found =
      std::find_if(nodes_.begin(), nodes_.end(), [&](const Node* node) { return node->name() == name; });
  return found == nodes_.end() ? nullptr : *found;
}

void Graph::AddConnected() {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (i + kNodesAhead < nodes_.size()) FetchPorts(*nodes_[i + kNodesAhead]);
    ForEachNeighbour(*nodes_[i], [&](Node& neighbour) { Add(neighbour); });
  }
}

std::vector<Node*> Graph::Order() const {
  enum State : std::uint8_t { kNew, kBeingVisited, kDone };
  std::vector<State> states(nodes_.size(), kNew);
  std::vector<Node*> order;
  order.reserve(nodes_.size());
  struct Visited {
    Node* node;
    State* state;
    std::size_t next;  // of its producers
  };
  std::vector<Visited> stack;  // deep graphs must not need a deep call stack
  const auto enter = [&](Node& node) {
    const std::size_t place = PlaceOf(node);
    if (place == kNowhere)
      Fail(kInvalidParam, "{} is linked with graph '{}' but is not in it", node.Description(), name_);
    State& state = states[place];
    if (state == kDone) return;
    if (state == kBeingVisited) Fail(kInvalidParam, "{} depends on itself", node.Description());
    state = kBeingVisited;
    stack.push_back({&node, &state, 0});
  };
  const auto is_done = [&](const Node* producer) {
    const std::size_t place = producer == nullptr ? kNowhere : PlaceOf(*producer);
    return producer == nullptr || (place != kNowhere && states[place] == kDone);
  };
  std::size_t place = 0;
  for (Node* root : PortWalk(nodes_)) {
    State& state_of_root = states[place++];
    if (state_of_root == kDone) continue;
    std::size_t done = 0;
    while (done < Producers(*root) && is_done(Producer(*root, done)))
      ++done;
    if (done == Producers(*root)) {  // most graphs are in order
      state_of_root = kDone;
      order.push_back(root);
      continue;
    }
    enter(*root);
    while (!stack.empty()) {
      auto& [node, state, next] = stack.back();
      if (next < Producers(*node)) {
        if (Node* producer = Producer(*node, next++)) enter(*producer);
        continue;
      }
      *state = kDone;
      order.push_back(node);
      stack.pop_back();
    }
  }
  return order;
}

void Graph::Validate() const {
  std::string faults;
  NodesByName names(nodes_.size());
  for (const Node* node : PortWalk(nodes_)) {
    const Node& first = names.Insert(*node);
    if (&first != node)
      faults += fmt::format("\n  {} has the same name as {}", node->Description(), first.Description());
    for (const Input& input : node->inputs())
      if (!input.source && input.kind == PortKind::kRequired && !IsFedFromOutside(*node))
        faults += fmt::format("\n  {}: required input '{}' has no source", node->Description(), input.name);
  }
  if (!faults.empty()) throw Error(kInvalidParam, fmt::format("graph '{}' is not valid:{}", name_, faults));
  Order();
}

}  // namespace foothold
