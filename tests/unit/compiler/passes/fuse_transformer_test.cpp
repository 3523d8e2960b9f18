// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The passes that find parts of transformers in what exporters write.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "compiler/infer.h"
#include "compiler/keep_nodes.h"
#include "compiler/passes/fuse_attention.h"
#include "compiler/passes/fuse_gelu.h"
#include "compiler/passes/fuse_layer_norm.h"
#include "compiler/passes/fuse_products.h"
#include "compiler/passes/remove_dead_nodes.h"
#include "compiler/sources.h"
#include "ops/evaluate.h"
#include "unit/compiler/graph_builder.h"

namespace foothold {
namespace {

class FuseTransformerTest : public testing::Test {
 protected:
  using Pass = bool (*)(Graph&);

  OutputRef Input(const Dims& dims) {
    const auto index = static_cast<std::int64_t>(values_.size());
    values_.push_back(Wave(dims));
    Node& node = MakeData(graph_, "input" + std::to_string(index), index, values_.back().type());
    graph_.inputs.push_back(&node);
    return {&node, 0};
  }
  OutputRef Constant(TensorValue value) {
    return AddConstant(graph_, "constant" + std::to_string(graph_.nodes().size()), std::move(value));
  }
  OutputRef Number(float value) { return Constant(FloatValue({}, {value})); }
  OutputRef Weights(const Dims& dims) { return Constant(Wave(dims)); }

  OutputRef Make(const std::string& type, const std::vector<NamedSource>& inputs,
                 const Attributes& attributes = {}, const std::vector<std::string>& outputs = {"y"}) {
    Node& node = AddNode(graph_, type, type + std::to_string(graph_.nodes().size()), inputs, outputs);
    node.attributes = attributes;
    return {&node, 0};
  }
  OutputRef Pair(const std::string& type, OutputRef a, OutputRef b) {
    return Make(type, {{"x1", a}, {"x2", b}});
  }
  OutputRef Mean(OutputRef x) {
    return Make("ReduceMean", {{"x", x}, {"axes", Constant(Int64Value({-1}))}}, {{"keep_dims", true}});
  }
  OutputRef Transposed(OutputRef x, const std::vector<std::int64_t>& perm) {
    return Make("Transpose", {{"x", x}, {"perm", Constant(Int64Value(perm))}});
  }
  OutputRef Reshaped(OutputRef x, const std::vector<std::int64_t>& shape) {
    return Make("Reshape", {{"x", x}, {"shape", Constant(Int64Value(shape))}});
  }
  OutputRef LayerNorm(OutputRef x, std::int64_t length) {
    const OutputRef d = Pair("Sub", x, Mean(x));
    const OutputRef variance = Mean(Pair("Pow", d, Number(2)));
    const OutputRef y = Pair("Div", d, Make("Sqrt", {{"x", Pair("Add", variance, Number(1e-5f))}}));
    return Pair("Add", Pair("Mul", y, Weights({length})), Weights({length}));
  }
  OutputRef Gelu(OutputRef x) {
    const OutputRef erf = Make("Erf", {{"x", Pair("Div", x, Number(1.41421354f))}});
    return Pair("Mul", Pair("Mul", x, Pair("Add", erf, Number(1))), Number(0.5f));
  }

  std::vector<TensorValue> RunGraph() {
    std::map<std::pair<const Node*, int>, TensorValue> made;
    for (Node* node : graph_.Order()) {
      std::vector<TensorValue> outputs;
      if (IsData(*node)) outputs = {values_.at(static_cast<std::size_t>(node->Int("index", 0)))};
      if (IsConstant(*node)) outputs = {ConstantValue(*node)};
      if (!IsSource(*node)) {
        std::vector<const TensorValue*> inputs;
        for (const auto& input : node->inputs())
          inputs.push_back(&made.at({input.source.node, input.source.port}));
        outputs = EvaluateNode(*node, inputs);
      }
      for (std::size_t i = 0; i < outputs.size(); ++i)
        made[{node, static_cast<int>(i)}] = outputs[i];
    }
    std::vector<TensorValue> results;
    for (const OutputRef& output : graph_.outputs)
      results.push_back(made.at({output.node, output.port}));
    return results;
  }

  // Infers, runs the passes, and compares what comes out before and after. True if all found something.
  bool Fuse(const std::vector<Pass>& passes) {
    std::vector<TensorType> types;
    for (const TensorValue& value : values_)
      types.push_back(value.type());
    InferTypes(graph_, types);
    const auto before = RunGraph();
    bool all = true;
    for (const Pass pass : passes)
      all = pass(graph_) && all;
    RemoveDeadNodes(graph_);
    const auto after = RunGraph();
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(before[i].type(), after[i].type());
      for (std::int64_t k = 0; k < ElementCount(before[i].dims()); ++k)
        EXPECT_NEAR(before[i].As<float>()[k], after[i].As<float>()[k], 2e-5f) << "element " << k;
    }
    return all;
  }

  std::vector<std::string> Operators() const {
    std::vector<std::string> types;
    for (const Node* node : graph_.Order())
      if (!IsSource(*node)) types.push_back(node->type());
    return types;
  }

  Graph graph_;
  std::vector<TensorValue> values_;

 private:
  // Different each time.
  TensorValue Wave(const Dims& dims) {
    TensorValue value(FloatType(dims));
    for (std::int64_t i = 0; i < ElementCount(dims); ++i)
      value.MutableAs<float>()[i] = std::sin(0.37f * static_cast<float>(i) + phase_);
    phase_ += 1;
    return value;
  }
  float phase_ = 0;
};

using Types = std::vector<std::string>;

TEST_F(FuseTransformerTest, MakesOneNodeOfALayerNorm) {
  graph_.outputs = {LayerNorm(Input({3, 5, 19}), 19)};
  const std::string name = graph_.outputs[0].node->name();
  EXPECT_TRUE(Fuse({FuseLayerNorm}));
  EXPECT_EQ(Operators(), Types{"LayerNorm"});
  EXPECT_EQ(graph_.outputs[0].node->name(), name);
}

TEST_F(FuseTransformerTest, LeavesALayerNormWhosePartsAreWanted) {
  graph_.outputs = {LayerNorm(Input({5, 19}), 19)};
  KeepNodes(graph_, [](const Node& node) { return node.type() == "Sqrt"; });
  EXPECT_FALSE(Fuse({FuseLayerNorm}));
}

TEST_F(FuseTransformerTest, FindsGeluInAnyOrderOfItsFactors) {
  const OutputRef x = Input({4, 33});
  const OutputRef erf = Make("Erf", {{"x", Pair("Mul", Number(0.70710678f), x)}});
  const OutputRef other = Pair("Mul", Pair("Add", Number(1), erf), Pair("Mul", Number(0.5f), x));
  graph_.outputs = {Gelu(x), other};
  EXPECT_TRUE(Fuse({FuseGelu}));
  EXPECT_EQ(Operators(), (Types{"GeluV2", "GeluV2"}));
}

TEST_F(FuseTransformerTest, FindsTheGeluOfTanh) {
  const OutputRef x = Input({4, 33});
  const OutputRef cube = Pair("Mul", Number(0.044715f), Pair("Pow", x, Number(3)));
  const OutputRef inner = Pair("Mul", Number(0.7978845608f), Pair("Add", x, cube));
  const OutputRef sum = Pair("Add", Number(1), Make("Tanh", {{"x", inner}}));
  graph_.outputs = {Pair("Mul", Pair("Mul", Number(0.5f), x), sum)};
  EXPECT_TRUE(Fuse({FuseGelu}));
  EXPECT_EQ(Operators(), Types{"GeluV2"});
  EXPECT_EQ(graph_.outputs[0].node->Text("approximate", ""), "tanh");
}

TEST_F(FuseTransformerTest, LeavesWhatOnlyLooksLikeGelu) {
  const OutputRef x = Input({4, 33});
  const OutputRef erf = Make("Erf", {{"x", Pair("Div", x, Number(1.5f))}});
  const OutputRef product = Pair("Mul", Pair("Mul", x, Pair("Add", erf, Number(1))), Number(0.5f));
  const OutputRef gelu = Gelu(x);
  graph_.outputs = {product, gelu, gelu.node->inputs()[0].source};
  EXPECT_FALSE(Fuse({FuseGelu}));
}

TEST_F(FuseTransformerTest, LetsProductsAddAndActivate) {
  for (const std::int64_t rows : {1, 7}) {
    const OutputRef x = Input({rows, 30});
    OutputRef y = Pair("MatMulV2", x, Weights({30, 37}));
    y = Gelu(Pair("Add", Weights({37}), y));
    y = Pair("Add", Weights({30}), Pair("MatMulV2", y, Weights({37, 30})));
    graph_.outputs = {Pair("Add", x, y)};
    EXPECT_TRUE(Fuse({FuseGelu, FuseProducts}));
    EXPECT_EQ(Operators(), (Types{"MatMulV2", "MatMulV2"}));
    graph_.Remove(std::vector<Node*>(graph_.nodes()));
    graph_.inputs.clear();
    values_.clear();
  }
}

TEST_F(FuseTransformerTest, TakesNoBiasOfRowsForOneOfColumns) {
  const OutputRef product = Pair("BatchMatMulV2", Input({4, 8}), Weights({8}));
  graph_.outputs = {Pair("Add", product, Weights({4}))};
  EXPECT_FALSE(Fuse({FuseProducts}));
}

TEST_F(FuseTransformerTest, LeavesProductsThatSomebodyElseReads) {
  const OutputRef product = Pair("MatMulV2", Input({4, 8}), Weights({8, 5}));
  graph_.outputs = {Make("Relu", {{"x", product}}), product};
  EXPECT_FALSE(Fuse({FuseProducts}));
}

TEST_F(FuseTransformerTest, ReadsHeadsWhereTheyLie) {
  const std::int64_t rows = 13, heads = 3, depth = 8;
  const auto split = [&](OutputRef x) { return Reshaped(x, {2, rows, heads, depth}); };
  const OutputRef q = Transposed(split(Input({2, rows, heads * depth})), {0, 2, 1, 3});
  const OutputRef k = Transposed(split(Input({2, rows, heads * depth})), {0, 2, 3, 1});
  const OutputRef v = Transposed(split(Input({2, rows, heads * depth})), {0, 2, 1, 3});
  const OutputRef scores = Pair("Div", Pair("BatchMatMulV2", q, k), Number(2.5f));
  const OutputRef masked = Pair("Add", scores, Input({2, 1, 1, rows}));
  const OutputRef weights = Make("SoftmaxV2", {{"x", masked}}, {{"axes", std::vector<std::int64_t>{-1}}});
  graph_.outputs = {Transposed(Pair("BatchMatMulV2", weights, v), {0, 2, 1, 3})};
  EXPECT_TRUE(Fuse({FuseAttention}));
  EXPECT_EQ(Operators(), Types{"HeadAttention"});
}

TEST_F(FuseTransformerTest, ReadsHeadsOutOfOneProductAndHidesWhatIsMasked) {
  const std::int64_t rows = 9, heads = 2, depth = 8, width = heads * depth;
  const OutputRef all = Make("SplitV",
                             {{"x", Input({1, rows, 3 * width})},
                              {"size_splits", Constant(Int64Value({width, width, width}))},
                              {"split_dim", Constant(Int64Value({2}))}},
                             {{"num_split", std::int64_t{3}}}, {"y0", "y1", "y2"});
  const auto head = [&](int part, const std::vector<std::int64_t>& perm) {
    return Transposed(Reshaped({all.node, part}, {1, rows, heads, depth}), perm);
  };
  TensorValue hidden(TensorType{DataType::kBool, Format::kNd, {rows, rows}});
  for (std::int64_t i = 0; i < rows * rows; ++i)
    hidden.MutableAs<bool>()[i] = i % rows > i / rows;
  const OutputRef scores = Pair("BatchMatMulV2", head(0, {0, 2, 1, 3}), head(1, {0, 2, 3, 1}));
  const OutputRef seen = Make(
      "SelectV2", {{"condition", Constant(std::move(hidden))}, {"then", Number(-1e4f)}, {"else", scores}});
  const OutputRef weights = Make("SoftmaxV2", {{"x", seen}}, {{"axes", std::vector<std::int64_t>{-1}}});
  graph_.outputs = {Pair("BatchMatMulV2", weights, head(2, {0, 2, 1, 3}))};
  EXPECT_TRUE(Fuse({FuseAttention}));
  EXPECT_EQ(Operators(), Types{"HeadAttention"});
}

TEST_F(FuseTransformerTest, AttendsWithASingleQuery) {
  const OutputRef k = Transposed(Input({1, 2, 40, 8}), {0, 1, 3, 2});
  const OutputRef scores = Pair("BatchMatMulV2", Input({1, 2, 1, 8}), k);
  const OutputRef weights = Make("SoftmaxV2", {{"x", scores}}, {{"axes", std::vector<std::int64_t>{3}}});
  graph_.outputs = {Pair("BatchMatMulV2", weights, Input({1, 2, 40, 8}))};
  EXPECT_TRUE(Fuse({FuseAttention}));
  EXPECT_EQ(Operators(), Types{"HeadAttention"});
}

TEST_F(FuseTransformerTest, LeavesAttentionWhoseWeightsAreAskedFor) {
  const OutputRef k = Transposed(Input({1, 2, 4, 8}), {0, 1, 3, 2});
  const OutputRef scores = Pair("BatchMatMulV2", Input({1, 2, 4, 8}), k);
  const OutputRef weights = Make("SoftmaxV2", {{"x", scores}}, {{"axes", std::vector<std::int64_t>{-1}}});
  graph_.outputs = {Pair("BatchMatMulV2", weights, Input({1, 2, 4, 8})), weights};
  EXPECT_FALSE(Fuse({FuseAttention}));
}

}  // namespace
}  // namespace foothold
