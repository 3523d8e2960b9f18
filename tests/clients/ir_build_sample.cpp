// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The published sample of building a graph by hand and changing it afterwards: a quantized convolution and a
// dense layer whose weights come from files, then an operator put between two nodes that are found by name.
// The sample goes on to make an offline model; here the graph is run, before and after the change.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "all_ops.h"
#include "clients/check.h"
#include "ge/ge_api.h"

namespace {

using Dims = std::vector<int64_t>;

constexpr int64_t kIn = 4, kSize = 6, kOut = 2, kLeft = 4, kFlat = kOut * kLeft * kLeft, kClasses = 10;
constexpr float kStep = -2, kScale = 0.125f;

int8_t Filter(int64_t i) {
  return static_cast<int8_t>(i % 5 - 2);
}
float Dense(int64_t i) {
  return static_cast<float>(i % 3 - 1) / 4;
}
float Input(int64_t i) {
  return static_cast<float>(i * 7 % 9 - 4);
}

template <typename T>
void WriteFile(const std::string& path, const std::vector<T>& values) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(T)));
  REQUIRE(file.good());
}

void WriteWeights() {
  std::vector<int8_t> filter;
  for (int64_t i = 0; i < kOut * kIn * 9; ++i)
    filter.push_back(Filter(i));
  WriteFile("ir_build_conv2d_weight.bin", filter);
  WriteFile("ir_build_conv2d_bias.bin", std::vector<int32_t>{3, -5});
  uint64_t scale = 0;
  std::memcpy(&scale, &kScale, sizeof(kScale));
  WriteFile("ir_build_dequant_scale.bin", std::vector<uint64_t>{scale});
  std::vector<float> dense;
  for (int64_t i = 0; i < kFlat * kClasses; ++i)
    dense.push_back(Dense(i));
  WriteFile("ir_build_dense_weight.bin", dense);
}

ge::op::Const FromFile(const char* path, const ge::TensorDesc& desc, int64_t bytes) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  REQUIRE(file.is_open() && file.tellg() == bytes);
  file.seekg(0, std::ios::beg);
  std::vector<char> data(static_cast<size_t>(bytes));
  REQUIRE(file.read(data.data(), bytes));
  std::remove(path);
  ge::Tensor tensor;
  REQUIRE(tensor.SetTensorDesc(desc) == ge::GRAPH_SUCCESS);
  REQUIRE(tensor.SetData(reinterpret_cast<uint8_t*>(data.data()), data.size()) == ge::GRAPH_SUCCESS);
  auto constant = ge::op::Const(path).set_attr_value(tensor);
  constant.update_output_desc_y(desc);
  return constant;
}

ge::TensorDesc Desc(const Dims& dims, ge::Format format, ge::DataType type) {
  return ge::TensorDesc(ge::Shape(dims), format, type);
}

template <typename T>
ge::op::Const Small(const char* name, const std::vector<T>& values, ge::DataType type) {
  const ge::TensorDesc desc = Desc({static_cast<int64_t>(values.size())}, ge::FORMAT_ND, type);
  auto constant = ge::op::Const(name).set_attr_value(
      ge::Tensor(desc, reinterpret_cast<const uint8_t*>(values.data()), values.size() * sizeof(T)));
  constant.update_output_desc_y(desc);
  return constant;
}

ge::op::AscendDequant Quantized(ge::op::Add& add) {
  auto quant = ge::op::AscendQuant("quant").set_input_x(add).set_attr_scale(1.0f).set_attr_offset(0.0f);
  const auto filter = FromFile("ir_build_conv2d_weight.bin",
                               Desc({kOut, kIn, 3, 3}, ge::FORMAT_NCHW, ge::DT_INT8), kOut * kIn * 9);
  const auto bias = FromFile("ir_build_conv2d_bias.bin", Desc({kOut}, ge::FORMAT_ND, ge::DT_INT32), kOut * 4);
  auto conv = ge::op::Conv2D("Conv2d")
                  .set_input_x(quant)
                  .set_input_filter(filter)
                  .set_input_bias(bias)
                  .set_attr_strides({1, 1, 1, 1})
                  .set_attr_pads({0, 0, 0, 0})
                  .set_attr_dilations({1, 1, 1, 1})
                  .set_attr_data_format("NCHW");
  conv.update_input_desc_x(Desc({1, kIn, kSize, kSize}, ge::FORMAT_NCHW, ge::DT_INT8));
  conv.update_input_desc_filter(Desc({kOut, kIn, 3, 3}, ge::FORMAT_NCHW, ge::DT_INT8));
  conv.update_output_desc_y(Desc({}, ge::FORMAT_NCHW, ge::DT_INT32));
  const auto scale = FromFile("ir_build_dequant_scale.bin", Desc({1}, ge::FORMAT_ND, ge::DT_UINT64), 8);
  return ge::op::AscendDequant("dequant").set_input_x(conv).set_input_deq_scale(scale);
}

ge::Graph Generate() {
  auto data = ge::op::Data("data").set_attr_index(0);
  const auto image = Desc({1, kIn, kSize, kSize}, ge::FORMAT_NCHW, ge::DT_FLOAT);
  data.update_input_desc_x(image);
  data.update_output_desc_y(image);
  const auto step = Small<float>("add_const", {kStep}, ge::DT_FLOAT);
  auto add = ge::op::Add("add").set_input_x1(data).set_input_x2(step);
  const auto dequant = Quantized(add);
  auto with_bias = ge::op::BiasAdd("bias_add_1")
                       .set_input_x(dequant)
                       .set_input_bias(Small<float>("bias_1", {0.5f, -0.25f}, ge::DT_FLOAT))
                       .set_attr_data_format("NCHW");
  auto flat = ge::op::Reshape("Reshape").set_input_x(with_bias).set_input_shape(
      Small<int32_t>("shape", {1, static_cast<int32_t>(kFlat)}, ge::DT_INT32));
  const auto weight = FromFile("ir_build_dense_weight.bin",
                               Desc({kFlat, kClasses}, ge::FORMAT_ND, ge::DT_FLOAT), kFlat * kClasses * 4);
  auto dense = ge::op::MatMul("MatMul_1").set_input_x1(flat).set_input_x2(weight);
  auto dense_bias =
      ge::op::BiasAdd("bias_add_2")
          .set_input_x(dense)
          .set_input_bias(Small<float>("bias_2", std::vector<float>(kClasses, 0.125f), ge::DT_FLOAT));
  auto relu = ge::op::Relu6("relu6").set_input_x(dense_bias);
  auto softmax = ge::op::SoftmaxV2("softmax").set_input_x(relu, "y");
  std::vector<ge::Operator> inputs{data};
  std::vector<std::pair<ge::Operator, std::string>> outputs{{softmax, "y"}};
  ge::Graph graph("IrGraph1");
  graph.SetInputs(inputs).SetOutputs(outputs);
  return graph;
}

ge::GNode Find(const ge::Graph& graph, const char* wanted) {
  for (const ge::GNode& node : graph.GetAllNodes()) {
    ge::AscendString name;
    REQUIRE(node.GetName(name) == ge::GRAPH_SUCCESS);
    if (name == wanted) return node;
  }
  REQUIRE(!"the node is there");
  return ge::GNode();
}

// data + const becomes data + |const|.
void Modify(ge::Graph& graph) {
  ge::GNode source = Find(graph, "add_const"), add = Find(graph, "add");
  REQUIRE(graph.RemoveEdge(source, 0, add, 1) == ge::GRAPH_SUCCESS);
  ge::GNode abs = graph.AddNodeByOp(ge::op::Abs("input3_abs"));
  REQUIRE(graph.AddDataEdge(source, 0, abs, 0) == ge::GRAPH_SUCCESS);
  REQUIRE(graph.AddDataEdge(abs, 0, add, 1) == ge::GRAPH_SUCCESS);
}

float ConvolvedAt(float step, int64_t map, int64_t row, int64_t column) {
  const int32_t bias[] = {3, -5};
  const float bias_after[] = {0.5f, -0.25f};
  float sum = static_cast<float>(bias[map]);
  for (int64_t c = 0; c < kIn; ++c)
    for (int64_t i = 0; i < 9; ++i)
      sum += Filter((map * kIn + c) * 9 + i) *
             (Input((c * kSize + row + i / 3) * kSize + column + i % 3) + step);
  return sum * kScale + bias_after[map];
}

std::vector<float> ExpectedOf(float step) {
  std::vector<float> scores(kClasses, 0.125f);
  for (int64_t i = 0; i < kFlat; ++i) {
    const float value = ConvolvedAt(step, i / (kLeft * kLeft), i / kLeft % kLeft, i % kLeft);
    for (int64_t k = 0; k < kClasses; ++k)
      scores[static_cast<size_t>(k)] += value * Dense(i * kClasses + k);
  }
  float sum = 0;
  for (float& score : scores)
    sum += score = std::exp(std::fmin(std::fmax(score, 0.0f), 6.0f));
  for (float& score : scores)
    score /= sum;
  return scores;
}

void Run(ge::Session& session, uint32_t id, const ge::Graph& graph, float step) {
  REQUIRE(session.AddGraphWithCopy(id, graph) == ge::SUCCESS);
  std::vector<float> pixels;
  for (int64_t i = 0; i < kIn * kSize * kSize; ++i)
    pixels.push_back(Input(i));
  const ge::Tensor input(Desc({1, kIn, kSize, kSize}, ge::FORMAT_NCHW, ge::DT_FLOAT),
                         reinterpret_cast<uint8_t*>(pixels.data()), pixels.size() * sizeof(float));
  std::vector<ge::Tensor> outputs;
  REQUIRE(session.RunGraph(id, {input}, outputs) == ge::SUCCESS);
  REQUIRE(outputs.size() == 1 && outputs[0].GetSize() == kClasses * sizeof(float));
  const auto* found = reinterpret_cast<const float*>(outputs[0].GetData());
  const std::vector<float> expected = ExpectedOf(step);
  for (size_t i = 0; i < expected.size(); ++i)
    REQUIRE(std::fabs(found[i] - expected[i]) < 1e-4f);
}

}  // namespace

int main() {
  WriteWeights();
  ge::Graph graph = Generate();  // before the engine is there: graphs need none
  const std::map<ge::AscendString, ge::AscendString> none;
  REQUIRE(ge::GEInitialize(none) == ge::SUCCESS);
  {
    ge::Session session(none);
    Run(session, 1, graph, kStep);
    Modify(graph);
    Run(session, 2, graph, std::fabs(kStep));
  }
  REQUIRE(ge::GEFinalize() == ge::SUCCESS);
  return 0;
}
