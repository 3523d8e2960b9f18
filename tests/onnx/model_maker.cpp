// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/model_maker.h"

#include <stdexcept>

#include "ge/ge_api.h"
#include "parser/onnx_parser.h"

namespace foothold {
namespace {

using Proto = ::onnx::TensorProto;

template <typename T>
void AddTensor(::onnx::GraphProto& graph, const std::string& name, int type, const Shape& shape,
               const std::vector<T>& values) {
  Proto& tensor = *graph.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(type);
  for (const std::int64_t dim : shape)
    tensor.add_dims(dim);
  tensor.set_raw_data(values.data(), values.size() * sizeof(T));
}

ge::Session& TheSession() {
  static ge::Session session{Options{}};
  return session;
}

std::string TextIf(ge::graphStatus status) {
  if (status == ge::GRAPH_SUCCESS) return {};
  const std::string text = ge::GEGetErrorMsg();
  return text.empty() ? "failed without a message" : text;
}

void Require(std::uint32_t status) {
  if (status != ge::SUCCESS) throw std::runtime_error(ge::GEGetErrorMsg());
}

}  // namespace

ModelMaker::ModelMaker(int opset) {
  model_.set_ir_version(8);
  auto& import = *model_.add_opset_import();
  import.set_domain("");
  import.set_version(opset);
  graph().set_name("made");
}

void AddValue(::onnx::ValueInfoProto& value, const std::string& name, const Shape& shape, int type) {
  value.set_name(name);
  auto& tensor = *value.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  tensor.mutable_shape();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    auto& dim = *tensor.mutable_shape()->add_dim();
    if (shape[i] < 0) {
      dim.set_dim_param("open" + std::to_string(i));
    } else {
      dim.set_dim_value(shape[i]);
    }
  }
}

ModelMaker& ModelMaker::Input(const std::string& name, const Shape& shape, int type) {
  AddValue(*graph().add_input(), name, shape, type);
  return *this;
}

ModelMaker& ModelMaker::Output(const std::string& name, int type) {
  auto& output = *graph().add_output();
  output.set_name(name);
  output.mutable_type()->mutable_tensor_type()->set_elem_type(type);
  return *this;
}

ModelMaker& ModelMaker::Weights(const std::string& name, const Shape& shape,
                                const std::vector<float>& values) {
  AddTensor(graph(), name, Proto::FLOAT, shape, values);
  return *this;
}

ModelMaker& ModelMaker::Numbers(const std::string& name, const Shape& shape,
                                const std::vector<std::int64_t>& values) {
  AddTensor(graph(), name, Proto::INT64, shape, values);
  return *this;
}

::onnx::NodeProto& AddNode(::onnx::GraphProto& graph, const std::string& op,
                           const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
  ::onnx::NodeProto& node = *graph.add_node();
  node.set_name(op);
  node.set_op_type(op);
  for (const std::string& input : inputs)
    node.add_input(input);
  for (const std::string& output : outputs)
    node.add_output(output);
  return node;
}

::onnx::NodeProto& ModelMaker::Node(const std::string& op, const std::vector<std::string>& inputs,
                                    const std::vector<std::string>& outputs) {
  return AddNode(graph(), op, inputs, outputs);
}

void SetInt(::onnx::NodeProto& node, const std::string& name, std::int64_t value) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(::onnx::AttributeProto::INT);
  attribute.set_i(value);
}

void SetInts(::onnx::NodeProto& node, const std::string& name, const Shape& values) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(::onnx::AttributeProto::INTS);
  for (const std::int64_t value : values)
    attribute.add_ints(value);
}

void SetFloat(::onnx::NodeProto& node, const std::string& name, float value) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(::onnx::AttributeProto::FLOAT);
  attribute.set_f(value);
}

::onnx::GraphProto& SetGraph(::onnx::NodeProto& node, const std::string& name) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(::onnx::AttributeProto::GRAPH);
  attribute.mutable_g()->set_name(name);
  return *attribute.mutable_g();
}

std::string ParseFile(const std::string& path, const Options& options, ge::Graph* graph) {
  ge::Graph own("parsed");
  (void)ge::GEGetErrorMsg();
  return TextIf(ge::aclgrphParseONNX(path.c_str(), options, graph == nullptr ? own : *graph));
}

std::string ParseBytes(const std::string& bytes, const Options& options, ge::Graph* graph) {
  ge::Graph own("parsed");
  (void)ge::GEGetErrorMsg();
  return TextIf(
      ge::aclgrphParseONNXFromMem(bytes.data(), bytes.size(), options, graph == nullptr ? own : *graph));
}

ge::Tensor FloatTensor(const Shape& shape, const std::vector<float>& values) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(values.data());
  return ge::Tensor(ge::TensorDesc(ge::Shape(shape), ge::FORMAT_ND, ge::DT_FLOAT), data,
                    values.size() * sizeof(float));
}

std::vector<float> FloatsOf(const ge::Tensor& tensor) {
  const auto* data = reinterpret_cast<const float*>(tensor.GetData());
  return {data, data + tensor.GetSize() / sizeof(float)};
}

std::vector<ge::Tensor> RunModel(const ge::Graph& graph, const std::vector<ge::Tensor>& inputs) {
  static std::uint32_t next_id = 0;
  const std::uint32_t id = ++next_id;
  Require(TheSession().AddGraph(id, graph));
  std::vector<ge::Tensor> outputs;
  Require(TheSession().RunGraph(id, inputs, outputs));
  Require(TheSession().RemoveGraph(id));
  return outputs;
}

std::vector<ge::Tensor> RunModel(ModelMaker& model, const std::vector<ge::Tensor>& inputs,
                                 const Options& options) {
  ge::Graph graph("parsed");
  const std::string error = ParseBytes(model.bytes(), options, &graph);
  if (!error.empty()) throw std::runtime_error(error);
  return RunModel(graph, inputs);
}

}  // namespace foothold
