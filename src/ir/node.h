// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A node: an operator with its ports, links, attributes and subgraphs. Made by the program through the public
// classes and copied (Graph::Clone) before the compiler changes anything. Links are kept on both ends. A node
// is owned by its pool; plain pointers between connected nodes are therefore safe. One thread at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/attribute.h"
#include "ir/consumer_list.h"
#include "ir/port_desc.h"
#include "ir/strided_view.h"

namespace foothold {

class Graph;
class Node;
class NodePool;

enum class PortKind : std::uint8_t { kRequired, kOptional, kDynamic };

// Where a value comes from.
struct OutputRef {
  Node* node = nullptr;
  int port = 0;
  explicit operator bool() const { return node != nullptr; }
  bool operator==(const OutputRef&) const = default;
};

// What walks through graphs read comes first in both.
struct Input {
  OutputRef source;       // nothing: not connected
  std::uint32_t use = 0;  // which of the source's consumers this is; kept by the node
  PortKind kind = PortKind::kRequired;
  PortDesc desc;
  // What is read of the source, if that is not all of it in its order; `desc` is the type of that then.
  // Passes set it for operators that take strides, right before graphs are lowered; a new source has none.
  std::shared_ptr<const StridedView> view;
  std::string name;   // of this port; an instance of a dynamic port x is x0, x1, ...
  std::string group;  // name of the declared port: x for x0, x1, ...
};

struct Output {
  // Kept by Connect and Disconnect; in the order of connecting, as long as they are few.
  ConsumerList consumers;
  PortKind kind = PortKind::kRequired;
  PortDesc desc;
  // Written so into another value, instead of memory of its own; set as those of inputs are.
  std::shared_ptr<const StridedView> view;
  OutputRef into;
  std::string name;
  std::string group;
};

using Inputs = std::pmr::vector<Input>;
using Outputs = std::pmr::vector<Output>;

// A graph that the node runs: the branches of If, the body of While. Made when first asked for.
struct Subgraph {
  std::string name;   // as declared, with _<index> when the operator declares a list
  std::string group;  // as declared
  std::function<std::shared_ptr<Graph>()> builder;
  std::shared_ptr<Graph> graph;
  std::shared_ptr<void> prepared =
      nullptr;  // what the compiler has made of it; copies of the node begin without
};

class Node {
 public:
  // Its ports are in that memory, as the node itself.
  Node(NodePool& pool, std::pmr::memory_resource& memory, std::string type, std::string name)
      : inputs_(&memory), outputs_(&memory), pool_(&pool), type_(std::move(type)), name_(std::move(name)) {}
  ~Node();  // graphs it ran, which a program may still hold, have no parent then
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  const std::string& type() const { return type_; }
  const std::string& name() const { return name_; }
  void set_name(std::string name) { name_ = std::move(name); }
  void set_type(std::string type) { type_ = std::move(type); }  // a pass turns one operator into another

  // Ports are appended; a position of -1 is the end. Links to later ports follow their ports.
  Input& AddInput(std::string name, PortKind kind, std::string group = {}, int position = -1);
  Output& AddOutput(std::string name, PortKind kind, std::string group = {}, int position = -1);
  // So many are going to be added: they are made where they stay.
  void ReservePorts(std::size_t inputs, std::size_t outputs);

  Inputs& inputs() { return inputs_; }
  const Inputs& inputs() const { return inputs_; }
  Outputs& outputs() { return outputs_; }
  const Outputs& outputs() const { return outputs_; }
  int InputIndex(std::string_view name) const noexcept;   // -1: no such port
  int OutputIndex(std::string_view name) const noexcept;  // -1: no such port
  // Instances of a dynamic port, by position.
  std::vector<int> InputGroup(std::string_view group) const;
  std::vector<int> OutputGroup(std::string_view group) const;

  // The type of what arrives at an input: its source's output, or the view of it that is read; where nothing
  // is connected, what the program said about the port.
  const TensorType& InputType(int port) const;

  // Replaces a link that is there. Throws kInvalidParam if a port does not exist.
  void Connect(int port, OutputRef source);
  void Disconnect(int port);
  // Connects an input that reads a view of the source.
  void ConnectView(int port, OutputRef source, StridedView view);
  void AddControlInput(Node& source);  // once, however often it is called
  void RemoveControlInput(Node& source);
  const std::vector<Node*>& control_inputs() const { return control_inputs_; }
  const std::vector<Node*>& control_outputs() const { return control_outputs_; }
  void DisconnectAll();

  Attributes attributes;
  const Attribute* FindAttribute(std::string_view name) const noexcept;  // null: not there, or no value
  // Reading: the value or the given default. Throws kInvalidParam if the attribute has another kind.
  std::int64_t Int(std::string_view name, std::int64_t otherwise) const;
  float Float(std::string_view name, float otherwise) const;
  bool Bool(std::string_view name, bool otherwise) const;
  std::string Text(std::string_view name, std::string_view otherwise) const;
  std::vector<std::int64_t> Ints(std::string_view name, std::vector<std::int64_t> otherwise = {}) const;
  std::vector<float> Floats(std::string_view name, std::vector<float> otherwise = {}) const;

  // The folder of the file the node was read from; null: the program made it. Addresses and paths in such a
  // node may come from anywhere.
  std::shared_ptr<const std::string> file_folder;

  std::vector<Subgraph> subgraphs;
  Subgraph* FindSubgraph(std::string_view name) noexcept;
  const Subgraph* FindSubgraph(std::string_view name) const noexcept;

  // "node 'conv1' (Conv2D)": how messages name it.
  std::string Description() const;

 private:
  friend class Graph;
  friend class NodePool;
  friend class NodeRef;

  ConsumerList& ConsumersOf(const OutputRef& value) const;
  void Forget(ConsumerList& consumers, std::size_t use);
  friend void ReplaceUses(OutputRef from, OutputRef to);

  Inputs inputs_;
  Outputs outputs_;
  std::vector<Node*> control_inputs_;
  std::vector<Node*> control_outputs_;
  NodePool* pool_;
  std::uint64_t home_ = 0;  // the number of the graph that added it first, and has it at this place; 0: none
  std::size_t place_ = 0;
  std::string type_;
  std::string name_;
};

// The graph of a subgraph, made by its builder if need be. Throws kInvalidParam if there is neither.
Graph& GraphOf(Node& node, Subgraph& subgraph);

// Moves all consumers of one value to another.
void ReplaceUses(OutputRef from, OutputRef to);

}  // namespace foothold
