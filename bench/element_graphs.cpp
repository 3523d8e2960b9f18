// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "element_graphs.h"

#include <all_ops.h>
#include <fmt/format.h>
#include <onnx/onnx_pb.h>

namespace bench {
namespace {

// Node i of a chain, by its remainder.
constexpr const char* kOperators[] = {"Add", "Mul", "Sub"};

ge::Operator Data(const char* name, int index, const ge::TensorDesc& desc) {
  auto data = ge::op::Data(name).set_attr_index(index);
  data.update_input_desc_x(desc);
  data.update_output_desc_y(desc);
  return data;
}

ge::TensorDesc DescOf(std::int64_t size) {
  return ge::TensorDesc(ge::Shape({size}), ge::FORMAT_ND, ge::DT_FLOAT);
}

void Declare(onnx::ValueInfoProto& value, const std::string& name, std::int64_t size) {
  value.set_name(name);
  auto* type = value.mutable_type()->mutable_tensor_type();
  type->set_elem_type(onnx::TensorProto::FLOAT);
  type->mutable_shape()->add_dim()->set_dim_value(size);
}

void AddBlockNode(onnx::GraphProto& graph, int i, std::int64_t size, const std::string& last,
                  const std::string& before, const std::string& value) {
  static constexpr const char* kKinds[] = {"Mul", "Add", "Tanh", "Add"};
  auto* node = graph.add_node();
  node->set_op_type(kKinds[i % 4]);
  node->add_input(last);
  node->add_output(value);
  if (i % 4 == 3) node->add_input(before);
  if (i % 4 > 1) return;
  auto* weights = graph.add_initializer();
  weights->set_name(fmt::format("w{}", i));
  weights->set_data_type(onnx::TensorProto::FLOAT);
  weights->add_dims(size);
  for (std::int64_t k = 0; k < size; ++k)
    weights->add_float_data(0.5F);
  node->add_input(weights->name());
}

}  // namespace

ge::Graph BuildChain(int nodes, std::int64_t size) {
  const ge::Operator a = Data("a", 0, DescOf(size));
  const ge::Operator b = Data("b", 1, DescOf(size));
  ge::Operator last = a;
  for (int i = 0; i < nodes; ++i) {
    const std::string name = fmt::format("n{}", i);
    ge::Operator next = ge::OperatorFactory::CreateOperator(name.c_str(), kOperators[i % 3]);
    next.SetInput("x1", last, "y").SetInput("x2", b, "y");
    last = next;
  }
  ge::Graph graph("chain");
  graph.SetInputs({a, b}).SetOutputs(std::vector<ge::Operator>{last});
  return graph;
}

std::string ChainAsOnnx(int nodes, std::int64_t size) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(13);
  auto* graph = model.mutable_graph();
  graph->set_name("chain");
  Declare(*graph->add_input(), "a", size);
  Declare(*graph->add_input(), "b", size);
  Declare(*graph->add_output(), "y", size);
  std::string last = "a";
  for (int i = 0; i < nodes; ++i) {
    auto* node = graph->add_node();
    node->set_op_type(kOperators[i % 3]);
    node->add_input(last);
    node->add_input("b");
    last = i + 1 == nodes ? "y" : fmt::format("t{}", i);
    node->add_output(last);
  }
  return model.SerializeAsString();
}

std::string BlocksAsOnnx(int nodes, std::int64_t size) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(13);
  auto* graph = model.mutable_graph();
  graph->set_name("blocks");
  Declare(*graph->add_input(), "a", size);
  Declare(*graph->add_input(), "b", size);
  std::string last = "a", before = "b";
  for (int i = 0; i < nodes; ++i) {
    const std::string value = fmt::format("t{}", i);
    AddBlockNode(*graph, i, size, last, before, value);
    if (i % 4 == 3) before = last;
    last = value;
  }
  Declare(*graph->add_output(), last, size);
  return model.SerializeAsString();
}

std::vector<float> ChainInput(int index, std::int64_t size) {
  std::vector<float> values(static_cast<std::size_t>(size));
  for (std::int64_t i = 0; i < size; ++i)
    values[static_cast<std::size_t>(i)] = static_cast<float>((i + 1 + index) % 7) / 7.0F;
  return values;
}

std::vector<ge::Tensor> ChainInputs(std::int64_t size) {
  std::vector<ge::Tensor> inputs;
  for (int index : {0, 1}) {
    const std::vector<float> values = ChainInput(index, size);
    inputs.emplace_back(DescOf(size), reinterpret_cast<const std::uint8_t*>(values.data()),
                        values.size() * sizeof(float));
  }
  return inputs;
}

std::vector<PeerTensor> PeerChainInputs(std::int64_t size) {
  std::vector<PeerTensor> inputs;
  for (int index : {0, 1}) {
    const std::vector<float> values = ChainInput(index, size);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
    inputs.push_back({index == 0 ? "a" : "b", 1, {size}, {bytes, bytes + values.size() * sizeof(float)}});
  }
  return inputs;
}

}  // namespace bench
