// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Small graphs for tests of the compiler, without the public classes.
#pragma once

#include <string>
#include <vector>

#include "compiler/executable.h"
#include "compiler/normalize.h"
#include "ir/graph.h"

namespace foothold {

inline TensorType FloatType(const Dims& dims) {
  return {DataType::kFloat, Format::kNd, dims};
}

inline OutputRef AddData(Graph& graph, const std::string& name, std::int64_t index, const Dims& dims = {}) {
  Node& node = graph.Make("Data", name);
  node.AddInput("x", PortKind::kRequired);
  node.AddOutput("y", PortKind::kRequired).desc = PortDesc(FloatType(dims));
  node.attributes["index"] = index;
  graph.inputs.push_back(&node);
  return {&node, 0};
}

inline OutputRef AddConstant(Graph& graph, const std::string& name, TensorValue value) {
  Node& node = graph.Make("Const", name);
  node.AddOutput("y", PortKind::kRequired).desc = PortDesc(value.type());
  node.attributes["value"] = std::move(value);
  return {&node, 0};
}

inline OutputRef AddVariable(Graph& graph, const std::string& name, const Dims& dims) {
  Node& node = graph.Make("Variable", name);
  node.AddOutput("y", PortKind::kRequired).desc = PortDesc(FloatType(dims));
  return {&node, 0};
}

struct NamedSource {
  std::string port;
  OutputRef source;
};

inline Node& AddNode(Graph& graph, const std::string& type, const std::string& name,
                     const std::vector<NamedSource>& inputs,
                     const std::vector<std::string>& outputs = {"y"}) {
  Node& node = graph.Make(type, name);
  for (const NamedSource& input : inputs) {
    node.AddInput(input.port, PortKind::kRequired);
    if (input.source) node.Connect(static_cast<int>(node.inputs().size()) - 1, input.source);
  }
  for (const std::string& output : outputs)
    node.AddOutput(output, PortKind::kRequired);
  return node;
}

inline TensorValue FloatValue(const Dims& dims, const std::vector<float>& values) {
  return TensorValue::Of<float>(DataType::kFloat, dims, values);
}

inline TensorValue Int64Value(const std::vector<std::int64_t>& values) {
  return TensorValue::Of<std::int64_t>(DataType::kInt64, {static_cast<std::int64_t>(values.size())}, values);
}

inline std::vector<float> FloatsOf(const TensorValue& value) {
  return {value.As<float>(), value.As<float>() + ElementCount(value.dims())};
}

class NoVariables : public VariableStore {
 public:
  std::byte* Memory(const ProgramVariable& variable) override {
    auto& value = values[variable.name];
    if (value.size() == 0) {
      value = TensorValue(variable.type);
      std::fill_n(value.MutableAs<std::uint8_t>(), value.size(), std::uint8_t{0});
    }
    return value.mutable_data();
  }
  std::map<std::string, TensorValue> values;
};

// Compiles and runs a graph once.
inline std::vector<TensorValue> RunOnce(const Graph& graph, const std::vector<TensorValue>& inputs) {
  Executable executable(Normalize(graph).graph);
  std::vector<TensorType> types;
  for (const TensorValue& input : inputs)
    types.push_back(input.type());
  NoVariables variables;
  return RunStages(*executable.Prepare(types), inputs, variables);
}

}  // namespace foothold
