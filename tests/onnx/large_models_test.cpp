// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Models with very many nodes, in the shapes that once cost the square of their number. Nothing is measured:
// what looks at all nodes for each node would not come to an end within the time a test has.
#include <gtest/gtest.h>

#include "onnx/model_maker.h"

namespace foothold {
namespace {

using Floats = std::vector<float>;

constexpr int kNodes = 20000;

std::string Value(int i) {
  return "v" + std::to_string(i);
}

// Exporters may leave the names of nodes out.
void AddUnnamed(ModelMaker& model, const std::string& op, const std::vector<std::string>& inputs,
                const std::string& output) {
  model.Node(op, inputs, {output}).clear_name();
}

TEST(LargeModels, MayBeChains) {
  ModelMaker model;
  model.Input(Value(0), {2}).Output(Value(kNodes)).Weights("one", {1}, {1});
  for (int i = 0; i < kNodes; ++i)
    AddUnnamed(model, "Add", {Value(i), "one"}, Value(i + 1));
  EXPECT_EQ(FloatsOf(RunModel(model, {FloatTensor({2}, {1, 2})})[0]), (Floats{1 + kNodes, 2 + kNodes}));
}

TEST(LargeModels, MayHaveAConstantForEachNode) {
  ModelMaker model;
  model.Input(Value(0), {2}).Output(Value(kNodes));
  for (int i = 0; i < kNodes; ++i) {
    model.Weights("w" + std::to_string(i), {2}, {1, 0});
    AddUnnamed(model, i % 2 == 0 ? "Add" : "Max", {Value(i), "w" + std::to_string(i)}, Value(i + 1));
  }
  EXPECT_EQ(FloatsOf(RunModel(model, {FloatTensor({2}, {1, 2})})[0]), (Floats{1 + kNodes / 2, 2}));
}

TEST(LargeModels, MayReadOneValueEverywhereAndGiveAllBack) {
  ModelMaker model;
  model.Input("x", {2});
  for (int i = 0; i < kNodes; ++i) {
    AddUnnamed(model, i % 2 == 0 ? "Relu" : "Neg", {"x"}, Value(i));
    model.Output(Value(i));
  }
  const auto found = RunModel(model, {FloatTensor({2}, {1, -2})});
  ASSERT_EQ(found.size(), static_cast<std::size_t>(kNodes));
  EXPECT_EQ(FloatsOf(found[0]), (Floats{1, 0}));
  EXPECT_EQ(FloatsOf(found[kNodes - 1]), (Floats{-1, 2}));
}

TEST(LargeModels, MayJoinVeryManyValues) {
  ModelMaker model;
  model.Input("x", {1}).Output("y");
  std::vector<std::string> parts;
  for (int i = 0; i < kNodes; ++i) {
    AddUnnamed(model, "Neg", {"x"}, Value(i));
    parts.push_back(Value(i));
  }
  SetInt(model.Node("Concat", parts, {"y"}), "axis", 0);
  EXPECT_EQ(FloatsOf(RunModel(model, {FloatTensor({1}, {3})})[0]), Floats(kNodes, -3));
}

// Made first to last, read last to first; every second one of another size leaves holes in the memory.
TEST(LargeModels, MayKeepValuesForLong) {
  ModelMaker model;
  model.Input("x", {1}).Input("z", {64}).Output("y0");
  for (int i = 0; i < kNodes / 2; ++i)
    SetInt(model.Node("CumSum", {i % 2 == 0 ? "x" : "z", "axis"}, {Value(i)}), "exclusive", 0);
  model.Numbers("axis", {}, {0});
  for (int i = kNodes / 2; i-- > 0;)
    AddUnnamed(model, "Add", {Value(i), i + 1 == kNodes / 2 ? "x" : "y" + std::to_string(i + 1)},
               "y" + std::to_string(i));
  const auto found = RunModel(model, {FloatTensor({1}, {1}), FloatTensor({64}, Floats(64, 0))});
  EXPECT_EQ(FloatsOf(found[0])[0], 1 + kNodes / 4);
}

TEST(LargeModels, MayHaveValuesThatNobodyReads) {
  ModelMaker model;
  model.Input("x", {2}).Output("y");
  for (int i = 0; i < kNodes; ++i)
    AddUnnamed(model, "Neg", {"x"}, Value(i));
  model.Node("Relu", {"x"}, {"y"});
  EXPECT_EQ(FloatsOf(RunModel(model, {FloatTensor({2}, {1, -2})})[0]), (Floats{1, 0}));
}

TEST(LargeModels, MayComputeMuchFromConstants) {
  ModelMaker model;
  model.Input("x", {2}).Output("y").Weights("one", {1}, {1}).Weights(Value(0), {2}, {0, 0});
  for (int i = 0; i < kNodes; ++i)
    AddUnnamed(model, "Add", {Value(i), "one"}, Value(i + 1));
  model.Node("Add", {"x", Value(kNodes)}, {"y"});
  EXPECT_EQ(FloatsOf(RunModel(model, {FloatTensor({2}, {1, 2})})[0]), (Floats{1 + kNodes, 2 + kNodes}));
}

TEST(LargeModels, MayReadVeryManyOuterValuesInAGraph) {
  ModelMaker model;
  model.Input("x", {2}).Input("choice", {}, ::onnx::TensorProto::BOOL).Output("y");
  constexpr int kCaptured = kNodes / 4;
  for (int i = 0; i < kCaptured; ++i)
    AddUnnamed(model, i % 2 == 0 ? "Relu" : "Neg", {"x"}, Value(i));
  ::onnx::NodeProto& node = model.Node("If", {"choice"}, {"y"});
  for (const char* name : {"then_branch", "else_branch"}) {
    ::onnx::GraphProto& branch = SetGraph(node, name);
    branch.set_name(name);
    AddNode(branch, "Relu", {"x"}, {"s0"});
    for (int i = 0; i < kCaptured; ++i)
      AddNode(branch, "Add", {"s" + std::to_string(i), Value(i)}, {"s" + std::to_string(i + 1)});
    AddValue(*branch.add_output(), "s" + std::to_string(kCaptured), {2}, ::onnx::TensorProto::FLOAT);
  }
  ge::Tensor choice(ge::TensorDesc(ge::Shape(), ge::FORMAT_ND, ge::DT_BOOL));
  const std::uint8_t yes = 1;
  choice.SetData(&yes, 1);
  EXPECT_EQ(FloatsOf(RunModel(model, {FloatTensor({2}, {1, -1}), choice})[0]),
            (Floats{1, static_cast<float>(kCaptured / 2)}));
}

// Products of a value with itself, looked through for a pattern, are twice as many at every step.
TEST(LargeModels, MaySquareAgainAndAgain) {
  ModelMaker model;
  model.Input(Value(0), {2}).Output("y");
  constexpr int kSquares = 200;
  for (int i = 0; i < kSquares; ++i)
    AddUnnamed(model, "Mul", {Value(i), Value(i)}, Value(i + 1));
  model.Node("Tanh", {Value(kSquares)}, {"y"});
  EXPECT_EQ(FloatsOf(RunModel(model, {FloatTensor({2}, {1, 0})})[0])[1], 0);
}

}  // namespace
}  // namespace foothold
