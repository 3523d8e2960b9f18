// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/executable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "unit/compiler/graph_builder.h"

namespace foothold {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Executable, ComputesAChain) {
  Graph graph("g");
  const OutputRef x = AddData(graph, "x", 0), y = AddData(graph, "y", 1);
  Node& sum = AddNode(graph, "Add", "sum", {{"x1", x}, {"x2", y}});
  Node& relu = AddNode(graph, "Relu", "relu", {{"x", {&sum, 0}}});
  graph.outputs = {{&relu, 0}};
  const auto out = RunOnce(graph, {FloatValue({3}, {1, -5, 2}), FloatValue({3}, {1, 1, 1})});
  EXPECT_THAT(FloatsOf(out.at(0)), ElementsAre(2, 0, 3));
}

TEST(Executable, GivesOneValueBackTwiceAndInputsAndConstantsToo) {
  Graph graph("g");
  const OutputRef x = AddData(graph, "x", 0);
  const OutputRef c = AddConstant(graph, "c", FloatValue({2}, {7, 8}));
  Node& sum = AddNode(graph, "Add", "sum", {{"x1", x}, {"x2", c}});
  graph.outputs = {{&sum, 0}, {&sum, 0}, x, c};
  const auto out = RunOnce(graph, {FloatValue({2}, {1, 2})});
  EXPECT_THAT(FloatsOf(out.at(0)), ElementsAre(8, 10));
  EXPECT_THAT(FloatsOf(out.at(1)), ElementsAre(8, 10));
  EXPECT_THAT(FloatsOf(out.at(2)), ElementsAre(1, 2));
  EXPECT_THAT(FloatsOf(out.at(3)), ElementsAre(7, 8));
}

TEST(Executable, KeepsThePlanOfShapesItHasMet) {
  Graph graph("g");
  Node& relu = AddNode(graph, "Relu", "relu", {{"x", AddData(graph, "x", 0)}});
  graph.outputs = {{&relu, 0}};
  Executable executable(Normalize(graph).graph);
  const auto first = executable.Prepare({FloatType({2})});
  EXPECT_NE(executable.Prepare({FloatType({3})}), first);
  EXPECT_EQ(executable.Prepare({FloatType({2})}), first);
}

TEST(Executable, RefusesValuesOfMoreElementsThanCanBeCounted) {
  Graph graph("g");
  const std::int64_t many = std::int64_t{1} << 40;
  TensorValue shape(TensorType{DataType::kInt64, Format::kNd, {2}});
  std::fill_n(shape.MutableAs<std::int64_t>(), 2, many);
  const OutputRef sizes = AddConstant(graph, "sizes", std::move(shape));
  Node& spread = AddNode(graph, "BroadcastTo", "spread", {{"x", AddData(graph, "x", 0)}, {"shape", sizes}});
  graph.outputs = {{&spread, 0}};
  Executable executable(Normalize(graph).graph);
  try {
    executable.Prepare({FloatType({1})});
    FAIL() << "compiled";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("'spread'"));
    EXPECT_THAT(error.message(), HasSubstr("more elements than 64 bits can count"));
  }
}

// Two rectified inputs one after the other.
Node& AddJoined(Graph& graph) {
  Node& first = AddNode(graph, "Relu", "first", {{"x", AddData(graph, "x", 0)}});
  Node& second = AddNode(graph, "Relu", "second", {{"x", AddData(graph, "y", 1)}});
  Node& joined = graph.Make("ConcatD", "joined");
  for (const OutputRef& part : {OutputRef{&first, 0}, OutputRef{&second, 0}}) {
    joined.AddInput("x" + std::to_string(joined.inputs().size()), PortKind::kDynamic, "x");
    joined.Connect(static_cast<int>(joined.inputs().size()) - 1, part);
  }
  joined.AddOutput("y", PortKind::kRequired);
  joined.attributes["concat_dim"] = std::int64_t{0};
  return joined;
}

TEST(Executable, MakesWhatIsConcatenatedInItsPlace) {
  Graph graph("g");
  Node& whole = AddNode(graph, "SoftmaxV2", "whole", {{"x", {&AddJoined(graph), 0}}});
  graph.outputs = {{&whole, 0}};
  Executable executable(Normalize(graph).graph);
  const auto plan = executable.Prepare({FloatType({16}), FloatType({5})});
  const Program& program = *plan->program;
  const auto step = std::find_if(program.steps.begin(), program.steps.end(),
                                 [](const Step& each) { return each.type == "ConcatD"; });
  ASSERT_NE(step, program.steps.end());
  const auto place = [&](int value) { return program.values[static_cast<std::size_t>(value)]; };
  EXPECT_EQ(place(step->inputs[0]), place(step->outputs[0]));
  EXPECT_EQ(place(step->inputs[1]).index, place(step->outputs[0]).index + 16 * sizeof(float));
}

TEST(Executable, ConcatenatesIntoAnOutput) {
  Graph graph("g");
  Node& joined = AddJoined(graph);
  graph.outputs = {{&joined, 0}, joined.inputs()[0].source};
  const auto out = RunOnce(graph, {FloatValue({2}, {1, -5}), FloatValue({3}, {-1, 2, 3})});
  EXPECT_THAT(FloatsOf(out.at(0)), ElementsAre(1, 0, 0, 2, 3));
  EXPECT_THAT(FloatsOf(out.at(1)), ElementsAre(1, 0));
}

TEST(Executable, PacksAWeightOfSeveralProductsOnce) {
  Graph graph("g");
  const OutputRef x = AddData(graph, "x", 0), y = AddData(graph, "y", 1);
  const OutputRef w = AddConstant(graph, "w", FloatValue({2, 2}, {1, 2, 3, 4}));
  Node& first = AddNode(graph, "MatMul", "first", {{"x1", x}, {"x2", w}});
  Node& second = AddNode(graph, "MatMul", "second", {{"x1", y}, {"x2", w}});
  graph.outputs = {{&first, 0}, {&second, 0}};
  Executable executable(Normalize(graph).graph);
  const auto plan = executable.Prepare({FloatType({1, 2}), FloatType({3, 2})});
  ASSERT_EQ(plan->program->constants.size(), 1u);
  const auto other = executable.Prepare({FloatType({5, 2}), FloatType({4, 2})});
  EXPECT_EQ(other->program->constants.at(0).data(), plan->program->constants[0].data())
      << "other shapes of x have no other packing";
  NoVariables variables;
  const auto out =
      RunStages(*plan, {FloatValue({1, 2}, {1, 1}), FloatValue({3, 2}, {1, 0, 0, 1, 1, 1})}, variables);
  EXPECT_THAT(FloatsOf(out.at(0)), ElementsAre(4, 6));
  EXPECT_THAT(FloatsOf(out.at(1)), ElementsAre(1, 2, 3, 4, 4, 6));
}

TEST(Executable, ReshapesByAShapeComputedFromAnotherShape) {
  Graph graph("g");
  const OutputRef x = AddData(graph, "x", 0), y = AddData(graph, "y", 1);
  Node& shape = AddNode(graph, "Shape", "shape", {{"x", y}});
  Node& reshape = AddNode(graph, "Reshape", "reshape", {{"x", x}, {"shape", {&shape, 0}}});
  graph.outputs = {{&reshape, 0}};
  Executable executable(Normalize(graph).graph);
  const auto plan = executable.Prepare({FloatType({6}), FloatType({2, 3})});
  EXPECT_EQ(plan->rest, nullptr) << "the shape of y is known, so nothing has to wait";
  EXPECT_EQ(plan->program->outputs.at(0).dims, (Dims{2, 3}));
}

TEST(Executable, WaitsForAShapeThatIsData) {
  Graph graph("g");
  const OutputRef x = AddData(graph, "x", 0), wanted = AddData(graph, "wanted", 1);
  Node& twice = AddNode(graph, "Add", "twice", {{"x1", x}, {"x2", x}});
  Node& reshape = AddNode(graph, "Reshape", "reshape", {{"x", {&twice, 0}}, {"shape", wanted}});
  Node& relu = AddNode(graph, "Relu", "relu", {{"x", {&reshape, 0}}});
  graph.outputs = {{&relu, 0}, {&twice, 0}};
  for (const auto& dims : {Dims{2, 2}, Dims{4, 1}}) {
    const auto out = RunOnce(graph, {FloatValue({4}, {1, -2, 3, 4}), Int64Value(dims)});
    EXPECT_EQ(out.at(0).dims(), dims);
    EXPECT_THAT(FloatsOf(out.at(0)), ElementsAre(2, 0, 6, 8));
    EXPECT_THAT(FloatsOf(out.at(1)), ElementsAre(2, -4, 6, 8));
  }
}

TEST(Executable, ListsEveryNodeWithoutAKernel) {
  Graph graph("g");
  const OutputRef x = AddData(graph, "x", 0);
  Node& one = AddNode(graph, "NoSuchOperator", "one", {{"x", x}});
  Node& two = AddNode(graph, "NorThisOne", "two", {{"x", {&one, 0}}});
  graph.outputs = {{&two, 0}};
  try {
    RunOnce(graph, {FloatValue({1}, {1})});
    FAIL() << "compiled";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), kFeatureUnsupported);
    EXPECT_THAT(error.message(), HasSubstr("node 'one' (NoSuchOperator)"));
    EXPECT_THAT(error.message(), HasSubstr("node 'two' (NorThisOne)"));
  }
}

TEST(Executable, WritesVariablesInPlace) {
  Graph graph("g");
  const OutputRef v = AddVariable(graph, "v", {2});
  const OutputRef x = AddData(graph, "x", 0);
  AddNode(graph, "AssignAdd", "assign", {{"ref", v}, {"value", x}}, {"ref"});
  Executable executable(Normalize(graph).graph);
  const auto plan = executable.Prepare({FloatType({2})});
  NoVariables variables;
  RunStages(*plan, {FloatValue({2}, {1, 2})}, variables);
  RunStages(*plan, {FloatValue({2}, {10, 20})}, variables);
  EXPECT_THAT(FloatsOf(variables.values.at("v")), ElementsAre(11, 22));
  ASSERT_EQ(plan->program->variables.size(), 1u);
  EXPECT_TRUE(plan->program->variables[0].written);
}

TEST(Executable, RefusesToWriteAConstant) {
  Graph graph("g");
  const OutputRef c = AddConstant(graph, "c", FloatValue({1}, {1}));
  AddNode(graph, "AssignAdd", "assign", {{"ref", c}, {"value", AddData(graph, "x", 0)}}, {"ref"});
  EXPECT_THROW(RunOnce(graph, {FloatValue({1}, {1})}), Error);
}

}  // namespace
}  // namespace foothold
