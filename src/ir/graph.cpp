// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ir/graph.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "base/error.h"

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

// Numbers of nodes, in one piece of memory: graphs have hundreds of thousands of nodes, and most that is done
// with all of them waits for memory.
class NodeMarks {
 public:
  explicit NodeMarks(const std::vector<Node*>& nodes)
      : slots_(std::bit_ceil(2 * nodes.size() + 2)), shift_(64 - std::bit_width(slots_.size() - 1)) {
    for (const Node* node : nodes)
      slots_[PlaceOf(node)].node = node;
  }
  // Null: not one of the nodes.
  int* Find(const Node& node) {
    Slot& slot = slots_[PlaceOf(&node)];
    return slot.node == nullptr ? nullptr : &slot.mark;
  }

 private:
  struct Slot {
    const Node* node = nullptr;
    int mark = 0;
  };

  // Where it is or would be.
  std::size_t PlaceOf(const Node* node) const {
    const auto address = reinterpret_cast<std::uintptr_t>(node);
    std::size_t place = static_cast<std::uint64_t>(address) * 0x9E3779B97F4A7C15U >> shift_;
    while (slots_[place].node != nullptr && slots_[place].node != node)
      place = (place + 1) & (slots_.size() - 1);
    return place;
  }

  std::vector<Slot> slots_;
  int shift_;
};

}  // namespace

Node& Graph::Make(std::string type, std::string name) {
  Node& node = pool_->Make(std::move(type), std::move(name));
  Add(node);
  return node;
}

void Graph::Add(Node& node) {
  if (!members_.insert(&node).second) return;
  NodePool::Join(pool_, node);
  nodes_.push_back(&node);
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
  for (const Node* node : nodes)
    members_.erase(node);
  NodeMarks leaving(nodes);
  std::erase_if(nodes_, [&](const Node* node) { return leaving.Find(*node) != nullptr; });
  const auto gone = [&](const Node* node) { return !Contains(*node); };
  std::erase_if(inputs, gone);
  std::erase_if(targets, gone);
  outputs.EraseIf([&](const OutputRef& output) { return gone(output.node); });
}

bool Graph::Contains(const Node& node) const noexcept {
  return members_.count(&node) != 0;
}

Node* Graph::Find(std::string_view name) const noexcept {
  const auto found =
      std::find_if(nodes_.begin(), nodes_.end(), [&](const Node* node) { return node->name() == name; });
  return found == nodes_.end() ? nullptr : *found;
}

void Graph::AddConnected() {
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    ForEachNeighbour(*nodes_[i], [&](Node& neighbour) { Add(neighbour); });
}

std::vector<Node*> Graph::Order() const {
  NodeMarks state(nodes_);  // 1 being visited, 2 done
  std::vector<Node*> order;
  order.reserve(nodes_.size());
  struct Visited {
    Node* node;
    int* seen;
    std::size_t next;  // of its producers
  };
  std::vector<Visited> stack;  // deep graphs must not need a deep call stack
  const auto enter = [&](Node& node) {
    int* seen = state.Find(node);
    if (seen == nullptr)
      Fail(kInvalidParam, "{} is linked with graph '{}' but is not in it", node.Description(), name_);
    if (*seen == 2) return;
    if (*seen == 1) Fail(kInvalidParam, "{} depends on itself", node.Description());
    *seen = 1;
    stack.push_back({&node, seen, 0});
  };
  for (Node* root : nodes_) {
    enter(*root);
    while (!stack.empty()) {
      auto& [node, seen, next] = stack.back();
      if (next < Producers(*node)) {
        if (Node* producer = Producer(*node, next++)) enter(*producer);
        continue;
      }
      *seen = 2;
      order.push_back(node);
      stack.pop_back();
    }
  }
  return order;
}

void Graph::Validate() const {
  std::string faults;
  std::unordered_map<std::string_view, const Node*> names;
  for (const Node* node : nodes_) {
    const auto [other, fresh] = names.emplace(node->name(), node);
    if (!fresh)
      faults +=
          fmt::format("\n  {} has the same name as {}", node->Description(), other->second->Description());
    for (const Input& input : node->inputs())
      if (!input.source && input.kind == PortKind::kRequired && !IsFedFromOutside(*node))
        faults += fmt::format("\n  {}: required input '{}' has no source", node->Description(), input.name);
  }
  if (!faults.empty()) throw Error(kInvalidParam, fmt::format("graph '{}' is not valid:{}", name_, faults));
  Order();
}

}  // namespace foothold
