// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Graphs that move elements before and behind operators: compiled, they give what their nodes give one by
// one, without the nodes that only move.
#include "compiler/passes/fold_views.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <unordered_map>

#include "base/error.h"
#include "compiler/sources.h"
#include "ops/evaluate.h"
#include "prototypes/graph_builder.h"
#include "unit/compiler/graph_builder.h"

namespace foothold {
namespace {

// Small whole numbers in any type.
TensorValue Counting(DataType type, const Dims& dims) {
  TensorValue numbers(TensorType{DataType::kInt32, Format::kNd, dims});
  for (std::int64_t i = 0; i < ElementCount(dims); ++i)
    numbers.MutableAs<std::int32_t>()[i] = static_cast<std::int32_t>(1 + i * 7 % 23);
  if (type == DataType::kInt32) return numbers;
  GraphBuilder graph("counting");
  const OutputRef cast =
      graph.Op("Cast", {graph.Const(numbers)}).Set("dst_type", static_cast<std::int64_t>(type));
  graph.graph()->outputs.push_back(cast);
  return RunOnce(*graph.graph(), {}).at(0);
}

class FoldedViews : public testing::Test {
 protected:
  OutputRef Input(const TensorValue& value) {
    const auto index = static_cast<std::int64_t>(values_.size());
    values_.push_back(value);
    Node& node = graph_.Data("input" + std::to_string(index), index, value.type());
    graph_.graph()->inputs.push_back(&node);
    return {&node, 0};
  }
  OutputRef Input(DataType type, const Dims& dims) { return Input(Counting(type, dims)); }
  OutputRef Strided(OutputRef x, const Dims& dims, const Dims& strides, std::int64_t offset = 0) {
    return graph_.Op("AsStrided", {x, graph_.Ints(dims), graph_.Ints(strides), graph_.Ints({offset})});
  }
  OutputRef Transposed(OutputRef x, const Dims& order = {1, 0}) {
    return graph_.Op("Transpose", {x, graph_.Ints(order)});
  }
  void Output(OutputRef value) { graph_.graph()->outputs.push_back(value); }

  // Nothing is fused or folded, so the types of nodes that ran are those of the graph.
  std::vector<TensorValue> NodeByNode() {
    std::unordered_map<const Node*, std::vector<TensorValue>> made;
    for (Node* node : plain_->Order()) {
      if (IsData(*node)) made[node] = {values_.at(static_cast<std::size_t>(node->Int("index", 0)))};
      if (IsConstant(*node)) made[node] = {ConstantValue(*node)};
      if (IsSource(*node)) continue;
      std::vector<const TensorValue*> inputs;
      for (const auto& input : node->inputs())
        inputs.push_back(input.source
                             ? &made.at(input.source.node).at(static_cast<std::size_t>(input.source.port))
                             : nullptr);
      made[node] = EvaluateNode(*node, inputs);
    }
    std::vector<TensorValue> outputs;
    for (const OutputRef& output : plain_->outputs)
      outputs.push_back(made.at(output.node).at(static_cast<std::size_t>(output.port)));
    return outputs;
  }

  // The steps of the program, by the types of their nodes; what comes out is as it would be without passes.
  std::vector<std::string> Run() {
    const NormalGraph normal = Normalize(*graph_.graph());
    std::vector<TensorType> types;
    for (const TensorValue& value : values_)
      types.push_back(value.type());
    Executable executable(normal.graph, [&](const Graph& graph, Executable::Stage stage) {
      if (stage == Executable::Stage::kInferred) plain_ = graph.Clone();
    });
    const auto plan = executable.Prepare(types);
    NoVariables variables;
    found_ = RunStages(*plan, values_, variables);
    const auto expected = NodeByNode();
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(found_[i].type(), expected[i].type());
      EXPECT_EQ(std::memcmp(found_[i].data(), expected[i].data(), expected[i].size()), 0) << "output " << i;
    }
    std::vector<std::string> steps;
    for (const Step& step : plan->program->steps)
      steps.push_back(step.type);
    return steps;
  }

  using Steps = std::vector<std::string>;
  GraphBuilder graph_{"views"};
  std::vector<TensorValue> values_, found_;
  std::shared_ptr<Graph> plain_;
};

struct ViewCase {
  const char* name;
  Dims memory;
  std::function<OutputRef(FoldedViews&, GraphBuilder&, OutputRef)> make;  // of 40 x 70
};

const ViewCase kCases[] = {
    {"Transposed",
     {70, 40},
     [](FoldedViews&, GraphBuilder& g, OutputRef x) -> OutputRef {
       return g.Op("Transpose", {x, g.Ints({1, 0})});
     }},
    {"Sliced",
     {50, 90},
     [](FoldedViews&, GraphBuilder& g, OutputRef x) -> OutputRef {
       return g.Op("Slice", {x, g.Ints({3, 7}), g.Ints({40, 70})});
     }},
    {"SlicedAndTransposed",
     {90, 50},
     [](FoldedViews&, GraphBuilder& g, OutputRef x) -> OutputRef {
       return g.Op("Transpose", {g.Op("Slice", {x, g.Ints({7, 3}), g.Ints({70, 40})}), g.Ints({1, 0})});
     }},
    {"TransposedOfThree",
     {35, 2, 40},
     [](FoldedViews&, GraphBuilder& g, OutputRef x) -> OutputRef {
       return g.Op("Reshape", {g.Op("Transpose", {x, g.Ints({2, 0, 1})}), g.Ints({40, 70})});
     }},
    {"Stepped",
     {40, 140},
     [](FoldedViews&, GraphBuilder& g, OutputRef x) -> OutputRef {
       return g.Op("StridedSlice", {x, g.Ints({0, 1}), g.Ints({40, 140}), g.Ints({1, 2})});
     }},
    {"Rows",
     {40, 1},
     [](FoldedViews&, GraphBuilder& g, OutputRef x) -> OutputRef {
       return g.Op("BroadcastTo", {x, g.Ints({40, 70})});
     }},
    {"Columns",
     {70},
     [](FoldedViews&, GraphBuilder& g, OutputRef x) -> OutputRef {
       return g.Op("BroadcastTo", {x, g.Ints({40, 70})});
     }},
    {"Overlapping",
     {109},
     [](FoldedViews&, GraphBuilder& g, OutputRef x) -> OutputRef {
       return g.Op("AsStrided", {x, g.Ints({40, 70}), g.Ints({1, 1}), g.Ints({0})});
     }},
    {"TransposedApart",
     {9000},
     [](FoldedViews&, GraphBuilder& g, OutputRef x) -> OutputRef {
       return g.Op("AsStrided", {x, g.Ints({40, 70}), g.Ints({2, 110}), g.Ints({13})});
     }},
    {"Part",
     {3, 40, 70},
     [](FoldedViews&, GraphBuilder& g, OutputRef x) -> OutputRef {
       return g.Op("Reshape", {g.Op("Slice", {x, g.Ints({1, 0, 0}), g.Ints({1, 40, 70})}), g.Ints({40, 70})});
     }},
};

class FoldedViewsOf : public FoldedViews,
                      public testing::WithParamInterface<std::tuple<ViewCase, DataType>> {};

// What lies the other way round is turned by a copy of its own.
bool IsTurnedCase(const ViewCase& view) {
  return std::string_view(view.name).find("Transposed") != std::string_view::npos;
}

std::vector<std::string> After(const ViewCase& view, std::vector<std::string> steps) {
  if (IsTurnedCase(view)) steps.insert(steps.begin(), "TensorMove");
  return steps;
}

TEST_P(FoldedViewsOf, AreReadByElementWiseNodes) {
  const auto& [view, type] = GetParam();
  const OutputRef b = Input(type, {40, 70});
  Output(graph_.Op("Add", {view.make(*this, graph_, Input(type, view.memory)), b}));
  EXPECT_EQ(Run(), After(view, {"Add"}));
}

TEST_P(FoldedViewsOf, AreReadTwice) {
  const auto& [view, type] = GetParam();
  const OutputRef a = view.make(*this, graph_, Input(type, view.memory));
  Output(graph_.Op("Mul", {a, a}));
  const auto steps = Run();
  EXPECT_EQ(steps.back(), "Mul");
  EXPECT_EQ(steps.size() > 1, IsTurnedCase(view));
}

TEST_P(FoldedViewsOf, AreReadBesideEachOther) {
  const auto& [view, type] = GetParam();
  const OutputRef turned = Transposed(Input(type, {70, 40}));
  const OutputRef column = Input(type, {40, 1});
  const OutputRef sum = graph_.Op("Add", {turned, view.make(*this, graph_, Input(type, view.memory))});
  Output(graph_.Op("Maximum", {sum, column}));
  Run();
}

TEST_P(FoldedViewsOf, AreWritten) {
  const auto& [view, type] = GetParam();
  const OutputRef a = view.make(*this, graph_, Input(type, view.memory));
  const OutputRef into = Input(type, {9000});
  Output(graph_.Op("ViewCopy", {into, graph_.Ints({40, 70}), graph_.Ints({140, 2}), graph_.Ints({5}),
                                graph_.Op("Add", {a, Input(type, {40, 70})}), graph_.Ints({40, 70}),
                                graph_.Ints({70, 1}), graph_.Ints({0})}));
  EXPECT_EQ(Run(), After(view, {"Add", "Copy"}));
}

TEST_P(FoldedViewsOf, AreConverted) {
  const auto& [view, type] = GetParam();
  const OutputRef a = view.make(*this, graph_, Input(type, view.memory));
  Output(graph_.Op("Cast", {a}).Set("dst_type", static_cast<std::int64_t>(DataType::kDouble)));
  EXPECT_EQ(Run(), After(view, {"Cast"}));
}

INSTANTIATE_TEST_SUITE_P(
    All, FoldedViewsOf,
    testing::Combine(testing::ValuesIn(kCases),
                     testing::Values(DataType::kFloat, DataType::kFloat16, DataType::kBfloat16,
                                     DataType::kDouble, DataType::kInt8, DataType::kInt32, DataType::kInt64)),
    [](const auto& info) {
      return std::string(std::get<0>(info.param).name) + std::string(DataTypeName(std::get<1>(info.param)));
    });

TEST_F(FoldedViews, AreNotCopiedForOperatorsWhereTheyLieInOnePiece) {
  const OutputRef x = Input(DataType::kFloat, {4, 8, 6});
  const OutputRef part = graph_.Op("Slice", {x, graph_.Ints({2, 0, 0}), graph_.Ints({1, 8, 6})});
  Output(graph_.Op("Cumsum", {part, graph_.Int(2)}));
  EXPECT_EQ(Run(), Steps{"Cumsum"});
}

TEST_F(FoldedViews, TakeTheWayBackAlong) {
  const OutputRef a = Transposed(Input(DataType::kFloat, {30, 20})),
                  b = Transposed(Input(DataType::kFloat, {30, 20}));
  Output(Transposed(graph_.Op("Add", {a, b})));
  EXPECT_EQ(Run(), Steps{"ElementChain"});
}

TEST_F(FoldedViews, SelectBeforeElementsAreComputed) {
  const OutputRef sum = graph_.Op("Add", {Input(DataType::kFloat, {30, 20}), Input(DataType::kFloat, {20})});
  Output(graph_.Op("Slice", {graph_.Op("Exp", {sum}), graph_.Ints({4, 5}), graph_.Ints({10, 11})}));
  EXPECT_EQ(Run(), Steps{"ElementChain"});
}

TEST_F(FoldedViews, StayWhereOthersNeedTheCopy) {
  const OutputRef a = Transposed(Input(DataType::kFloat, {30, 20}));
  Output(graph_.Op("Add", {a, Input(DataType::kFloat, {20, 30})}));
  Output(graph_.Op("Cumsum", {a, graph_.Int(1)}));
  EXPECT_EQ(Run().size(), 3u);
}

TEST_F(FoldedViews, StayAsOutputs) {
  const OutputRef a = Transposed(Input(DataType::kFloat, {30, 20}));
  Output(a);
  Output(graph_.Op("Add", {a, Input(DataType::kFloat, {20, 30})}));
  EXPECT_EQ(Run().size(), 2u);
}

TEST_F(FoldedViews, OfNothingAreNothing) {
  const OutputRef a = Strided(Input(DataType::kFloat, {10}), {0, 7}, {3, 1});
  Output(graph_.Op("Add", {a, Input(DataType::kFloat, {0, 7})}));
  Run();
  EXPECT_EQ(ElementCount(found_[0].dims()), 0);
}

TEST_F(FoldedViews, BackwardsAreRefused) {
  Output(
      graph_.Op("Add", {Strided(Input(DataType::kFloat, {10}), {3}, {1}, -1), Input(DataType::kFloat, {3})}));
  EXPECT_THROW(Run(), Error);
}

TEST_F(FoldedViews, AreReadWhereOutputsOfNodesAreSplit) {
  const OutputRef x = Input(DataType::kFloat, {12, 30});
  OpBuilder split = graph_.Op("SplitV", {x, graph_.Ints({10, 20}), graph_.Int(1)});
  split.Set("num_split", std::int64_t{2}).Outputs("y", 2);
  Output(graph_.Op("Exp", {split.Out(0)}));
  Output(graph_.Op("Neg", {split.Out(1)}));
  EXPECT_EQ(Run(), (Steps{"Exp", "Neg"}));
}

TEST_F(FoldedViews, AreOneCopyWhereTheyAreCopied) {
  const OutputRef turned = Transposed(Input(DataType::kFloat, {30, 20}));
  Output(graph_.Op("Slice", {turned, graph_.Ints({2, 3}), graph_.Ints({10, 11})}));
  EXPECT_EQ(Run(), Steps{"TensorMove"});
}

// Fractals are no view of the matrix, however that is read.
TEST_F(FoldedViews, StayBeforeWhatIsNoView) {
  const OutputRef turned = Transposed(Input(DataType::kFloat16, {32, 48}));
  Output(graph_.Op("TransData", {turned})
             .Set("src_format", std::string("ND"))
             .Set("dst_format", std::string("FRACTAL_NZ")));
  EXPECT_EQ(Run(), (Steps{"Transpose", "TransData"}));
}

TEST_F(FoldedViews, AreWrittenWhereverTheMemoryIsNamed) {
  const OutputRef sum = graph_.Op("Exp", {Input(DataType::kFloat, {4, 5})});
  const OutputRef into = Input(DataType::kFloat, {100});
  Output(graph_.Op("ViewCopy", {into, graph_.Ints({4, 5}), graph_.Ints({20, 2}), graph_.Ints({3}), sum,
                                graph_.Ints({4, 5}), graph_.Ints({5, 1}), graph_.Ints({0})}));
  EXPECT_EQ(Run(), (Steps{"Exp", "Copy"}));
}

TEST_F(FoldedViews, KeepMemoryThatIsReadApartFromResults) {
  // The sum may not take the place of what it reads transposed.
  const OutputRef a = graph_.Op("Exp", {Input(DataType::kFloat, {33, 33})});
  const OutputRef sum = graph_.Op("Add", {Transposed(a), a});
  Output(graph_.Op("Cumsum", {sum, graph_.Int(0)}));
  Run();
}

}  // namespace
}  // namespace foothold
