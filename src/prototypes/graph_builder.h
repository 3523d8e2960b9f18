// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Makes nodes of a graph the way mappings want to write them:
//
//   OutputRef y = graph.Op("LeakyRelu", {x}).Set("negative_slope", 0.01f);
//
// Ports and defaults come from the prototype; some operators of our own (src/ops/onnx) have none, their ports
// are those that are named. One thread at a time.
#pragma once

#include <initializer_list>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "base/name_map.h"
#include "ir/graph.h"

namespace foothold {

class OpBuilder {
 public:
  explicit OpBuilder(Node& node) : node_(&node) {}

  // Nothing happens for a value that is not there: an optional input stays open.
  OpBuilder& In(std::string_view port, OutputRef value);
  OpBuilder& InList(std::string_view port, const std::vector<OutputRef>& values);
  OpBuilder& Set(std::string_view attribute, Attribute value);
  // Instances of a dynamic output, or further outputs of an operator of our own.
  OpBuilder& Outputs(std::string_view port, std::size_t count);

  OutputRef Out(int port = 0) const { return {node_, port}; }
  operator OutputRef() const { return Out(); }
  Node& node() const { return *node_; }

 private:
  Node* node_;
};

// A graph under construction: unique names, constants.
class GraphBuilder {
 public:
  explicit GraphBuilder(std::string name) : graph_(std::make_shared<Graph>(std::move(name))) {}

  const std::shared_ptr<Graph>& graph() const { return graph_; }
  // Names of nodes made from now on begin with this.
  void SetPrefix(std::string prefix) { prefix_ = std::move(prefix); }
  // So many nodes are going to be made.
  void Reserve(std::size_t nodes) { names_.Reserve(nodes); }
  // `name` if no node has it, else with a number.
  std::string UniqueName(const std::string& name);
  // Gives a node a name that UniqueName has given out.
  void Rename(OutputRef value, const std::string& name);

  // The inputs by position as the prototype declares them.
  OpBuilder Op(const std::string& type, std::initializer_list<OutputRef> inputs = {});
  // The same for a node that Rename mostly gives another name at once: its own is looked at when somebody
  // else asks for one, or by SettleName.
  OpBuilder OpToRename(const std::string& type, std::initializer_list<OutputRef> inputs = {});
  void SettleName();
  Node& Data(const std::string& name, std::int64_t index, const TensorType& type);

  OutputRef Const(TensorValue value, const std::string& name = "const");
  OutputRef Ints(const std::vector<std::int64_t>& values);  // int64, 1-D
  OutputRef Int(std::int64_t value);                        // int64 scalar
  OutputRef Number(DataType type, double value);            // a scalar of any real type

 private:
  OpBuilder MakeOp(const std::string& type, std::string name, std::initializer_list<OutputRef> inputs);
  // False: there is such a name already. With the number to try for the next of that name.
  std::pair<std::int64_t*, bool> AddName(const std::string& name);

  std::shared_ptr<Graph> graph_;
  std::string prefix_;
  std::pmr::monotonic_buffer_resource text_;  // of the names
  NameMap<std::int64_t> names_;
  Node* unsettled_ = nullptr;
};

// A tensor of `dims` whose elements all are `value`, which is rounded to the type.
TensorValue Filled(DataType type, const Dims& dims, double value);

}  // namespace foothold
