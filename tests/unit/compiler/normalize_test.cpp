// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/normalize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/compiler/graph_builder.h"

namespace foothold {
namespace {

using testing::HasSubstr;

// y = f(x), f(a) = a + value
std::shared_ptr<Graph> CallingGraph(const TensorValue& value) {
  auto body = std::make_shared<Graph>("body");
  const OutputRef a = AddData(*body, "a", 0, {2});
  Node& sum = AddNode(*body, "Add", "sum", {{"x1", a}, {"x2", AddConstant(*body, "value", value)}});
  body->outputs = {{&sum, 0}};
  auto graph = std::make_shared<Graph>("outer");
  const OutputRef x = AddData(*graph, "x", 0, {2});
  Node& call = AddNode(*graph, "PartitionedCall", "call", {{"args0", x}});
  call.subgraphs.push_back({"f", "f", nullptr, body});
  graph->outputs = {{&call, 0}};
  return graph;
}

TEST(Normalize, PutsTheNodesOfACalledGraphInItsPlace) {
  const NormalGraph normal = Normalize(*CallingGraph(FloatValue({2}, {1, 2})));
  ASSERT_EQ(normal.graph->outputs.size(), 1u);
  EXPECT_EQ(normal.graph->outputs[0].node->name(), "call/sum");
}

TEST(Normalize, RefusesInputsWithoutAnOutput) {
  Graph graph("g");
  graph.Make("Data", "x");
  EXPECT_THROW(Normalize(graph), Error);
}

std::string Refusal(const Graph& graph) {
  try {
    Normalize(graph);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(Normalize, RefusesNodesWithFewerOutputsThanTheirOperator) {
  Graph graph("g");
  const OutputRef x = AddData(graph, "x", 0, {2});
  Node& norm = AddNode(graph, "AddRmsNormQuant", "norm", {{"x1", x}, {"x2", x}, {"gamma", x}, {"scales1", x}},
                       {"y1", "y2"});
  graph.outputs = {{&norm, 0}};
  EXPECT_THAT(Refusal(graph), HasSubstr("node 'norm' (AddRmsNormQuant) has 2 outputs, expected 3"));
}

TEST(Normalize, RefusesNodesWithoutARequiredInput) {
  Graph graph("g");
  Node& sum = AddNode(graph, "Add", "sum", {{"x1", AddData(graph, "x", 0, {2})}});
  graph.outputs = {{&sum, 0}};
  EXPECT_THAT(Refusal(graph),
              HasSubstr("node 'sum' (Add) has 1 inputs, and nothing for the required input 'x2'"));
  sum.AddInput("x2", PortKind::kOptional);  // as a file may say
  EXPECT_THAT(Refusal(graph), HasSubstr("nothing for the required input 'x2'"));
}

TEST(Normalize, TakesInputsOfOtherNamesInTheirOrder) {
  Graph graph("g");
  const OutputRef x = AddData(graph, "x", 0, {2});
  Node& sum = AddNode(graph, "Add", "sum", {{"a", x}, {"b", x}});
  graph.outputs = {{&sum, 0}};
  EXPECT_EQ(Refusal(graph), "");
}

TEST(Normalize, TakesNodesWithMoreOutputsThanTheirOperator) {
  Graph graph("g");
  Node& root = AddNode(graph, "Sqrt", "root", {{"x", AddData(graph, "x", 0, {2})}}, {"y", "new_one"});
  graph.outputs = {{&root, 0}};
  EXPECT_EQ(Refusal(graph), "");
  Node& next = AddNode(graph, "Sqrt", "next", {{"x", {&root, 1}}});
  graph.outputs = {{&next, 0}};
  EXPECT_THAT(Refusal(graph), HasSubstr("node 'next' (Sqrt) reads output 1 of node 'root' (Sqrt), which"));
  graph.outputs = {{&root, 1}};
  EXPECT_THAT(Refusal(graph), HasSubstr("output 1 of node 'root' (Sqrt) is given back, which"));
}

TEST(Normalize, RefusesOperatorsThatOnlyPassesMake) {
  Graph graph("g");
  const OutputRef x = AddData(graph, "x", 0, {2});
  Node& attention = AddNode(graph, "HeadAttention", "head", {{"query", x}, {"key", x}, {"value", x}});
  graph.outputs = {{&attention, 0}};
  EXPECT_THAT(Refusal(graph),
              HasSubstr("node 'head' (HeadAttention) is an operator that only the compiler uses"));
}

TEST(Normalize, LooksAtCalledGraphsToo) {
  auto graph = CallingGraph(FloatValue({2}, {1, 2}));
  Graph& body = *graph->outputs[0].node->subgraphs[0].graph;
  body.outputs[0].node->Disconnect(1);
  EXPECT_THAT(Refusal(*graph), HasSubstr("required input 'x2'"));
}

TEST(Normalize, RefusesCallsWithoutAnArgumentThatIsUsed) {
  auto graph = CallingGraph(FloatValue({2}, {1, 2}));
  Node& call = *graph->outputs[0].node;
  call.Disconnect(0);
  call.inputs()[0].kind = PortKind::kDynamic;
  EXPECT_THAT(Refusal(*graph), HasSubstr("uses input 'args0', which has no source"));
  Graph& body = *call.subgraphs[0].graph;
  body.outputs = {{body.inputs[0], 0}};
  EXPECT_THAT(Refusal(*graph), HasSubstr("uses input 'args0', which has no source"));
}

TEST(Normalize, FreesACalledGraphWithTheGraphThatCalledIt) {
  auto value = std::make_unique<TensorValue>(FloatValue({2}, {1, 2}));
  const std::weak_ptr<std::byte[]> bytes = value->shared_data();
  Normalize(*CallingGraph(*value));
  value.reset();
  EXPECT_TRUE(bytes.expired());
}

}  // namespace
}  // namespace foothold
