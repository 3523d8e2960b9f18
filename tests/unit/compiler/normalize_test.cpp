// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/normalize.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "unit/compiler/graph_builder.h"

namespace foothold {
namespace {

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

TEST(Normalize, FreesACalledGraphWithTheGraphThatCalledIt) {
  auto value = std::make_unique<TensorValue>(FloatValue({2}, {1, 2}));
  const std::weak_ptr<std::byte[]> bytes = value->shared_data();
  Normalize(*CallingGraph(*value));
  value.reset();
  EXPECT_TRUE(bytes.expired());
}

}  // namespace
}  // namespace foothold
