// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ir/graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace foothold {
namespace {

using testing::HasSubstr;

Node& AddNode(Graph& graph, const std::string& name) {
  Node& node = graph.Make("Op", name);
  node.AddInput("x", PortKind::kOptional);
  node.AddOutput("y", PortKind::kRequired);
  return node;
}

TEST(NodePool, KeepsConnectedNodesWhileOneIsHeld) {
  NodeRef producer = NodeRef::Make("Op", "producer");
  producer->AddOutput("y", PortKind::kRequired);
  {
    NodeRef consumer = NodeRef::Make("Op", "consumer");
    consumer->AddInput("x", PortKind::kRequired);
    consumer->Connect(0, {producer.get(), 0});
  }
  ASSERT_EQ(producer->outputs()[0].consumers.size(), 1u);
  EXPECT_EQ(producer->outputs()[0].consumers[0].node->name(), "consumer");
}

TEST(Node, KeepsLinksWhenAPortIsInsertedBeforeThem) {
  Graph graph("g");
  Node& a = AddNode(graph, "a");
  Node& b = AddNode(graph, "b");
  b.Connect(0, {&a, 0});
  b.AddInput("first", PortKind::kOptional, "", 0);
  EXPECT_FALSE(b.inputs()[0].source);
  EXPECT_EQ(b.inputs()[1].source, (OutputRef{&a, 0}));
  ASSERT_EQ(a.outputs()[0].consumers.size(), 1u);
  EXPECT_EQ(a.outputs()[0].consumers[0], (InputRef{&b, 1}));
}

TEST(Graph, FindsConnectedNodesInBothDirections) {
  NodeRef a = NodeRef::Make("Op", "a"), b = NodeRef::Make("Op", "b"), c = NodeRef::Make("Op", "c");
  for (const NodeRef& node : {a, b, c}) {
    node->AddInput("x", PortKind::kOptional);
    node->AddOutput("y", PortKind::kRequired);
  }
  b->Connect(0, {a.get(), 0});
  c->AddControlInput(*b);
  Graph graph("g");
  graph.Add(*b);
  graph.AddConnected();
  EXPECT_EQ(graph.nodes().size(), 3u);
}

TEST(Graph, OrdersProducersFirst) {
  Graph graph("g");
  Node& last = AddNode(graph, "last");
  Node& first = AddNode(graph, "first");
  last.Connect(0, {&first, 0});
  EXPECT_EQ(graph.Order(), (std::vector<Node*>{&first, &last}));
}

TEST(Graph, NamesANodeThatDependsOnItself) {
  Graph graph("g");
  Node& a = AddNode(graph, "a");
  Node& b = AddNode(graph, "b");
  a.Connect(0, {&b, 0});
  b.Connect(0, {&a, 0});
  try {
    graph.Order();
    FAIL() << "a circle was ordered";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("depends on itself"));
  }
}

TEST(Graph, ListsAllFaultsAtOnce) {
  Graph graph("g");
  AddNode(graph, "twin");
  AddNode(graph, "twin");
  graph.Make("Op", "open").AddInput("needed", PortKind::kRequired);
  try {
    graph.Validate();
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("twin"));
    EXPECT_THAT(error.message(), HasSubstr("required input 'needed' has no source"));
  }
}

TEST(Graph, ClonesWithoutSharingNodes) {
  Graph graph("g");
  Node& a = AddNode(graph, "a");
  Node& b = AddNode(graph, "b");
  b.Connect(0, {&a, 0});
  b.attributes["k"] = std::int64_t{3};
  graph.outputs = {{&b, 0}};
  const auto copy = graph.Clone();
  b.attributes["k"] = std::int64_t{4};
  Node* cloned = copy->Find("b");
  ASSERT_NE(cloned, nullptr);
  EXPECT_NE(cloned, &b);
  EXPECT_EQ(cloned->Int("k", 0), 3);
  EXPECT_EQ(copy->outputs.at(0).node, cloned);
  EXPECT_EQ(cloned->inputs()[0].source.node, copy->Find("a"));
}

TEST(Graph, OrdersTenThousandNodesInARow) {
  Graph graph("g");
  Node* before = &AddNode(graph, "n0");
  for (int i = 1; i < 10000; ++i) {
    Node& node = AddNode(graph, "n" + std::to_string(i));
    node.Connect(0, {before, 0});
    before = &node;
  }
  EXPECT_EQ(graph.Order().size(), 10000u);
  EXPECT_EQ(graph.Clone()->nodes().size(), 10000u);
}

}  // namespace
}  // namespace foothold
