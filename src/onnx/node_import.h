// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the mapping of an operator sees: the ONNX node, and the means to say what becomes of it. A mapping
// reads inputs and attributes, makes operators and ends with Out for every output:
//
//   void MapElu(NodeImport& node) {
//     node.Out(0, node.Op("Elu", {node.In(0)}).Set("alpha", node.Float("alpha", 1.0f)));
//   }
//
// One thread at a time.
#pragma once

#include <fmt/core.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/graph_import.h"

namespace foothold::onnx {

using Ints = std::vector<std::int64_t>;
using Floats = std::vector<float>;

class NodeImport {
 public:
  NodeImport(GraphImport& graph, const ModelNode& node);

  const ModelNode& node() const { return node_; }
  std::string op() const { return std::string(node_.op); }
  int version() const { return node_.version; }
  GraphImport& graph() { return graph_; }
  GraphBuilder& builder() { return graph_.builder(); }

  int inputs() const { return static_cast<int>(node_.inputs.size()); }
  int outputs() const { return static_cast<int>(node_.outputs.size()); }
  bool Has(int input) const;     // given
  bool Wants(int output) const;  // somebody may read it
  OutputRef In(int input);       // refuses if it is not given
  OutputRef InOr(int input);     // nothing if it is not given
  std::vector<OutputRef> AllInputs();

  // What is known before a run. Type and rank refuse where inference has not found them.
  ValueType TypeOf(int input) const;
  DataType ElementType(int input) const;
  std::size_t Rank(int input) const;
  std::optional<std::size_t> KnownRank(int input) const;
  // The type a number of the standard (TensorProto.DataType) stands for. Refuses those that are not computed
  // with.
  DataType TypeOfNumber(std::int64_t number) const;
  // An axis counted from either end, as 0 .. rank. Refuses one outside.
  std::int64_t AxisWithin(std::int64_t axis, std::size_t rank) const;
  ValueType OutputType(int output) const;
  const TensorValue* Known(int input) const;       // null: not a constant
  std::optional<Ints> KnownInts(int input) const;  // of an integer constant
  std::optional<double> KnownNumber(int input) const;

  bool HasAttribute(std::string_view name) const { return node_.attributes.count(name) != 0; }
  std::int64_t Int(std::string_view name, std::int64_t otherwise) const;
  float Float(std::string_view name, float otherwise) const;
  std::string Text(std::string_view name, std::string_view otherwise) const;
  Ints IntList(std::string_view name, Ints otherwise = {}) const;
  Floats FloatList(std::string_view name, Floats otherwise = {}) const;
  const TensorValue* Tensor(std::string_view name) const;  // null: not given
  const ModelGraph& Body(std::string_view name) const;     // refuses if it is not given

  OpBuilder Op(const std::string& type, std::initializer_list<OutputRef> inputs = {});
  OutputRef Cast(OutputRef value, DataType to);

  void Out(int output, OutputRef value);
  void OutConstant(int output, TensorValue value);
  // Checks that all outputs are there and gives the first operator the name of the node.
  void Finish();

  template <typename... Args>
  [[noreturn]] void Unsupported(fmt::format_string<Args...> format, Args&&... args) const {
    UnsupportedText(fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  [[noreturn]] void UnsupportedText(std::string text) const;
  template <typename T>
  const T* Find(std::string_view name) const;

  GraphImport& graph_;
  const ModelNode& node_;
  std::string name_;
  std::size_t first_made_;  // nodes of the graph before this one
};

}  // namespace foothold::onnx
