// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The published sample of training with graphs: one graph initialises variables, one hands them to a
// checkpoint function, one convolves and applies the gradient with momentum. Its oddities are kept: operators
// without names, graphs without outputs, a Data operator nobody described, the number for the momentum taken
// from the learning rate, and layouts said by the descriptions alone.
#include <cmath>
#include <cstring>
#include <map>
#include <vector>

#include "all_ops.h"
#include "clients/check.h"
#include "ge/ge_api.h"

namespace {

constexpr int64_t kOut = 16, kIn = 64, kSize = 4;
constexpr float kWeight = -1.0f, kAccumulation = 0.1f, kRate = 0.1f;

std::vector<float> saved;

uint32_t Checkpoint(uint32_t, const std::map<ge::AscendString, ge::Tensor>& values) {
  const auto found = values.find("conv2d_weight");
  if (found == values.end()) return 1;
  const auto* floats = reinterpret_cast<const float*>(found->second.GetData());
  saved.assign(floats, floats + kOut * kIn);
  auto* bytes = const_cast<uint8_t*>(found->second.GetData());
  std::memset(bytes, 0, kOut * kIn * sizeof(float));
  return 0;
}

ge::TensorDesc Desc(const std::vector<int64_t>& dims) {
  return ge::TensorDesc(ge::Shape(dims), ge::FORMAT_NCHW, ge::DT_FLOAT);
}

struct Weight {
  const char* name;
  std::vector<int64_t> dims;
  float value;
};
const std::vector<Weight> kWeights = {{"conv2d_weight", {kOut, kIn, 1, 1}, kWeight},
                                      {"accumulation", {kOut, kIn, 1, 1}, kAccumulation},
                                      {"learning_rate", {1}, kRate}};

ge::op::Variable MakeVariable(const Weight& weight) {
  ge::op::Variable variable(weight.name);
  variable.update_output_desc_y(Desc(weight.dims));
  return variable;
}

ge::Graph InitGraph() {
  std::vector<ge::Operator> inputs;
  for (const Weight& weight : kWeights) {
    const ge::TensorDesc desc = Desc(weight.dims);
    std::vector<float> values(weight.dims.size() == 1 ? 1 : kOut * kIn, weight.value);
    ge::Tensor tensor(desc, reinterpret_cast<uint8_t*>(values.data()), values.size() * sizeof(float));
    auto constant = ge::op::Constant().set_attr_value(tensor);
    constant.update_output_desc_y(desc);
    const auto variable = MakeVariable(weight);
    ge::op::Assign().set_input_ref(variable).set_input_value(constant);
    inputs.push_back(variable);
  }
  ge::Graph graph("InitVarGraph");
  graph.SetInputs(inputs).SetOutputs(std::vector<ge::Operator>{});
  return graph;
}

ge::Graph CheckpointGraph() {
  const auto variable = MakeVariable(kWeights[0]);
  auto save = ge::op::Save().create_dynamic_input_tensors(1).set_dynamic_input_tensors(0, variable);
  ge::Graph graph("CheckpointGraph");
  graph.SetInputs({variable}).SetOutputs(std::vector<ge::Operator>{});
  graph.AddOp(save);
  return graph;
}

void SayLayout(ge::Operator& op, const char* input) {
  ge::TensorDesc desc = op.GetInputDescByName(input);
  desc.SetFormat(ge::FORMAT_NCHW);
  desc.SetOriginFormat(ge::FORMAT_NCHW);
  op.UpdateInputDesc(input, desc);
}

ge::Graph ConvolutionGraph() {
  const auto data = ge::op::Data("xShape").set_attr_index(0);
  const auto weight = MakeVariable(kWeights[0]), accumulation = MakeVariable(kWeights[1]),
             rate = MakeVariable(kWeights[2]);
  auto conv = ge::op::Conv2D("conv2d").set_input_x(data).set_input_filter(weight);
  conv.set_attr_strides({1, 1, 1, 1}).set_attr_pads({0, 0, 0, 0}).set_attr_dilations({1, 1, 1, 1});
  for (const char* name : {"x", "filter", "y"})
    SayLayout(conv, name);
  auto gradient = ge::op::Conv2DBackpropFilterD("output_1").set_input_x(data).set_input_out_backprop(conv);
  gradient.set_attr_filter_size({kOut, kIn, 1, 1}).set_attr_strides({1, 1, 1, 1}).set_attr_pads({0, 0, 0, 0});
  for (const char* name : {"x", "out_backprop", "y"})
    SayLayout(gradient, name);
  ge::op::ApplyMomentum()
      .set_input_var(weight)
      .set_input_accum(accumulation)
      .set_input_lr(rate)
      .set_input_grad(gradient)
      .set_input_momentum(rate);
  ge::Graph graph("ConvolutionGraph");
  graph.SetInputs({data, weight, accumulation, rate}).SetOutputs(std::vector<ge::Operator>{conv});
  return graph;
}

float InputAt(int64_t channel, int64_t pixel) {
  return static_cast<float>((channel * 7 + pixel * 3) % 11 - 5) / 8;
}

// All weights are equal, so every output channel is minus the sum of the input channels.
float OutputAt(int64_t pixel) {
  float sum = 0;
  for (int64_t c = 0; c < kIn; ++c)
    sum += kWeight * InputAt(c, pixel);
  return sum;
}

float WeightAfter(int64_t channel) {
  float gradient = 0;
  for (int64_t p = 0; p < kSize * kSize; ++p)
    gradient += InputAt(channel, p) * OutputAt(p);
  return kWeight - kRate * (kAccumulation * kRate + gradient);
}

bool Near(float a, float b) {
  return std::fabs(a - b) <= 1e-4f * (1 + std::fabs(b));
}

}  // namespace

int main() {
  const std::map<ge::AscendString, ge::AscendString> options = {
      {"ge.exec.deviceId", "0"}, {"ge.graphRunMode", "1"}, {"ge.exec.precision_mode", "allow_fp32_to_fp16"}};
  REQUIRE(ge::GEInitialize(options) == ge::SUCCESS);
  const ge::Graph init = InitGraph(), checkpoint = CheckpointGraph(), convolution = ConvolutionGraph();
  auto* session = new ge::Session(std::map<ge::AscendString, ge::AscendString>());
  session->RegisterCallBackFunc("Save", Checkpoint);
  REQUIRE(session->AddGraph(0, init) == ge::SUCCESS);
  REQUIRE(session->AddGraph(1, checkpoint) == ge::SUCCESS);
  REQUIRE(session->AddGraph(2, convolution) == ge::SUCCESS);

  std::vector<ge::Tensor> none, outputs;
  REQUIRE(session->RunGraph(0, none, outputs) == ge::SUCCESS);
  REQUIRE(session->RunGraph(1, none, outputs) == ge::SUCCESS);
  REQUIRE(saved.size() == kOut * kIn && saved.front() == kWeight && saved.back() == kWeight);

  std::vector<float> pixels;
  for (int64_t c = 0; c < kIn; ++c)
    for (int64_t p = 0; p < kSize * kSize; ++p)
      pixels.push_back(InputAt(c, p));
  const ge::Tensor input(Desc({1, kIn, kSize, kSize}), reinterpret_cast<uint8_t*>(pixels.data()),
                         pixels.size() * sizeof(float));
  REQUIRE(session->RunGraph(2, {input}, outputs) == ge::SUCCESS);
  REQUIRE(outputs.size() == 1 && outputs[0].GetSize() == kOut * kSize * kSize * sizeof(float));
  const auto* found = reinterpret_cast<const float*>(outputs[0].GetData());
  for (int64_t i = 0; i < kOut * kSize * kSize; ++i)
    REQUIRE(Near(found[i], OutputAt(i % (kSize * kSize))));

  if (session->IsGraphNeedRebuild(1)) {
    session->RemoveGraph(1);
    session->AddGraph(1, checkpoint);
  }
  REQUIRE(session->RunGraph(1, none, outputs) == ge::SUCCESS);
  for (int64_t i = 0; i < kOut * kIn; ++i)
    REQUIRE(Near(saved[static_cast<size_t>(i)], WeightAfter(i % kIn)));
  delete session;
  REQUIRE(ge::GEFinalize() == ge::SUCCESS);
  return 0;
}
