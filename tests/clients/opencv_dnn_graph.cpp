// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How OpenCV's dnn module describes a network as a graph. Its oddities are kept: it does so in a forked child
// that leaves through exit(), every Data operator has index 0, only those are given to SetInputs, results are
// connected by the name of the port, outputs are described with an empty shape, and divisions are Xdivy. The
// child runs the graph to see that it means what it says; the module itself makes an offline model of it.
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "all_ops.h"
#include "clients/check.h"
#include "ge/ge_api.h"

namespace {

using Floats = std::vector<float>;
using Dims = std::vector<int64_t>;

constexpr int64_t kSize = 6, kPooled = 3, kIn = 2, kMaps = 3, kClasses = 4;
constexpr int64_t kJoined = (kMaps + kIn) * kPooled * kPooled;
constexpr float kDivisor = 4, kSlope = 0.1f;

ge::TensorDesc Desc(const Dims& dims) {
  return ge::TensorDesc(ge::Shape(dims), dims.size() == 4 ? ge::FORMAT_NCHW : ge::FORMAT_ND, ge::DT_FLOAT);
}

ge::TensorDesc OutputDesc() {
  return ge::TensorDesc(ge::Shape(), ge::FORMAT_NCHW, ge::DT_FLOAT);
}

float Weight(int64_t i) {
  return static_cast<float>(i * 5 % 7 - 3) / 4;
}

Floats Weights(int64_t count) {
  Floats weights;
  for (int64_t i = 0; i < count; ++i)
    weights.push_back(Weight(i));
  return weights;
}

Floats Pixels(int64_t count, int64_t seed) {
  Floats pixels;
  for (int64_t i = 0; i < count; ++i)
    pixels.push_back(static_cast<float>((i * 3 + seed) % 11 - 5) / 2);
  return pixels;
}

std::shared_ptr<ge::op::Data> Image(const std::string& name, const Dims& dims) {
  auto image = std::make_shared<ge::op::Data>(name.c_str());
  image->update_input_desc_x(Desc(dims));
  image->update_output_desc_y(Desc(dims));
  return image;
}

std::shared_ptr<ge::op::Const> Constant(const std::string& name, const Dims& dims, Floats values) {
  auto tensor = std::make_shared<ge::Tensor>();
  tensor->SetTensorDesc(Desc(dims));
  tensor->SetData(reinterpret_cast<uint8_t*>(values.data()), values.size() * sizeof(float));
  auto constant = std::make_shared<ge::op::Const>(name.c_str());
  constant->set_attr_value(*tensor);
  constant->update_output_desc_y(Desc(dims));
  return constant;
}

std::shared_ptr<ge::Operator> Convolution(const std::string& name, const std::shared_ptr<ge::Operator>& x) {
  auto op = std::make_shared<ge::op::Conv2D>(name.c_str());
  op->set_attr_strides({1, 1, 1, 1});
  op->set_attr_pads({1, 1, 1, 1});
  op->set_attr_dilations({1, 1, 1, 1});
  op->set_attr_groups(1);
  op->set_attr_data_format("NCHW");
  op->set_input_x_by_name(*x, "y");
  op->update_input_desc_x(Desc({1, kIn, kSize, kSize}));
  const auto filter = Constant(name + "_w", {kMaps, kIn, 3, 3}, Weights(kMaps * kIn * 9));
  op->set_input_filter(*filter);
  op->update_input_desc_filter(Desc({kMaps, kIn, 3, 3}));
  const auto bias = Constant(name + "_b", {kMaps}, {0.5f, -0.5f, 1});
  op->set_input_bias(*bias);
  op->update_input_desc_bias(Desc({kMaps}));
  op->update_output_desc_y(OutputDesc());
  return op;
}

std::shared_ptr<ge::Operator> Activation(const std::string& name, const std::shared_ptr<ge::Operator>& x) {
  auto op = std::make_shared<ge::op::LeakyRelu>(name.c_str());
  op->set_input_x_by_name(*x, "y");
  op->update_input_desc_x(Desc({1, kMaps, kSize, kSize}));
  op->set_attr_negative_slope(kSlope);
  op->update_output_desc_y(OutputDesc());
  return op;
}

std::shared_ptr<ge::Operator> Pooling(const std::string& name, const std::shared_ptr<ge::Operator>& x) {
  auto op = std::make_shared<ge::op::MaxPoolV3>(name.c_str());
  op->set_attr_ksize({1, 1, 2, 2});
  op->set_attr_strides({1, 1, 2, 2});
  op->set_attr_padding_mode("CALCULATED");
  op->set_attr_pads({0, 0, 0, 0});
  op->set_attr_data_format("NCHW");
  op->set_attr_global_pooling(false);
  op->set_attr_ceil_mode(false);
  op->set_input_x_by_name(*x, "y");
  op->update_input_desc_x(Desc({1, kMaps, kSize, kSize}));
  op->update_output_desc_y(OutputDesc());
  return op;
}

std::shared_ptr<ge::Operator> Concat(const std::string& name,
                                     const std::vector<std::shared_ptr<ge::Operator>>& parts) {
  auto op = std::make_shared<ge::op::ConcatD>(name.c_str());
  const auto count = static_cast<uint32_t>(parts.size());
  op->set_attr_concat_dim(1);
  op->set_attr_N(count);
  op->create_dynamic_input_x(count);
  for (uint32_t i = 0; i < count; ++i) {
    op->set_dynamic_input_x(i, *parts[i], "y");
    op->update_dynamic_input_desc_x(i, Desc({1, i == 0 ? kMaps : kIn, kPooled, kPooled}));
  }
  op->update_output_desc_y(OutputDesc());
  return op;
}

std::shared_ptr<ge::Operator> Division(const std::string& name, const std::shared_ptr<ge::Operator>& x) {
  auto op = std::make_shared<ge::op::Xdivy>(name.c_str());
  op->set_input_x1_by_name(*x, "y");
  op->update_input_desc_x1(Desc({1, kMaps + kIn, kPooled, kPooled}));
  const auto divisor = Constant(name + "_divisor", {1}, {kDivisor});
  op->set_input_x2_by_name(*divisor, "y");
  op->update_input_desc_x2(Desc({1}));
  op->update_output_desc_y(OutputDesc());
  return op;
}

std::shared_ptr<ge::Operator> FullyConnected(const std::string& name,
                                             const std::shared_ptr<ge::Operator>& x) {
  auto flat = std::make_shared<ge::op::FlattenV2>((name + "_flatten").c_str());
  flat->set_attr_axis(1);
  flat->set_attr_end_axis(-1);
  flat->set_input_x_by_name(*x, "y");
  flat->update_input_desc_x(Desc({1, kMaps + kIn, kPooled, kPooled}));
  flat->update_output_desc_y(OutputDesc());
  auto op = std::make_shared<ge::op::MatMulV2>(name.c_str());
  op->set_attr_transpose_x1(false);
  op->set_attr_transpose_x2(true);
  op->set_input_x1_by_name(*flat, "y");
  op->update_input_desc_x1(Desc({1, kJoined}));
  const auto weights = Constant(name + "_w", {kClasses, kJoined}, Weights(kClasses * kJoined));
  op->set_input_x2(*weights);
  op->update_input_desc_x2(Desc({kClasses, kJoined}));
  const auto bias = Constant(name + "_b", {kClasses}, Weights(kClasses));
  op->set_input_bias(*bias);
  op->update_input_desc_bias(Desc({kClasses}));
  op->update_output_desc_y(OutputDesc());
  return op;
}

std::shared_ptr<ge::Operator> Softmax(const std::string& name, const std::shared_ptr<ge::Operator>& x) {
  auto op = std::make_shared<ge::op::SoftmaxV2>(name.c_str());
  op->set_attr_axes({1});
  op->set_input_x_by_name(*x, "y");
  op->update_input_desc_x(Desc({1, kClasses}));
  op->update_output_desc_y(OutputDesc());
  return op;
}

ge::Graph Network() {
  const auto image = Image("image", {1, kIn, kSize, kSize}), hint = Image("hint", {1, kIn, kPooled, kPooled});
  const auto pooled = Pooling("pool", Activation("relu", Convolution("conv", image)));
  const auto scaled = Division("scale", Concat("concat", {pooled, hint}));
  const auto result = Softmax("prob", FullyConnected("fc", scaled));
  ge::Graph graph("network");
  std::vector<ge::Operator> inputs = {*image, *hint}, outputs = {*result};
  graph.SetInputs(inputs).SetOutputs(outputs);
  return graph;
}

float ConvolvedAt(const Floats& image, int64_t map, int64_t row, int64_t column) {
  const float bias[] = {0.5f, -0.5f, 1};
  float sum = bias[map];
  for (int64_t c = 0; c < kIn; ++c)
    for (int64_t r = 0; r < 3; ++r)
      for (int64_t k = 0; k < 3; ++k) {
        const int64_t y = row + r - 1, x = column + k - 1;
        if (y < 0 || x < 0 || y >= kSize || x >= kSize) continue;
        sum += Weight(((map * kIn + c) * 3 + r) * 3 + k) *
               image[static_cast<size_t>((c * kSize + y) * kSize + x)];
      }
  return sum < 0 ? sum * kSlope : sum;
}

Floats ExpectedOf(const Floats& image, const Floats& hint) {
  Floats joined;
  for (int64_t m = 0; m < kMaps; ++m)
    for (int64_t r = 0; r < kPooled; ++r)
      for (int64_t c = 0; c < kPooled; ++c) {
        float most = -1e30f;
        for (int64_t i = 0; i < 4; ++i)
          most = std::max(most, ConvolvedAt(image, m, 2 * r + i / 2, 2 * c + i % 2));
        joined.push_back(most);
      }
  joined.insert(joined.end(), hint.begin(), hint.end());
  Floats expected;
  float sum = 0;
  for (int64_t k = 0; k < kClasses; ++k) {
    float score = Weight(k);
    for (int64_t i = 0; i < kJoined; ++i)
      score += Weight(k * kJoined + i) * joined[static_cast<size_t>(i)] / kDivisor;
    sum += expected.emplace_back(std::exp(score));
  }
  for (float& value : expected)
    value /= sum;
  return expected;
}

ge::Tensor Filled(const Dims& dims, Floats& values) {
  return ge::Tensor(Desc(dims), reinterpret_cast<uint8_t*>(values.data()), values.size() * sizeof(float));
}

void Run(const ge::Graph& graph) {
  const std::map<ge::AscendString, ge::AscendString> none;
  REQUIRE(ge::GEInitialize(none) == ge::SUCCESS);
  {
    ge::Session session(none);
    REQUIRE(session.AddGraph(0, graph) == ge::SUCCESS);
    Floats image = Pixels(kIn * kSize * kSize, 1), hint = Pixels(kIn * kPooled * kPooled, 4);
    const std::vector<ge::Tensor> inputs = {Filled({1, kIn, kSize, kSize}, image),
                                            Filled({1, kIn, kPooled, kPooled}, hint)};
    std::vector<ge::Tensor> outputs;
    REQUIRE(session.RunGraph(0, inputs, outputs) == ge::SUCCESS);
    const Floats expected = ExpectedOf(image, hint);
    REQUIRE(outputs.size() == 1 && outputs[0].GetSize() == expected.size() * sizeof(float));
    const auto* found = reinterpret_cast<const float*>(outputs[0].GetData());
    for (size_t i = 0; i < expected.size(); ++i)
      REQUIRE(std::fabs(found[i] - expected[i]) < 1e-4f);
  }
  REQUIRE(ge::GEFinalize() == ge::SUCCESS);
}

void CompileInChild() {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(60);
    Run(Network());
    std::exit(0);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

}  // namespace

int main() {
  CompileInChild();
  CompileInChild();  // one child for each network
  return 0;
}
