// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ir/node.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/held_locks.h"
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

void CheckInput(const Node& node, int port) {
  if (port < 0 || port >= static_cast<int>(node.inputs().size()))
    Fail(kInvalidParam, "{} has {} inputs, so there is no input {}", node.Description(), node.inputs().size(),
         port);
}

void CheckOutput(const OutputRef& value) {
  if (value.port < 0 || value.port >= static_cast<int>(value.node->outputs().size()))
    Fail(kInvalidParam, "{} has {} outputs, so there is no output {}", value.node->Description(),
         value.node->outputs().size(), value.port);
}

}  // namespace

Node::~Node() {
  for (const Subgraph& subgraph : subgraphs)
    if (subgraph.graph && subgraph.graph->parent == this) subgraph.graph->parent = nullptr;
}

Input& Node::AddInput(std::string name, PortKind kind, std::string group, int position) {
  Input& input = Insert(inputs_, std::move(name), kind, std::move(group), position);
  const auto index = static_cast<std::size_t>(&input - inputs_.data());
  for (std::size_t i = index + 1; i < inputs_.size(); ++i)  // the producers know the later ones by position
    if (inputs_[i].source) ConsumersOf(inputs_[i].source)[inputs_[i].use].port = static_cast<int>(i);
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

void Node::ReservePorts(std::size_t inputs, std::size_t outputs) {
  inputs_.reserve(inputs_.size() + inputs);
  outputs_.reserve(outputs_.size() + outputs);
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
  CheckInput(*this, port);
  const Input& input = inputs_[static_cast<std::size_t>(port)];
  if (!input.source || input.view) return input.desc;
  return input.source.node->outputs_[static_cast<std::size_t>(input.source.port)].desc;
}

void Node::Connect(int port, OutputRef source) {
  CheckInput(*this, port);
  CheckOutput(source);
  Disconnect(port);
  NodePool::Join(*this, *source.node);
  ConsumerList& consumers = ConsumersOf(source);
  consumers.push_back({this, port});
  inputs_[static_cast<std::size_t>(port)].source = source;
  inputs_[static_cast<std::size_t>(port)].use = static_cast<std::uint32_t>(consumers.size() - 1);
}

void Node::Disconnect(int port) {
  Input& input = inputs_.at(static_cast<std::size_t>(port));
  if (!input.source) return;
  Forget(ConsumersOf(input.source), input.use);
  input.source = {};
  input.view.reset();
}

void Node::ConnectView(int port, OutputRef source, StridedView view) {
  TensorType type = InputType(port);
  type.dims = view.dims;
  Connect(port, source);
  Input& input = inputs_[static_cast<std::size_t>(port)];
  static_cast<TensorType&>(input.desc) = std::move(type);
  input.view = std::make_shared<const StridedView>(std::move(view));
}

ConsumerList& Node::ConsumersOf(const OutputRef& value) const {
  return value.node->outputs_[static_cast<std::size_t>(value.port)].consumers;
}

// Of many, the last takes the place: a value that thousands read would be moved about for each of them.
void Node::Forget(ConsumerList& consumers, std::size_t use) {
  constexpr std::size_t kFew = 32;
  if (consumers.size() > kFew)
    consumers[use] = consumers.back(), consumers.pop_back();
  else
    consumers.erase(use);
  const std::size_t last = consumers.size() >= kFew ? std::min(use + 1, consumers.size()) : consumers.size();
  for (; use < last; ++use)
    consumers[use].node->inputs_[static_cast<std::size_t>(consumers[use].port)].use =
        static_cast<std::uint32_t>(use);
}

void Node::AddControlInput(Node& source) {
  const bool fewer_sources = control_inputs_.size() < source.control_outputs_.size();
  const auto& links = fewer_sources ? control_inputs_ : source.control_outputs_;
  if (std::find(links.begin(), links.end(), fewer_sources ? &source : this) != links.end()) return;
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
  if (!subgraph.graph && subgraph.builder) {
    EnterProgram("a function that builds a subgraph");
    subgraph.graph = subgraph.builder();
  }
  if (!subgraph.graph)
    Fail(kInvalidParam, "{} has no graph for its subgraph '{}'", node.Description(), subgraph.name);
  return *subgraph.graph;
}

void ReplaceUses(OutputRef from, OutputRef to) {
  if (from == to) return;
  ConsumerList& before = from.node->ConsumersOf(from);
  if (before.empty()) return;
  CheckOutput(to);
  ConsumerList& after = to.node->ConsumersOf(to);
  after.reserve(after.size() + before.size());
  NodePool::Join(*from.node, *to.node);  // whose pool the consumers are in
  for (const InputRef& consumer : before) {
    Input& input = consumer.node->inputs_[static_cast<std::size_t>(consumer.port)];
    input.source = to;
    input.use = static_cast<std::uint32_t>(after.size());
    after.push_back(consumer);
  }
  before.clear();
}

}  // namespace foothold
