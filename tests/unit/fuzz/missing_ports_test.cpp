// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Every operator that runs, in nodes as only files have them: ports are missing, or nothing is connected to
// them. What is compiled is run as well: it is what reads and writes ports that are not there.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "fuzz/bounded_run.h"
#include "fuzz/graph_seeds.h"

namespace foothold {
namespace {

// Calls damage(graph, node) on a fresh graph around each operator, in each form, until it returns false, and
// compiles what it has made.
template <typename Damage>
void CompileDamaged(const Damage& damage) {
  int operators = 0;
  for (const std::string_view type : PrototypeTypes()) {
    if (FindOp(type) == nullptr) continue;
    ++operators;
    const Prototype& prototype = *FindPrototype(type);
    for (int form = 0; form < OperatorSeed::FormsOf(prototype); ++form)
      for (int step = 0;; ++step) {
        const OperatorSeed seed(prototype, form);
        if (!damage(seed.graph(), seed.node(), step)) break;
        SCOPED_TRACE(testing::Message() << type << ", form " << form << ", step " << step);
        EXPECT_NO_THROW(CompileAndRun(seed.graph()));
      }
  }
  EXPECT_GE(operators, 500);
}

void DropLastOutput(Graph& graph, Node& node) {
  const OutputRef last{&node, static_cast<int>(node.outputs().size()) - 1};
  graph.outputs.EraseIf([&](const OutputRef& output) { return output == last; });
  node.outputs().pop_back();
}

TEST(MissingPorts, OfOutputsAreRefusedOrNotWritten) {
  CompileDamaged([](Graph& graph, Node& node, int step) {
    if (step >= static_cast<int>(node.outputs().size())) return false;
    for (int i = 0; i <= step; ++i)
      DropLastOutput(graph, node);
    graph.targets.push_back(&node);
    return true;
  });
}

TEST(MissingPorts, OfInputsAreRefusedOrNotRead) {
  CompileDamaged([](Graph&, Node& node, int step) {
    if (step >= static_cast<int>(node.inputs().size())) return false;
    for (int i = 0; i <= step; ++i) {
      node.Disconnect(static_cast<int>(node.inputs().size()) - 1);
      node.inputs().pop_back();
    }
    return true;
  });
}

// A file may call any input optional.
TEST(MissingPorts, WithoutASourceAreRefusedOrNotRead) {
  CompileDamaged([](Graph&, Node& node, int step) {
    if (step >= static_cast<int>(node.inputs().size())) return false;
    node.Disconnect(step);
    Input& input = node.inputs()[static_cast<std::size_t>(step)];
    if (input.kind == PortKind::kRequired) input.kind = PortKind::kOptional;
    return true;
  });
}

// Operators of our own: nothing says which ports they have.
TEST(MissingPorts, OfOperatorsWithoutAPrototypeAreRefusedOrNotUsed) {
  constexpr int kMostInputs = 5, kMostOutputs = 4;
  for (const OpDef* op : AllOps()) {
    if (FindPrototype(op->type()) != nullptr) continue;
    for (int form = 0; form < (kMostInputs + 1) * kMostOutputs; ++form) {
      Graph graph("own");
      Node& node = graph.Make(op->type(), "op");
      for (int i = 0; i < form / kMostOutputs; ++i) {
        graph.inputs.push_back(
            &MakeData(graph, "x" + std::to_string(i), i, {DataType::kFloat, Format::kNd, {2, 4}}));
        node.AddInput("x" + std::to_string(i), PortKind::kRequired);
        node.Connect(i, {graph.inputs.back(), 0});
      }
      for (int i = 0; i < form % kMostOutputs; ++i) {
        node.AddOutput("y" + std::to_string(i), PortKind::kRequired);
        graph.outputs.push_back({&node, i});
      }
      graph.targets.push_back(&node);
      SCOPED_TRACE(testing::Message() << op->type() << ", form " << form);
      EXPECT_NO_THROW(CompileAndRun(graph));
    }
  }
}

}  // namespace
}  // namespace foothold
