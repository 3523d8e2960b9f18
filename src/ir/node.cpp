// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ir/node.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "ir/graph.h"
#include "ir/node_pool.h"

namespace foothold {
namespace {

template <typename Ports>
int IndexOf(const Ports& ports, std::string_view name) noexcept {
  for (std::size_t i = 0; i < ports.size(); ++i)
    if (ports[i].name == name) return static_cast<int>(i);
  return -1;
}

template <typename Ports>
std::vector<int> GroupOf(const Ports& ports, std::string_view group) {
  std::vector<int> found;
  for (std::size_t i = 0; i < ports.size(); ++i)
    if (ports[i].group == group) found.push_back(static_cast<int>(i));
  return found;
}

template <typename Ports>
auto& Insert(Ports& ports, std::string name, PortKind kind, std::string group, int position) {
  const auto at =
      position < 0 ? ports.end() : ports.begin() + std::min(position, static_cast<int>(ports.size()));
  const auto port = ports.emplace(at);
  port->group = group.empty() ? name : std::move(group);
  port->name = std::move(name);
  port->kind = kind;
  return *port;
}

}  // namespace

Node::~Node() {
  for (const Subgraph& subgraph : subgraphs)
    if (subgraph.graph && subgraph.graph->parent == this) subgraph.graph->parent = nullptr;
}

Input& Node::AddInput(std::string name, PortKind kind, std::string group, int position) {
  Input& input = Insert(inputs_, std::move(name), kind, std::move(group), position);
  const auto index = static_cast<std::size_t>(&input - inputs_.data());
  if (index + 1 < inputs_.size()) Renumber();
  return inputs_[index];
}

Output& Node::AddOutput(std::string name, PortKind kind, std::string group, int position) {
  const bool shifts = position >= 0 && position < static_cast<int>(outputs_.size());
  Output& output = Insert(outputs_, std::move(name), kind, std::move(group), position);
  if (!shifts) return output;
  const auto index = static_cast<std::size_t>(&output - outputs_.data());
  for (std::size_t i = index + 1; i < outputs_.size(); ++i)
    for (const InputRef& consumer : outputs_[i].consumers)
      consumer.node->inputs_[static_cast<std::size_t>(consumer.port)].source.port = static_cast<int>(i);
  return outputs_[index];
}

// After a port was inserted the producers still know the later ones by their old positions.
void Node::Renumber() {
  for (Input& input : inputs_) {
    if (!input.source) continue;
    auto& consumers = input.source.node->outputs_[static_cast<std::size_t>(input.source.port)].consumers;
    std::erase_if(consumers, [&](const InputRef& consumer) { return consumer.node == this; });
  }
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const OutputRef source = inputs_[i].source;
    if (source)
      source.node->outputs_[static_cast<std::size_t>(source.port)].consumers.push_back(
          {this, static_cast<int>(i)});
  }
}

int Node::InputIndex(std::string_view name) const noexcept {
  return IndexOf(inputs_, name);
}
int Node::OutputIndex(std::string_view name) const noexcept {
  return IndexOf(outputs_, name);
}
std::vector<int> Node::InputGroup(std::string_view group) const {
  return GroupOf(inputs_, group);
}
std::vector<int> Node::OutputGroup(std::string_view group) const {
  return GroupOf(outputs_, group);
}

const TensorType& Node::InputType(int port) const {
  const Input& input = inputs_.at(static_cast<std::size_t>(port));
  if (!input.source) return input.desc;
  return input.source.node->outputs_[static_cast<std::size_t>(input.source.port)].desc;
}

void Node::Connect(int port, OutputRef source) {
  if (port < 0 || port >= static_cast<int>(inputs_.size()))
    Fail(kInvalidParam, "{} has {} inputs, so there is no input {}", Description(), inputs_.size(), port);
  if (source.port < 0 || source.port >= static_cast<int>(source.node->outputs_.size()))
    Fail(kInvalidParam, "{} has {} outputs, so there is no output {}", source.node->Description(),
         source.node->outputs_.size(), source.port);
  Disconnect(port);
  NodePool::Join(*this, *source.node);
  inputs_[static_cast<std::size_t>(port)].source = source;
  source.node->outputs_[static_cast<std::size_t>(source.port)].consumers.push_back({this, port});
}

void Node::Disconnect(int port) {
  OutputRef& source = inputs_.at(static_cast<std::size_t>(port)).source;
  if (!source) return;
  std::erase(source.node->outputs_[static_cast<std::size_t>(source.port)].consumers, InputRef{this, port});
  source = {};
}

void Node::AddControlInput(Node& source) {
  if (std::find(control_inputs_.begin(), control_inputs_.end(), &source) != control_inputs_.end()) return;
  NodePool::Join(*this, source);
  control_inputs_.push_back(&source);
  source.control_outputs_.push_back(this);
}

void Node::RemoveControlInput(Node& source) {
  std::erase(control_inputs_, &source);
  std::erase(source.control_outputs_, this);
}

void Node::DisconnectAll() {
  for (std::size_t i = 0; i < inputs_.size(); ++i)
    Disconnect(static_cast<int>(i));
  for (Output& output : outputs_)
    while (!output.consumers.empty())
      output.consumers.back().node->Disconnect(output.consumers.back().port);
  while (!control_inputs_.empty())
    RemoveControlInput(*control_inputs_.back());
  while (!control_outputs_.empty())
    control_outputs_.back()->RemoveControlInput(*this);
}

Subgraph* Node::FindSubgraph(std::string_view name) noexcept {
  const auto found = std::find_if(subgraphs.begin(), subgraphs.end(),
                                  [&](const Subgraph& subgraph) { return subgraph.name == name; });
  return found == subgraphs.end() ? nullptr : &*found;
}

const Subgraph* Node::FindSubgraph(std::string_view name) const noexcept {
  return const_cast<Node*>(this)->FindSubgraph(name);
}

std::string Node::Description() const {
  return fmt::format("node '{}' ({})", name_, type_);
}

Graph& GraphOf(Node& node, Subgraph& subgraph) {
  if (!subgraph.graph && subgraph.builder) subgraph.graph = subgraph.builder();
  if (!subgraph.graph)
    Fail(kInvalidParam, "{} has no graph for its subgraph '{}'", node.Description(), subgraph.name);
  return *subgraph.graph;
}

void ReplaceUses(OutputRef from, OutputRef to) {
  const auto consumers = from.node->outputs()[static_cast<std::size_t>(from.port)].consumers;
  for (const InputRef& consumer : consumers)
    consumer.node->Connect(consumer.port, to);
}

}  // namespace foothold
