// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The passes that find integer networks between nodes that quantise. Scales are powers of two, so that floats
// compute exactly what is defined, and integers have to give the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "compiler/infer.h"
#include "compiler/keep_nodes.h"
#include "compiler/passes/fold_late.h"
#include "compiler/passes/remove_dead_nodes.h"
#include "compiler/passes/scale_integer_products.h"
#include "compiler/passes/use_integers.h"
#include "compiler/sources.h"
#include "ops/evaluate.h"
#include "unit/compiler/graph_builder.h"

namespace foothold {
namespace {

using Types = std::vector<std::string>;

class UseIntegersTest : public testing::Test {
 protected:
  struct Parameters {
    float scale;
    int zero;
    DataType type = DataType::kUint8;
  };

  UseIntegersTest() {
    TensorValue value(FloatType({2, 8, 6, 7}));
    for (std::int64_t i = 0; i < ElementCount(value.dims()); ++i)
      value.MutableAs<float>()[i] = 3 * std::sin(0.37f * static_cast<float>(i));
    input_ = value;
    Node& node = MakeData(graph_, "input", 0, value.type());
    graph_.inputs.push_back(&node);
    x_ = {&node, 0};
  }

  OutputRef Make(const std::string& type, const std::vector<NamedSource>& inputs,
                 const Attributes& attributes = {}) {
    Node& node = AddNode(graph_, type, type + std::to_string(graph_.nodes().size()), inputs);
    node.attributes = attributes;
    return {&node, 0};
  }
  OutputRef Constant(TensorValue value) {
    return AddConstant(graph_, "constant" + std::to_string(graph_.nodes().size()), std::move(value));
  }
  OutputRef Byte(DataType type, int number) {
    const auto byte = static_cast<std::int8_t>(number);
    return Constant(TensorValue::Of<std::int8_t>(type, {}, std::vector<std::int8_t>{byte}));
  }
  OutputRef Quantized(OutputRef x, const Parameters& p) {
    return Make("OnnxQuantizeLinear",
                {{"x0", x}, {"x1", Constant(FloatValue({}, {p.scale}))}, {"x2", Byte(p.type, p.zero)}});
  }
  OutputRef Floats(OutputRef bytes, const Parameters& p) {
    return Make("OnnxDequantizeLinear",
                {{"x0", bytes}, {"x1", Constant(FloatValue({}, {p.scale}))}, {"x2", Byte(p.type, p.zero)}});
  }
  OutputRef Around(OutputRef x, const Parameters& p) { return Floats(Quantized(x, p), p); }

  // int8 weights with a scale for each output.
  OutputRef Weights(const Dims& dims) {
    TensorValue bytes(TensorType{DataType::kInt8, Format::kNd, dims});
    for (std::int64_t i = 0; i < ElementCount(dims); ++i)
      bytes.MutableAs<std::int8_t>()[i] = static_cast<std::int8_t>(i * 37 % 255 - 127);
    return Make("OnnxDequantizeLinear", {{"x0", Constant(bytes)}, {"x1", Constant(ScalesOf(dims[0], 1))}},
                {{"axis", std::int64_t{0}}});
  }
  // Numbers that do not fit into bytes, as dequantised weights may be.
  OutputRef WideWeights(const Dims& dims) {
    TensorValue numbers(TensorType{DataType::kInt32, Format::kNd, dims});
    for (std::int64_t i = 0; i < ElementCount(dims); ++i)
      numbers.MutableAs<std::int32_t>()[i] = static_cast<std::int32_t>(i * 37 % 1021 - 510);
    return Make("OnnxDequantizeLinear", {{"x0", Constant(numbers)}, {"x1", Constant(ScalesOf(dims[0], 1))}},
                {{"axis", std::int64_t{0}}});
  }
  static TensorValue ScalesOf(std::int64_t count, float factor) {
    std::vector<float> scales;
    for (std::int64_t i = 0; i < count; ++i)
      scales.push_back(factor / static_cast<float>(64 << i % 3));
    return FloatValue({count}, scales);
  }
  OutputRef Bias(std::int64_t count, float scale) {
    TensorValue numbers(TensorType{DataType::kInt32, Format::kNd, {count}});
    for (std::int64_t i = 0; i < count; ++i)
      numbers.MutableAs<std::int32_t>()[i] = static_cast<std::int32_t>(i * 991 % 2001 - 1000);
    return Make("OnnxDequantizeLinear", {{"x0", Constant(numbers)}, {"x1", Constant(ScalesOf(count, scale))}},
                {{"axis", std::int64_t{0}}});
  }
  OutputRef Convolution(OutputRef x, const Dims& filter, OutputRef bias) {
    return Convolution(x, filter[2] / 2, Weights(filter), bias);
  }
  OutputRef Convolution(OutputRef x, std::int64_t pad, OutputRef filter, OutputRef bias) {
    return Make("Conv2D", {{"x", x}, {"filter", filter}, {"bias", bias}},
                {{"strides", std::vector<std::int64_t>{1, 1, 1, 1}},
                 {"pads", std::vector<std::int64_t>{pad, pad, pad, pad}},
                 {"data_format", std::string("NCHW")}});
  }

  TensorValue RunGraph() {
    std::map<const Node*, TensorValue> made;
    for (Node* node : graph_.Order()) {
      if (IsData(*node)) made[node] = input_;
      if (IsConstant(*node)) made[node] = ConstantValue(*node);
      if (IsSource(*node)) continue;
      std::vector<const TensorValue*> inputs;
      for (const auto& input : node->inputs())
        inputs.push_back(input.source ? &made.at(input.source.node) : nullptr);
      made[node] = EvaluateNode(*node, inputs).at(0);
    }
    return made.at(graph_.outputs[0].node);
  }

  // Infers, runs the passes, and compares what comes out before and after.
  void Pass(const std::vector<bool (*)(Graph&)>& passes) {
    InferTypes(graph_, {input_.type()});
    const TensorValue before = RunGraph();
    for (const auto pass : passes)
      pass(graph_);
    RemoveDeadNodes(graph_);
    const TensorValue after = RunGraph();
    EXPECT_EQ(before.dims(), after.dims());
    EXPECT_EQ(FloatsOf(before), FloatsOf(after));
  }
  void UseThem() { Pass({UseIntegers, ScaleIntegerProducts, FoldLate}); }

  std::size_t Count(const std::string& type) const {
    std::size_t count = 0;
    for (const Node* node : graph_.Order())
      count += node->type() == type;
    return count;
  }

  Graph graph_;
  TensorValue input_;
  OutputRef x_;
  const Parameters in_{1.0f / 32, 100}, out_{1.0f / 4, 3}, signed_{1.0f / 2, -5, DataType::kInt8};
};

TEST_F(UseIntegersTest, ConvolvesAndClips) {
  const OutputRef y = Convolution(Around(x_, in_), {5, 8, 3, 3}, Bias(5, in_.scale));
  graph_.outputs = {Around(Make("Relu", {{"x", y}}), out_)};
  UseThem();
  EXPECT_EQ(Count("IntegerConv2D"), 1u);
  EXPECT_EQ(Count("Conv2D") + Count("Relu"), 0u);
}

TEST_F(UseIntegersTest, KeepsBlocksFromOneConvolutionToTheNext) {
  const OutputRef first = Around(Convolution(Around(x_, in_), {24, 8, 1, 1}, {}), out_);
  graph_.outputs = {Around(Convolution(first, {7, 24, 3, 3}, Bias(7, out_.scale)), signed_)};
  UseThem();
  EXPECT_EQ(Count("IntegerConv2D"), 2u);
  EXPECT_EQ(Count("BlockIntegers"), 1u);
  EXPECT_EQ(Count("UnblockIntegers"), 1u);
}

TEST_F(UseIntegersTest, AddsWhatItHasConvolved) {
  const OutputRef x = Around(x_, in_);
  const OutputRef y = Around(Convolution(x, {8, 8, 3, 3}, {}), out_);
  graph_.outputs = {Around(Make("Relu", {{"x", Make("Add", {{"x1", x}, {"x2", y}})}}), signed_)};
  UseThem();
  EXPECT_EQ(Count("IntegerConv2D"), 1u);
  EXPECT_EQ(Count("IntegerSum") + Count("Add"), 0u);
}

TEST_F(UseIntegersTest, AddsWhatOthersReadToo) {
  const OutputRef x = Around(x_, in_);
  const OutputRef y = Around(Convolution(x, {8, 8, 1, 1}, {}), out_);
  const OutputRef sum = Around(Make("Add", {{"x1", x}, {"x2", y}}), signed_);
  graph_.outputs = {Around(Make("Add", {{"x1", sum}, {"x2", y}}), out_)};
  UseThem();
  EXPECT_EQ(Count("IntegerSum"), 2u);
}

TEST_F(UseIntegersTest, PoolsAndAverages) {
  const OutputRef pooled = Make("MaxPoolV3", {{"x", Around(x_, in_)}},
                                {{"ksize", std::vector<std::int64_t>{1, 1, 3, 2}},
                                 {"strides", std::vector<std::int64_t>{1, 1, 2, 2}},
                                 {"pads", std::vector<std::int64_t>{1, 1, 0, 0}},
                                 {"padding_mode", std::string("CALCULATED")},
                                 {"data_format", std::string("NCHW")}});
  graph_.outputs = {Around(Make("GlobalAveragePool", {{"x", Around(pooled, in_)}}), in_)};
  InferTypes(graph_, {input_.type()});
  UseIntegers(graph_);
  EXPECT_EQ(Count("IntegerMean"), 1u);
  EXPECT_EQ(Count("UnblockIntegers"), 1u);
  for (const Node* node : graph_.nodes())
    EXPECT_TRUE(node->type() != "MaxPoolV3" || node->outputs()[0].desc.format == Format::kNc1hwc0);
}

TEST_F(UseIntegersTest, MultipliesBytes) {
  const OutputRef rows = Make("Reshape", {{"x", x_}, {"shape", Constant(Int64Value({2, 336}))}});
  const OutputRef y =
      Make("MatMulV2", {{"x1", Around(rows, in_)}, {"x2", Weights({9, 336})}, {"bias", Bias(9, in_.scale)}},
           {{"transpose_x2", true}});
  graph_.outputs = {Around(y, out_)};
  UseThem();
  EXPECT_EQ(Count("ScaledMatMulInteger"), 1u);
  EXPECT_EQ(Count("MatMulV2"), 0u);
}

TEST_F(UseIntegersTest, LeavesFloatsThatOthersRead) {
  const OutputRef y = Convolution(Around(x_, in_), {8, 8, 1, 1}, {});
  graph_.outputs = {Make("Add", {{"x1", Around(y, out_)}, {"x2", y}})};
  UseThem();
  EXPECT_EQ(Count("Conv2D"), 1u);
}

TEST_F(UseIntegersTest, LeavesABiasOfAnotherScale) {
  graph_.outputs = {Around(Convolution(Around(x_, in_), {8, 8, 1, 1}, Bias(8, in_.scale * 2)), out_)};
  UseThem();
  EXPECT_EQ(Count("IntegerConv2D"), 0u);
}

TEST_F(UseIntegersTest, LeavesFiltersThatAreNoBytes) {
  graph_.outputs = {Around(Convolution(Around(x_, in_), 0, WideWeights({8, 8, 1, 1}), {}), out_)};
  UseThem();
  EXPECT_EQ(Count("IntegerConv2D"), 0u);
}

TEST_F(UseIntegersTest, LeavesMatricesThatAreNoBytes) {
  const OutputRef rows = Make("Reshape", {{"x", x_}, {"shape", Constant(Int64Value({2, 336}))}});
  const OutputRef y =
      Make("MatMulV2", {{"x1", Around(rows, in_)}, {"x2", WideWeights({9, 336})}}, {{"transpose_x2", true}});
  graph_.outputs = {Around(y, out_)};
  UseThem();
  EXPECT_EQ(Count("ScaledMatMulInteger"), 0u);
}

TEST_F(UseIntegersTest, LeavesABiasOfRows) {
  const OutputRef rows = Make("Reshape", {{"x", x_}, {"shape", Constant(Int64Value({2, 336}))}});
  const OutputRef bias = Constant(FloatValue({2, 1}, {8, -16}));
  graph_.outputs = {Make("MatMulV2", {{"x1", Around(rows, in_)}, {"x2", Weights({2, 336})}, {"bias", bias}},
                         {{"transpose_x2", true}})};
  UseThem();
}

TEST_F(UseIntegersTest, LeavesScalesThatOnlyFloatsDivide) {
  std::fill_n(input_.MutableAs<float>(), ElementCount(input_.dims()), 0.0f);
  const Parameters least{1e-42f, 3};  // sums times a scale of infinity would be no numbers
  const OutputRef y = Around(Convolution(Around(x_, in_), {8, 8, 1, 1}, {}), least);
  graph_.outputs = {Around(Make("GlobalAveragePool", {{"x", Around(x_, in_)}}), least)};
  graph_.outputs = {Make("Add", {{"x1", y}, {"x2", graph_.outputs[0]}})};
  UseThem();
  EXPECT_EQ(Count("IntegerConv2D") + Count("IntegerMean"), 0u);
}

TEST_F(UseIntegersTest, LeavesWindowsInThePadding) {
  const OutputRef pooled = Make("MaxPoolV3", {{"x", Around(x_, in_)}},
                                {{"ksize", std::vector<std::int64_t>{1, 1, 1, 2}},
                                 {"strides", std::vector<std::int64_t>{1, 1, 1, 1}},
                                 {"pads", std::vector<std::int64_t>{1, 0, 0, 2}},
                                 {"padding_mode", std::string("CALCULATED")},
                                 {"data_format", std::string("NCHW")}});
  graph_.outputs = {Around(pooled, in_)};
  UseThem();
}

TEST_F(UseIntegersTest, LeavesNodesSomebodyWantsToSee) {
  graph_.outputs = {Around(Convolution(Around(x_, in_), {8, 8, 1, 1}, {}), out_)};
  KeepNodes(graph_, [](const Node& node) { return node.type() == "Conv2D"; });
  UseThem();
  EXPECT_EQ(Count("Conv2D"), 1u);
}

TEST_F(UseIntegersTest, ComputesConstantsThatAreLeft) {
  graph_.outputs = {Convolution(x_, {8, 8, 1, 1}, {})};
  UseThem();
  EXPECT_EQ(Count("OnnxDequantizeLinear"), 0u);
}

}  // namespace
}  // namespace foothold
