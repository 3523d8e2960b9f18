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
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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
  // `name` if no node has it, else with a number.
  std::string UniqueName(const std::string& name);
  // Gives a node a name that UniqueName has given out.
  static void Rename(OutputRef value, const std::string& name) { value.node->set_name(name); }

  // The inputs by position as the prototype declares them.
  OpBuilder Op(const std::string& type, std::initializer_list<OutputRef> inputs = {});
  Node& Data(const std::string& name, std::int64_t index, const TensorType& type);

  OutputRef Const(TensorValue value, const std::string& name = "const");
  OutputRef Ints(const std::vector<std::int64_t>& values);  // int64, 1-D
  OutputRef Int(std::int64_t value);                        // int64 scalar
  OutputRef Number(DataType type, double value);            // a scalar of any real type

 private:
  std::shared_ptr<Graph> graph_;
  std::string prefix_;
  std::unordered_map<std::string, std::int64_t> names_;  // with the number to try for the next of that name
};

// A tensor of `dims` whose elements all are `value`, which is rounded to the type.
TensorValue Filled(DataType type, const Dims& dims, double value);

}  // namespace foothold
