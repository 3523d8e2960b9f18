// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "graph/graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "ge/ge_api.h"

namespace {

using ge::AscendString;
using ge::GNode;
using ge::Graph;
using ge::Operator;
using ge::Shape;
using ge::Tensor;
using ge::TensorDesc;

std::vector<std::string> Names(const Graph& graph) {
  std::vector<std::string> names;
  (void)graph.GetAllOpName(names);
  std::sort(names.begin(), names.end());
  return names;
}

std::string NameOf(const GNode& node) {
  AscendString name;
  (void)node.GetName(name);
  return name.GetString();
}

Operator Constant(const char* name) {
  Operator constant(name, "Const");
  constant.SetAttr("value",
                   Tensor(TensorDesc(Shape({2}), ge::FORMAT_ND, ge::DT_INT32), std::vector<uint8_t>(8, 1)));
  return constant;
}

// y = relu(x + c), where only x is still held by a handle.
Graph Sum(const char* name) {
  Operator data("x", "Data");
  data.SetAttr("index", int64_t{0});
  Operator add("add", "Add");
  add.SetInput("x1", data).SetInput("x2", Constant("c"));
  Operator relu("relu", "Relu");
  relu.SetInput("x", add);
  Graph graph(name);
  graph.SetInputs({data}).SetOutputs(std::vector<Operator>{relu});
  return graph;
}

TEST(GeGraph, IsNotValidUntilItHasSomething) {
  Graph nothing;
  EXPECT_FALSE(nothing.IsValid());
  AscendString name;
  EXPECT_EQ(nothing.GetName(name), ge::GRAPH_FAILED);
  EXPECT_EQ(nothing.AddOp(Operator("x", "Data")), ge::GRAPH_FAILED);
  EXPECT_TRUE(nothing.GetAllNodes().empty());
  Graph named("named");
  EXPECT_EQ(named.GetName(), "named");
  EXPECT_EQ(named.SetValid(), ge::GRAPH_SUCCESS);
  EXPECT_TRUE(named.IsValid());
  EXPECT_TRUE(Sum("sum").IsValid());
}

TEST(GeGraph, FindsOperatorsForwardAndBackward) {
  EXPECT_EQ(Names(Sum("sum")), (std::vector<std::string>{"add", "c", "relu", "x"}));
}

TEST(GeGraph, FindsConsumersWhoseHandlesAreGone) {
  Operator variable("v", "Variable");
  {
    Operator assign("assign", "Assign");
    assign.SetInput("ref", variable).SetInput("value", Constant("initial"));
  }
  Graph graph("init");
  graph.SetInputs({variable});
  EXPECT_EQ(Names(graph), (std::vector<std::string>{"assign", "initial", "v"}));
}

TEST(GeGraph, FollowsControlEdges) {
  Operator data("x", "Data");
  Operator late("late", "Relu");
  late.AddControlInput(data);
  Graph graph("g");
  graph.SetInputs({data});
  EXPECT_EQ(Names(graph).size(), 2U);
  EXPECT_EQ(graph.FindNodeByName("late")->GetInControlNodes().size(), 1U);
  EXPECT_EQ(graph.FindNodeByName("x")->GetOutControlNodes().size(), 1U);
}

TEST(GeGraph, CopiesStandForTheSameGraph) {
  Graph graph("g");
  Graph copy = graph;
  EXPECT_EQ(copy.AddOp(Operator("x", "Data")), ge::GRAPH_SUCCESS);
  EXPECT_EQ(Names(graph), std::vector<std::string>{"x"});
}

TEST(GeGraph, FindsOperatorsByNameAndType) {
  const Graph graph = Sum("sum");
  Operator found;
  EXPECT_EQ(graph.FindOpByName("add", found), ge::GRAPH_SUCCESS);
  EXPECT_EQ(found.GetOpType(), "Add");
  EXPECT_EQ(graph.FindOpByName("nothing", found), ge::GRAPH_FAILED);
  std::vector<Operator> all;
  EXPECT_EQ(graph.FindOpByType("Const", all), ge::GRAPH_SUCCESS);
  EXPECT_EQ(all.size(), 1U);
}

TEST(GeGraph, RefusesTwoOperatorsOfOneName) {
  Graph graph("g");
  EXPECT_EQ(graph.AddOp(Operator("x", "Data")), ge::GRAPH_SUCCESS);
  (void)ge::GEGetErrorMsg();
  EXPECT_EQ(graph.AddOp(Operator("x", "Relu")), ge::GRAPH_FAILED);
  EXPECT_EQ(ge::GEGetErrorMsg().rfind("E13009: ", 0), 0U);
}

TEST(GeGraph, RefusesOutputsThatDoNotExist) {
  Operator data("x", "Data");
  Graph graph("g");
  graph.SetInputs({data});
  (void)ge::GEGetErrorMsg();
  graph.SetOutputs(std::vector<std::pair<Operator, std::vector<size_t>>>{{data, {3}}});
  EXPECT_NE(ge::GEGetErrorMsg(), "");
  graph.SetOutputs(std::vector<std::pair<Operator, std::string>>{{data, "nothing"}});
  EXPECT_NE(ge::GEGetErrorMsg(), "");
  graph.SetOutputs(std::vector<std::pair<Operator, std::string>>{{data, "y"}});
  EXPECT_EQ(ge::GEGetErrorMsg(), "");
}

TEST(GeGraph, IsConstructedFromInputs) {
  Operator data("x", "Data");
  Operator relu("relu", "Relu");
  relu.SetInput("x", data);
  const ge::GraphPtr graph = Graph::ConstructFromInputs({data}, "made");
  ASSERT_NE(graph, nullptr);
  EXPECT_EQ(Names(*graph).size(), 2U);
  EXPECT_EQ(Graph::ConstructFromInputs({}, "made"), nullptr);
  EXPECT_EQ(Graph::ConstructFromInputs({Operator()}, "made"), nullptr);
}

TEST(GeGraph, ListsProducersFirst) {
  const std::vector<GNode> nodes = Sum("sum").GetDirectNode();
  ASSERT_EQ(nodes.size(), 4U);
  EXPECT_EQ(NameOf(nodes[3]), "relu");
  EXPECT_EQ(NameOf(nodes[2]), "add");
}

TEST(GeGraph, EditsEdges) {
  Graph graph = Sum("sum");
  GNode constant = *graph.FindNodeByName("c");
  GNode add = *graph.FindNodeByName("add");
  EXPECT_EQ(graph.RemoveEdge(constant, 0, add, 0), ge::GRAPH_FAILED) << "another edge";
  EXPECT_EQ(graph.RemoveEdge(constant, 0, add, 1), ge::GRAPH_SUCCESS);
  GNode abs = graph.AddNodeByOp(Operator("abs", "Abs"));
  EXPECT_EQ(graph.AddDataEdge(constant, 0, abs, 0), ge::GRAPH_SUCCESS);
  EXPECT_EQ(graph.AddDataEdge(constant, 0, abs, 0), ge::GRAPH_FAILED) << "occupied";
  EXPECT_EQ(graph.AddDataEdge(abs, 0, add, 1), ge::GRAPH_SUCCESS);
  EXPECT_EQ(graph.AddDataEdge(abs, 0, add, 7), ge::GRAPH_FAILED);
  EXPECT_EQ(NameOf(*add.GetInDataNodesAndPortIndexs(1).first), "abs");
  EXPECT_EQ(graph.AddControlEdge(constant, add), ge::GRAPH_SUCCESS);
  EXPECT_EQ(graph.RemoveEdge(constant, -1, add, -1), ge::GRAPH_SUCCESS);
  EXPECT_EQ(graph.RemoveEdge(constant, -1, add, -1), ge::GRAPH_FAILED);
}

TEST(GeGraph, RemovesNodesAndTheirEdges) {
  Graph graph = Sum("sum");
  GNode add = *graph.FindNodeByName("add");
  EXPECT_EQ(graph.RemoveNode(add), ge::GRAPH_SUCCESS);
  EXPECT_EQ(graph.RemoveNode(add), ge::GRAPH_FAILED);
  EXPECT_EQ(graph.FindNodeByName("add"), nullptr);
  EXPECT_EQ(graph.FindNodeByName("relu")->GetInDataNodesAndPortIndexs(0).first, nullptr);
  EXPECT_EQ(NameOf(add), "add");
  GNode nothing;
  EXPECT_EQ(graph.RemoveNode(nothing), ge::GRAPH_FAILED);
}

TEST(GeGraph, CopiesDeeplyButKeepsItsName) {
  const Graph from = Sum("from");
  Graph to("to");
  ASSERT_EQ(to.CopyFrom(from), ge::GRAPH_SUCCESS);
  EXPECT_EQ(to.GetName(), "to");
  GNode relu = *to.FindNodeByName("relu");
  EXPECT_EQ(to.RemoveNode(relu), ge::GRAPH_SUCCESS);
  EXPECT_EQ(Names(from).size(), 4U);
  EXPECT_EQ(Names(to).size(), 3U);
}

TEST(GeGraph, HasAttributes) {
  Graph graph("g");
  ge::AttrValue value;
  EXPECT_EQ(graph.GetAttr("a", value), ge::GRAPH_FAILED);
  EXPECT_EQ(value.SetAttrValue(true), ge::GRAPH_SUCCESS);
  EXPECT_EQ(graph.SetAttr("a", value), ge::GRAPH_SUCCESS);
  ge::AttrValue back;
  EXPECT_EQ(graph.GetAttr("a", back), ge::GRAPH_SUCCESS);
  bool flag = false;
  EXPECT_EQ(back.GetAttrValue(flag), ge::GRAPH_SUCCESS);
  EXPECT_TRUE(flag);
}

// if (cond) then_graph else else_graph
Graph Branching() {
  Operator cond("cond", "Data");
  Operator branch("if", "If");
  branch.SetInput("cond", cond);
  Graph graph("branching");
  graph.SetInputs({cond});
  GNode node = *graph.FindNodeByName("if");
  EXPECT_EQ(node.SetSubgraph("then_branch", Sum("then_graph")), ge::GRAPH_SUCCESS);
  EXPECT_EQ(node.SetSubgraph("else_branch", Sum("else_graph")), ge::GRAPH_SUCCESS);
  EXPECT_EQ(node.SetSubgraph("nothing", Sum("x")), ge::GRAPH_FAILED);
  return graph;
}

TEST(GeGraph, KnowsItsSubgraphs) {
  const Graph graph = Branching();
  EXPECT_EQ(graph.GetDirectNode().size(), 2U);
  EXPECT_EQ(graph.GetAllNodes().size(), 10U);
  EXPECT_EQ(graph.GetAllSubgraphs().size(), 2U);
  const ge::GraphPtr found = graph.GetSubGraph("else_graph");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(NameOf(*found->GetParentNode()), "if");
  EXPECT_EQ(found->GetParentGraph()->GetName(), "branching");
  EXPECT_EQ(graph.GetParentGraph(), nullptr);
  EXPECT_EQ(graph.GetParentNode(), nullptr);
  EXPECT_EQ(graph.GetSubGraph("nothing"), nullptr);
}

TEST(GeGraph, TakesSubgraphsNobodyRuns) {
  Graph graph("g");
  EXPECT_EQ(graph.AddSubGraph(Sum("loose")), ge::GRAPH_SUCCESS);
  EXPECT_EQ(graph.AddSubGraph(Sum("loose")), ge::GRAPH_FAILED);
  EXPECT_EQ(graph.AddSubGraph(graph), ge::GRAPH_FAILED);
  EXPECT_NE(graph.GetSubGraph("loose"), nullptr);
  EXPECT_EQ(graph.RemoveSubgraph("loose"), ge::GRAPH_SUCCESS);
  EXPECT_EQ(graph.RemoveSubgraph("loose"), ge::GRAPH_FAILED);
}

TEST(GeGraph, ForgetsAParentThatIsGone) {
  Graph body = Sum("body");
  {
    Operator call("call", "PartitionedCall");
    Graph graph("g");
    GNode node = graph.AddNodeByOp(call);
    ASSERT_EQ(node.SetSubgraph("f", body), ge::GRAPH_SUCCESS);
    EXPECT_NE(body.GetParentNode(), nullptr);
  }
  EXPECT_EQ(body.GetParentNode(), nullptr);
}

TEST(GeGNode, AnswersForItsPorts) {
  const Graph graph = Sum("sum");
  GNode add = *graph.FindNodeByName("add");
  int32_t index = -1;
  EXPECT_EQ(add.GetInputIndexByName("x2", index), ge::GRAPH_SUCCESS);
  EXPECT_EQ(index, 1);
  EXPECT_EQ(add.GetOutputIndexByName("z", index), ge::GRAPH_FAILED);
  EXPECT_EQ(add.GetInputsSize(), 2U);
  Tensor value;
  EXPECT_EQ(add.GetInputConstData(0, value), ge::GRAPH_NODE_WITHOUT_CONST_INPUT);
  EXPECT_EQ(add.GetInputConstData(1, value), ge::GRAPH_SUCCESS);
  EXPECT_EQ(add.GetInputConstData(2, value), ge::GRAPH_FAILED);
  EXPECT_EQ(add.GetOutDataNodesAndPortIndexs(0).size(), 1U);
  TensorDesc desc;
  EXPECT_EQ(add.UpdateOutputDesc(0, TensorDesc(Shape({9}))), ge::GRAPH_SUCCESS);
  EXPECT_EQ(add.GetOutputDesc(0, desc), ge::GRAPH_SUCCESS);
  EXPECT_EQ(desc.GetShape().GetDim(0), 9);
  EXPECT_EQ(add.GetInputDesc(-1, desc), ge::GRAPH_FAILED);
}

TEST(GeGNode, HasAttributes) {
  const Graph graph = Sum("sum");
  GNode add = *graph.FindNodeByName("add");
  bool flag = true;
  EXPECT_FALSE(add.HasAttr("_host_tensor"));
  EXPECT_EQ(add.SetAttr("_host_tensor", flag), ge::GRAPH_SUCCESS);
  EXPECT_TRUE(add.HasAttr("_host_tensor"));
  int64_t number = 0;
  EXPECT_EQ(add.GetAttr("_host_tensor", number), ge::GRAPH_FAILED);
  ge::AttrValue value;
  EXPECT_EQ(value.SetAttrValue(int64_t{3}), ge::GRAPH_SUCCESS);
  EXPECT_EQ(add.SetInputAttr("p", 0, value), ge::GRAPH_SUCCESS);
  EXPECT_EQ(add.GetInputAttr("p", 0, value), ge::GRAPH_SUCCESS);
  EXPECT_EQ(add.GetOutputAttr("p", 0, value), ge::GRAPH_FAILED);
}

TEST(GeGNode, FailsEverywhereWhenItIsEmpty) {
  GNode node;
  AscendString text;
  TensorDesc desc;
  int64_t number = 0;
  EXPECT_EQ(node.GetName(text), ge::GRAPH_FAILED);
  EXPECT_EQ(node.GetInputDesc(0, desc), ge::GRAPH_FAILED);
  EXPECT_EQ(node.GetAttr("a", number), ge::GRAPH_FAILED);
  EXPECT_EQ(node.GetInDataNodesAndPortIndexs(0).first, nullptr);
  EXPECT_EQ(node.GetInputsSize(), 0U);
  EXPECT_FALSE(node.HasAttr("a"));
}

}  // namespace
