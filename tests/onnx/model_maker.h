// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Small ONNX models, made in memory for tests.
#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

#include "graph/graph.h"
#include "graph/tensor.h"

namespace foothold {

using Shape = std::vector<std::int64_t>;  // -1: a dimension with a name

class ModelMaker {
 public:
  explicit ModelMaker(int opset = 13);

  ModelMaker& Input(const std::string& name, const Shape& shape, int type = ::onnx::TensorProto::FLOAT);
  ModelMaker& Output(const std::string& name, int type = ::onnx::TensorProto::FLOAT);
  ModelMaker& Weights(const std::string& name, const Shape& shape, const std::vector<float>& values);
  ModelMaker& Numbers(const std::string& name, const Shape& shape, const std::vector<std::int64_t>& values);
  // The node's name is its operator's unless changed.
  ::onnx::NodeProto& Node(const std::string& op, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs);

  ::onnx::ModelProto& model() { return model_; }
  ::onnx::GraphProto& graph() { return *model_.mutable_graph(); }
  std::string bytes() const { return model_.SerializeAsString(); }

 private:
  ::onnx::ModelProto model_;
};

void SetInt(::onnx::NodeProto& node, const std::string& name, std::int64_t value);
void SetInts(::onnx::NodeProto& node, const std::string& name, const Shape& values);
void SetFloat(::onnx::NodeProto& node, const std::string& name, float value);
::onnx::GraphProto& SetGraph(::onnx::NodeProto& node, const std::string& name);
::onnx::NodeProto& AddNode(::onnx::GraphProto& graph, const std::string& op,
                           const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);
void AddValue(::onnx::ValueInfoProto& value, const std::string& name, const Shape& shape, int type);

using Options = std::map<ge::AscendString, ge::AscendString>;

// Empty: parsed; else the text of GEGetErrorMsg.
std::string ParseFile(const std::string& path, const Options& options = {}, ge::Graph* graph = nullptr);
std::string ParseBytes(const std::string& bytes, const Options& options = {}, ge::Graph* graph = nullptr);

ge::Tensor FloatTensor(const Shape& shape, const std::vector<float>& values);
std::vector<float> FloatsOf(const ge::Tensor& tensor);
// Runs a parsed graph. Throws std::runtime_error with the text of GEGetErrorMsg.
std::vector<ge::Tensor> RunModel(const ge::Graph& graph, const std::vector<ge::Tensor>& inputs);
// Parses and runs.
std::vector<ge::Tensor> RunModel(ModelMaker& model, const std::vector<ge::Tensor>& inputs,
                                 const Options& options = {});

}  // namespace foothold
