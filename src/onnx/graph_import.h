// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// One graph of a model on its way to a graph of the Graph Engine: which name is which value, and the loop
// over its nodes. Made for the model's own graph and by mappings for the graphs of If, Loop and Scan. One
// thread at a time.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "onnx/captures.h"
#include "onnx/model.h"
#include "onnx/report.h"
#include "prototypes/graph_builder.h"

namespace foothold::onnx {

// Thrown where something is missing whose reason the report has already.
struct AlreadyReported {};

class GraphImport {
 public:
  // `outer` and `captures` are null for the model's own graph. All arguments outlive this.
  GraphImport(const ModelGraph& from, ImportReport& report, std::string name, GraphImport* outer = nullptr,
              Captures* captures = nullptr);

  const ModelGraph& from() const { return from_; }
  GraphBuilder& builder() { return builder_; }
  ImportReport& report() { return report_; }

  // A node fed from outside.
  OutputRef AddInput(std::string_view name, std::int64_t index, const ValueType& type);
  // Nodes that cannot be imported go into the report, and so does nothing that follows from them.
  void ImportNodes();
  // The input that is the captured value at this place, also if only another graph of the node reads it.
  OutputRef CapturedInput(std::size_t place);
  OutputRef AddCapturedInput(std::size_t place, std::string_view name, const ValueType& type);

  void Bind(ValueNumber number, OutputRef value) { values_[static_cast<std::size_t>(number)] = value; }
  void BindConstant(ValueNumber number, TensorValue value);
  // Makes the constant or the captured input when first asked. Throws AlreadyReported for what a failed node
  // would have given.
  OutputRef Find(ValueNumber number);
  // Its value if it is a constant, else null.
  const TensorValue* Known(ValueNumber number) const;
  ValueType TypeOf(ValueNumber number) const;

 private:
  void ImportNode(const ModelNode& node);
  void MarkFailed(const ModelNode& node);
  bool DependsOnFailure(const ModelNode& node) const;
  bool HasFailed(ValueNumber number) const;
  const ModelValue& ValueOf(ValueNumber number) const {
    return from_.values[static_cast<std::size_t>(number)];
  }
  bool IsBound(ValueNumber number) const { return bool(values_[static_cast<std::size_t>(number)]); }
  OutputRef MakeConstant(ValueNumber number, const TensorValue& value);

  const ModelGraph& from_;
  ImportReport& report_;
  GraphImport* outer_;
  Captures* captures_;
  GraphBuilder builder_;
  std::vector<OutputRef> values_;                           // by number; nothing: not made yet
  std::unordered_map<ValueNumber, TensorValue> constants_;  // found while importing
  std::unordered_set<ValueNumber> failed_;
  std::vector<OutputRef> captured_;  // inputs, by place among the captures
};

}  // namespace foothold::onnx
