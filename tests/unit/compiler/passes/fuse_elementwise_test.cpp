// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/fuse_elementwise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <unordered_map>

#include "base/error.h"
#include "compiler/infer.h"
#include "compiler/sources.h"
#include "ops/evaluate.h"

namespace foothold {
namespace {

TensorValue Ramp(const Dims& dims, float from, float step) {
  TensorValue value(TensorType{DataType::kFloat, Format::kNd, dims});
  for (std::int64_t i = 0; i < ElementCount(dims); ++i)
    value.MutableAs<float>()[i] = from + step * static_cast<float>(i % 37);
  return value;
}

// A graph that is made node by node, then run node by node before and after the pass.
class FuseElementwiseTest : public testing::Test {
 protected:
  OutputRef Input(const Dims& dims, float from = -1.0f, float step = 0.1f) {
    const auto index = static_cast<std::int64_t>(values_.size());
    values_.push_back(Ramp(dims, from, step));
    Node& node = MakeData(graph_, "input" + std::to_string(index), index, values_.back().type());
    graph_.inputs.push_back(&node);
    return {&node, 0};
  }

  OutputRef Make(const std::string& type, const std::vector<OutputRef>& inputs, Attributes attributes = {}) {
    Node& node = graph_.Make(type, type + std::to_string(graph_.nodes().size()));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      node.AddInput("in" + std::to_string(i), PortKind::kRequired);
      node.Connect(static_cast<int>(i), inputs[i]);
    }
    node.AddOutput("out", PortKind::kRequired);
    node.attributes = std::move(attributes);
    return {&node, 0};
  }

  std::vector<TensorValue> RunGraph() {
    std::unordered_map<const Node*, TensorValue> made;
    for (Node* node : graph_.Order()) {
      if (IsData(*node)) made[node] = values_.at(static_cast<std::size_t>(node->Int("index", 0)));
      if (IsConstant(*node)) made[node] = ConstantValue(*node);
      if (IsSource(*node)) continue;
      std::vector<const TensorValue*> inputs;
      for (const auto& input : node->inputs())
        inputs.push_back(&made.at(input.source.node));
      made[node] = EvaluateNode(*node, inputs).at(0);
    }
    std::vector<TensorValue> outputs;
    for (const OutputRef& output : graph_.outputs)
      outputs.push_back(made.at(output.node));
    return outputs;
  }

  // Infers, fuses, and compares what comes out before and after.
  bool Fuse() {
    std::vector<TensorType> types;
    for (const TensorValue& value : values_)
      types.push_back(value.type());
    InferTypes(graph_, types);
    const auto before = RunGraph();
    const bool fused = FuseElementwise(graph_);
    graph_.Validate();
    const auto after = RunGraph();
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(before[i].type(), after[i].type());
      for (std::int64_t k = 0; k < ElementCount(before[i].dims()); ++k)
        EXPECT_NEAR(before[i].As<float>()[k], after[i].As<float>()[k], 1e-6f)
            << "output " << i << " element " << k;
    }
    return fused;
  }

  std::size_t Operators() const {
    std::size_t count = 0;
    for (const Node* node : graph_.nodes())
      if (!IsSource(*node)) ++count;
    return count;
  }

  Graph graph_;
  std::vector<TensorValue> values_;
};

TEST_F(FuseElementwiseTest, MakesOneNodeOfAChain) {
  const OutputRef x = Input({4, 600}), w = Input({4, 600}, 0.5f);
  OutputRef y = x;
  for (int i = 0; i < 3; ++i)
    y = Make("Sub", {Make("Mul", {Make("Add", {y, w}), w}), w});
  graph_.outputs = {Make("Sigmoid", {y})};
  const std::string name = graph_.outputs[0].node->name();
  EXPECT_TRUE(Fuse());
  EXPECT_EQ(Operators(), 1u);
  EXPECT_EQ(graph_.outputs[0].node->type(), "ElementChain");
  EXPECT_EQ(graph_.outputs[0].node->name(), name);
  EXPECT_EQ(graph_.outputs[0].node->inputs().size(), 2u);
}

TEST_F(FuseElementwiseTest, KeepsDiamondsTogether) {
  const OutputRef x = Input({50}), e = Make("Exp", {x});
  graph_.outputs = {Make("Mul", {Make("Tanh", {e}), Make("Add", {e, x})})};
  EXPECT_TRUE(Fuse());
  EXPECT_EQ(Operators(), 1u);
}

TEST_F(FuseElementwiseTest, RepeatsOperandsFromOutside) {
  const OutputRef x = Input({2, 3, 5, 7}), bias = Input({3}, 1.0f), row = Input({7}, 2.0f),
                  one = Input({}, 3.0f);
  const OutputRef biased = Make("BiasAdd", {x, bias}, {{"data_format", std::string("NCHW")}});
  graph_.outputs = {Make("Mul", {Make("Relu", {Make("Add", {biased, row})}), one})};
  EXPECT_TRUE(Fuse());
  EXPECT_EQ(Operators(), 1u);
}

TEST_F(FuseElementwiseTest, CarriesTruthThroughTheChain) {
  const OutputRef x = Input({100}), y = Input({100}, 1.0f, -0.05f);
  const OutputRef both = Make("LogicalAnd", {Make("Greater", {x, y}), Make("Less", {x, Make("Abs", {y})})});
  graph_.outputs = {Make("SelectV2", {both, Make("Neg", {x}), y})};
  EXPECT_TRUE(Fuse());
  EXPECT_EQ(Operators(), 1u);
}

TEST_F(FuseElementwiseTest, EndsInAnotherType) {
  const auto cast = [&](const OutputRef& value, DataType type) {
    return Make("Cast", {value}, {{"dst_type", static_cast<std::int64_t>(type)}});
  };
  const OutputRef half = cast(Make("Mul", {Input({40}), Input({40}, 0.5f)}), DataType::kFloat16);
  graph_.outputs = {cast(half, DataType::kFloat)};
  EXPECT_TRUE(Fuse());
  EXPECT_EQ(Operators(), 2u);  // what was rounded is not fused away
  EXPECT_EQ(half.node->type(), "ElementChain");
  EXPECT_EQ(half.node->outputs()[0].desc.type, DataType::kFloat16);
}

TEST_F(FuseElementwiseTest, LeavesWhatOthersRead) {
  const OutputRef x = Input({10}), e = Make("Exp", {x});
  graph_.outputs = {Make("Neg", {e}), e};
  EXPECT_FALSE(Fuse());
  EXPECT_EQ(Operators(), 2u);
}

TEST_F(FuseElementwiseTest, DoesNotComputeSmallValuesOverAndOver) {
  const OutputRef x = Input({10, 20}), w = Input({20});
  graph_.outputs = {Make("Mul", {x, Make("Exp", {w})})};
  EXPECT_FALSE(Fuse());
}

TEST_F(FuseElementwiseTest, LeavesOrderThatTheProgramAskedFor) {
  const OutputRef x = Input({10}), e = Make("Exp", {x}), y = Make("Neg", {e});
  y.node->AddControlInput(*e.node);
  graph_.outputs = {y};
  EXPECT_FALSE(Fuse());
}

TEST_F(FuseElementwiseTest, LeavesIntegersAndHalves) {
  values_.push_back(TensorValue(TensorType{DataType::kFloat16, Format::kNd, {4}}));
  std::fill_n(values_[0].mutable_data(), values_[0].size(), std::byte{0});
  Node& half = MakeData(graph_, "half", 0, values_[0].type());
  graph_.inputs.push_back(&half);
  graph_.outputs = {Make("Neg", {Make("Abs", {{&half, 0}})})};
  InferTypes(graph_, {values_[0].type()});
  EXPECT_FALSE(FuseElementwise(graph_));
}

TEST_F(FuseElementwiseTest, SplitsChainsThatAreTooLong) {
  const OutputRef x = Input({64});
  OutputRef y = x;
  for (int i = 0; i < 100; ++i)
    y = Make(i % 2 == 0 ? "Neg" : "Abs", {y});
  graph_.outputs = {y};
  EXPECT_TRUE(Fuse());
  EXPECT_GT(Operators(), 1u);
  EXPECT_LT(Operators(), 10u);
}

TEST_F(FuseElementwiseTest, UsesKnownExponents) {
  TensorValue two = Ramp({}, 2, 0);
  const OutputRef x = Input({30}), power = {&MakeConstant(graph_, "two", two), 0};
  graph_.outputs = {Make("Pow", {Make("Sub", {x, Input({30}, 4.0f)}), power})};
  EXPECT_TRUE(Fuse());
  EXPECT_EQ(graph_.outputs[0].node->inputs().size(), 2u);
}

TEST_F(FuseElementwiseTest, MakesNodesThatRefuseDamage) {
  const OutputRef x = Input({10});
  graph_.outputs = {Make("Neg", {Make("Exp", {x})})};
  ASSERT_TRUE(Fuse());
  Node& chain = *graph_.outputs[0].node;
  const Attributes good = chain.attributes;
  const std::pair<const char*, Attribute> damages[] = {
      {"functions", std::vector<std::string>{"Exp", "NoSuchFunction"}},
      {"functions", std::vector<std::string>{"Exp"}},
      {"operands", std::vector<std::vector<std::int64_t>>{{0}, {2}}},
      {"operands", std::vector<std::vector<std::int64_t>>{{0}, {-1}}},
      {"operands", std::vector<std::vector<std::int64_t>>{{0, 0}, {1}}},
      {"params", std::vector<std::vector<float>>{{}, {}}},
      {"operand_dims", std::vector<std::vector<std::int64_t>>{{20}}},
      {"dims", std::vector<std::int64_t>{-1}},
      {"dims", std::vector<std::int64_t>{7}},
      {"spacings", std::vector<std::int64_t>{2}},
      {"result", std::int64_t{3}},
      {"result", std::string("last")}};
  for (const auto& [name, value] : damages) {
    chain.attributes = good;
    chain.attributes[name] = value;
    EXPECT_THROW(RunGraph(), Error) << name;
  }
}

}  // namespace
}  // namespace foothold
