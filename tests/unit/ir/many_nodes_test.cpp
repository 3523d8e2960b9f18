// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Links, outputs and removals where there are very many of them. Nothing is measured: what looks through all
// for each would not come to an end within the time a test has.
#include <gtest/gtest.h>

#include "ir/graph.h"

namespace foothold {
namespace {

constexpr int kMany = 100000;

Node& AddNode(Graph& graph) {
  Node& node = graph.Make("Op", "node");
  node.AddInput("x", PortKind::kOptional);
  node.AddOutput("y", PortKind::kRequired);
  return node;
}

std::vector<Node*> AddReaders(Graph& graph, Node& source, int count) {
  std::vector<Node*> readers;
  for (int i = 0; i < count; ++i) {
    readers.push_back(&AddNode(graph));
    readers.back()->Connect(0, {&source, 0});
  }
  return readers;
}

// Each consumer is where its input says.
void ExpectLinked(const Node& source) {
  const auto& consumers = source.outputs()[0].consumers;
  for (std::size_t i = 0; i < consumers.size(); ++i) {
    const Input& input = consumers[i].node->inputs()[static_cast<std::size_t>(consumers[i].port)];
    ASSERT_EQ(input.source.node, &source);
    ASSERT_EQ(input.use, i);
  }
}

TEST(ManyReaders, LeaveInTheOrderTheyCame) {
  Graph graph("g");
  Node& source = AddNode(graph);
  for (Node* reader : AddReaders(graph, source, kMany))
    reader->Disconnect(0);
  EXPECT_TRUE(source.outputs()[0].consumers.empty());
}

TEST(ManyReaders, MoveToAnotherValue) {
  Graph graph("g");
  Node &first = AddNode(graph), &second = AddNode(graph);
  AddReaders(graph, first, kMany);
  ReplaceUses({&first, 0}, {&second, 0});
  EXPECT_TRUE(first.outputs()[0].consumers.empty());
  EXPECT_EQ(second.outputs()[0].consumers.size(), static_cast<std::size_t>(kMany));
  ExpectLinked(second);
}

TEST(ManyReaders, StayLinkedWhenSomeLeave) {
  Graph graph("g");
  Node& source = AddNode(graph);
  const std::vector<Node*> readers = AddReaders(graph, source, 100);
  for (std::size_t i = 0; i < readers.size(); i += 2) {
    readers[i]->Disconnect(0);
    ExpectLinked(source);
  }
  EXPECT_EQ(source.outputs()[0].consumers.size(), 50u);
}

TEST(FewReaders, StayInTheirOrder) {
  Graph graph("g");
  Node& source = AddNode(graph);
  const std::vector<Node*> readers = AddReaders(graph, source, 4);
  readers[1]->Disconnect(0);
  ExpectLinked(source);
  const ConsumerList& left = source.outputs()[0].consumers;
  EXPECT_EQ(std::vector<InputRef>(left.begin(), left.end()),
            (std::vector<InputRef>{{readers[0], 0}, {readers[2], 0}, {readers[3], 0}}));
}

TEST(ManyNodes, AreDroppedOneByOne) {
  Graph graph("g");
  Node& source = AddNode(graph);
  for (Node* reader : AddReaders(graph, source, kMany))
    graph.Drop(*reader);
  EXPECT_TRUE(source.outputs()[0].consumers.empty());
  graph.Sweep();
  EXPECT_EQ(graph.nodes(), (std::vector<Node*>{&source}));
}

TEST(ManyOutputs, AreFoundAndReplaced) {
  Graph graph("g");
  Node &kept = AddNode(graph), &other = AddNode(graph);
  std::vector<Node*> nodes;
  for (int i = 0; i < kMany; ++i) {
    nodes.push_back(&AddNode(graph));
    graph.outputs.push_back({nodes.back(), 0});
  }
  for (Node* node : nodes) {
    ASSERT_TRUE(graph.outputs.Has(*node));
    graph.outputs.Replace({node, 0}, {&kept, 0});
    ASSERT_FALSE(graph.outputs.Has(*node));
  }
  EXPECT_TRUE(graph.outputs.Has(kept));
  EXPECT_FALSE(graph.outputs.Has(other));
  EXPECT_EQ(graph.outputs[kMany - 1], (OutputRef{&kept, 0}));
}

// An output of a node may go while another of the same node stays.
TEST(ManyOutputs, AreReplacedByPort) {
  Graph graph("g");
  Node &node = AddNode(graph), &other = AddNode(graph);
  node.AddOutput("z", PortKind::kRequired);
  for (int i = 0; i < 40; ++i)
    graph.outputs.push_back({&node, i % 2});
  graph.outputs.Replace({&node, 1}, {&other, 0});
  EXPECT_TRUE(graph.outputs.Has(node));
  EXPECT_EQ(graph.outputs[38], (OutputRef{&node, 0}));
  EXPECT_EQ(graph.outputs[39], (OutputRef{&other, 0}));
}

TEST(ManyPorts, AreInsertedBeforeALinkedOne) {
  Graph graph("g");
  Node &source = AddNode(graph), &reader = AddNode(graph);
  reader.Connect(0, {&source, 0});
  for (int i = 0; i < 2000; ++i) {
    reader.AddInput("p" + std::to_string(i), PortKind::kDynamic, "p", i);
    reader.Connect(i, {&source, 0});
  }
  ExpectLinked(source);
  EXPECT_EQ(source.outputs()[0].consumers[0], (InputRef{&reader, 2000}));
}

}  // namespace
}  // namespace foothold
