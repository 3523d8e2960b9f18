// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Where nodes stand in their graphs, and tables by place.
#include <gtest/gtest.h>

#include "ir/node_table.h"

namespace foothold {
namespace {

Node& AddNode(Graph& graph, const char* name) {
  Node& node = graph.Make("Op", name);
  node.AddInput("x", PortKind::kOptional);
  node.AddOutput("y", PortKind::kRequired);
  return node;
}

TEST(PlacesOfNodes, FollowWhoLeaves) {
  Graph graph("g");
  Node &a = AddNode(graph, "a"), &b = AddNode(graph, "b"), &c = AddNode(graph, "c");
  graph.Remove(a);
  EXPECT_FALSE(graph.Contains(a));
  EXPECT_EQ(graph.PlaceOf(a), Graph::kNowhere);
  EXPECT_EQ(graph.PlaceOf(b), 0u);
  EXPECT_EQ(graph.PlaceOf(c), 1u);
  graph.Add(a);
  EXPECT_EQ(graph.PlaceOf(a), 2u);
}

TEST(NodeOfTwoGraphs, HasAPlaceInBoth) {
  Graph first("first"), second("second");
  Node &a = AddNode(first, "a"), &b = AddNode(first, "b");
  AddNode(second, "c");
  second.Add(b);
  second.Add(b);
  EXPECT_EQ(first.PlaceOf(b), 1u);
  EXPECT_EQ(second.PlaceOf(b), 1u);
  EXPECT_EQ(second.nodes().size(), 2u);
  EXPECT_FALSE(second.Contains(a));
}

TEST(NodeOfTwoGraphs, StaysInOneWhenItLeavesTheOther) {
  Graph first("first"), second("second");
  Node& a = AddNode(first, "a");
  second.Add(a);
  first.Forget({&a});
  EXPECT_FALSE(first.Contains(a));
  EXPECT_EQ(second.PlaceOf(a), 0u);
  first.Add(a);
  second.Forget({&a});
  EXPECT_FALSE(second.Contains(a));
  EXPECT_EQ(first.PlaceOf(a), 0u);
}

TEST(NodeOfAGraphThatIsGone, CanBeAddedToAnother) {
  auto first = std::make_unique<Graph>("first");
  const NodeRef kept(AddNode(*first, "a"));
  first.reset();
  Graph second("second");
  EXPECT_FALSE(second.Contains(*kept));
  second.Add(*kept);
  EXPECT_EQ(second.Order(), std::vector<Node*>{kept.get()});
}

TEST(CopyOfAGraph, ListsConsumersInTheOrderOfNodes) {
  Graph graph("g");
  Node &value = AddNode(graph, "value"), &first = AddNode(graph, "first"), &early = AddNode(graph, "early"),
       &third = AddNode(graph, "third"), &late = AddNode(graph, "late");
  early.AddInput("x2", PortKind::kOptional);
  early.Connect(1, {&late, 0});
  for (Node* reader : {&third, &early, &first})
    reader->Connect(0, {&value, 0});
  const std::shared_ptr<Graph> copy = graph.Clone();
  std::vector<std::string> readers;
  for (const InputRef& consumer : copy->Find("value")->outputs()[0].consumers)
    readers.push_back(consumer.node->name());
  EXPECT_EQ(readers, (std::vector<std::string>{"first", "early", "third"}));
  EXPECT_EQ(copy->Find("early")->inputs()[1].source.node, copy->Find("late"));
}

TEST(CopyOfAGraph, HasWhatGuestsAreLinkedWith) {
  Graph first("first"), second("second");
  Node &a = AddNode(first, "a"), &b = AddNode(second, "b");
  b.Connect(0, {&a, 0});
  second.Add(a);
  const auto copy = second.Clone();
  ASSERT_EQ(copy->nodes().size(), 2u);
  EXPECT_EQ(copy->nodes()[0]->inputs()[0].source.node, copy->nodes()[1]);
}

TEST(NodeTables, GrowWithTheGraph) {
  Graph graph("g");
  Node& a = AddNode(graph, "a");
  NodeTable<int> table(graph);
  table[a] = 1;
  Node& b = AddNode(graph, "b");
  EXPECT_EQ(table[b], 0);
  EXPECT_EQ(table[a], 1);
}

TEST(NodeTables, RefuseNodesOfOtherGraphs) {
  Graph graph("g"), other("other");
  NodeTable<int> table(graph);
  EXPECT_THROW(table[AddNode(other, "a")], Error);
}

TEST(JoinedPools, KeepTheMemoryOfBoth) {
  NodeRef a = NodeRef::Make("Op", "a"), b = NodeRef::Make("Op", "b");
  for (const NodeRef& node : {a, b}) {
    for (int i = 0; i < 100; ++i)
      node->AddInput("x" + std::to_string(i), PortKind::kDynamic, "x");
    node->AddOutput("a name that is longer than a string holds itself", PortKind::kRequired);
  }
  a->Connect(7, {b.get(), 0});
  b = NodeRef();
  const Node& producer = *a->inputs()[7].source.node;
  EXPECT_EQ(producer.inputs()[99].name, "x99");
  EXPECT_EQ(producer.outputs()[0].consumers[0], (InputRef{a.get(), 7}));
}

}  // namespace
}  // namespace foothold
