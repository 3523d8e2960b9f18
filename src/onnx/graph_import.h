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

  // A node fed from outside that is the value `name` from now on.
  OutputRef AddInput(const std::string& name, std::int64_t index, const ValueType& type);
  // Nodes that cannot be imported go into the report, and so does nothing that follows from them.
  void ImportNodes();
  // Gives every captured value an input, also those that only another graph of the node reads.
  void AddCapturedInputs();

  void Bind(const std::string& name, OutputRef value);
  void BindConstant(const std::string& name, TensorValue value);
  // Makes the constant or the captured input when first asked. Throws AlreadyReported for what a failed node
  // would have given.
  OutputRef Find(const std::string& name);
  // Its value if it is a constant, else null.
  const TensorValue* Known(const std::string& name) const;
  ValueType TypeOf(const std::string& name) const;

 private:
  void ImportNode(const ModelNode& node);
  void MarkFailed(const ModelNode& node);
  bool DependsOnFailure(const ModelNode& node) const;
  bool HasFailed(const std::string& name) const;
  OutputRef MakeConstant(const std::string& name, const TensorValue& value);

  const ModelGraph& from_;
  ImportReport& report_;
  GraphImport* outer_;
  Captures* captures_;
  GraphBuilder builder_;
  std::unordered_map<std::string, OutputRef> values_;
  std::unordered_map<std::string, TensorValue> constants_;  // found while importing
  std::unordered_set<std::string> failed_;
};

}  // namespace foothold::onnx
