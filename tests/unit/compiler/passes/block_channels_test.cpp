// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "compiler/passes/block_channels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "compiler/keep_nodes.h"
#include "compiler/passes/fuse_convolutions.h"
#include "unit/compiler/graph_builder.h"

namespace foothold {
namespace {

using testing::Contains;
using testing::Not;

TensorValue RandomImage(const Dims& dims, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> numbers(-1, 1);
  TensorValue value(TensorType{DataType::kFloat, Format::kNchw, dims});
  std::generate_n(value.MutableAs<float>(), ElementCount(dims), [&] { return numbers(engine); });
  return value;
}

class BlockChannelsTest : public testing::Test {
 protected:
  OutputRef Image(const Dims& dims) {
    const OutputRef data = AddData(graph_, "x" + std::to_string(inputs_.size()),
                                   static_cast<std::int64_t>(inputs_.size()), dims);
    inputs_.push_back(RandomImage(dims, 7));
    return data;
  }

  Node& Convolve(const std::string& name, OutputRef x, Dims filter, std::int64_t stride = 1,
                 std::int64_t groups = 1) {
    const auto seed = static_cast<unsigned>(name.size() + graph_.nodes().size());
    const OutputRef weights = AddConstant(graph_, name + "_w", RandomImage(filter, seed));
    const OutputRef bias = AddConstant(graph_, name + "_b", RandomImage({filter[0]}, seed + 1));
    Node& node = AddNode(graph_, "Conv2D", name, {{"x", x}, {"filter", weights}, {"bias", bias}});
    const std::int64_t pad = filter[2] / 2;
    node.attributes["strides"] = Dims{1, 1, stride, stride};
    node.attributes["pads"] = Dims{pad, pad, pad, pad};
    node.attributes["groups"] = groups;
    node.attributes["data_format"] = std::string("NCHW");
    return node;
  }

  Node& Make(const std::string& type, const std::string& name, const std::vector<OutputRef>& inputs) {
    std::vector<NamedSource> named;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      named.push_back({"x" + std::to_string(i), inputs[i]});
    return AddNode(graph_, type, name, named);
  }

  // With and without the passes; the steps of the program are kept.
  void RunBothWays(const std::vector<OutputRef>& outputs, const NodePredicate& keeps = nullptr) {
    graph_.outputs = outputs;
    const std::vector<TensorValue> plain = Run([](const Node&) { return true; });
    const std::vector<TensorValue> blocked = Run(keeps);
    ASSERT_EQ(plain.size(), blocked.size());
    for (std::size_t i = 0; i < plain.size(); ++i) {
      ASSERT_EQ(plain[i].dims(), blocked[i].dims());
      const std::vector<float> expected = FloatsOf(plain[i]), found = FloatsOf(blocked[i]);
      const float largest = std::abs(*std::max_element(
          expected.begin(), expected.end(), [](float a, float b) { return std::abs(a) < std::abs(b); }));
      for (std::size_t k = 0; k < expected.size(); ++k)
        ASSERT_NEAR(found[k], expected[k], 5e-5f * largest) << "output " << i << " at " << k;
    }
  }

  std::vector<std::string> types_, names_;

 private:
  std::vector<TensorValue> Run(const NodePredicate& keeps) {
    const NormalGraph normal = Normalize(graph_);
    KeepNodes(*normal.graph, keeps);
    Executable executable(normal.graph);
    std::vector<TensorType> types;
    for (const TensorValue& input : inputs_)
      types.push_back(input.type());
    const auto plan = executable.Prepare(types);
    types_.clear();
    names_.clear();
    for (const Step& step : plan->program->steps) {
      types_.push_back(step.type);
      names_.push_back(step.name);
    }
    NoVariables variables;
    return RunStages(*plan, inputs_, variables);
  }

 protected:
  Graph graph_{"g"};
  std::vector<TensorValue> inputs_;
};

std::ptrdiff_t CountOf(const std::vector<std::string>& types, const std::string& type) {
  return std::count(types.begin(), types.end(), type);
}

TEST_F(BlockChannelsTest, ChangesTheLayoutOnlyWhereARegionBeginsAndEnds) {
  Node& first = Convolve("first", Image({1, 3, 16, 16}), {20, 3, 3, 3}, 2);
  Node& relu = Make("Relu", "relu", {{&first, 0}});
  Node& second = Convolve("second", {&relu, 0}, {20, 20, 3, 3});
  Node& sum = Make("Add", "sum", {{&second, 0}, {&relu, 0}});
  Node& last = Make("Relu", "last", {{&sum, 0}});
  Node& pooled = Make("GlobalAveragePool", "pooled", {{&last, 0}});
  RunBothWays({{&pooled, 0}});
  EXPECT_EQ(CountOf(types_, "BlockChannels"), 1);
  EXPECT_EQ(CountOf(types_, "UnblockChannels"), 1);
  EXPECT_EQ(CountOf(types_, "BlockedConv2D"), 2);
  EXPECT_THAT(types_, Not(Contains("Relu"))) << "activations are part of the convolutions";
  EXPECT_THAT(types_, Not(Contains("Add"))) << "and so is the residual";
  EXPECT_THAT(names_, Contains("last")) << "a convolution has the name of the last node it took over";
}

TEST_F(BlockChannelsTest, FusesAProductWithTheSigmoidOfTheSameValue) {
  Node& conv = Convolve("conv", Image({1, 3, 9, 9}), {16, 3, 1, 1});
  Node& gate = Make("Sigmoid", "gate", {{&conv, 0}});
  Node& silu = Make("Mul", "silu", {{&conv, 0}, {&gate, 0}});
  Node& other = Convolve("other", {&silu, 0}, {16, 1, 3, 3}, 1, 16);
  RunBothWays({{&other, 0}});
  EXPECT_EQ(types_,
            (std::vector<std::string>{"BlockChannels", "BlockedConv2D", "BlockedConv2D", "UnblockChannels"}));
}

struct ExpansionCase {
  Dims image;
  std::int64_t expanded, window, stride, dilation = 1;
};

class ExpansionTest : public BlockChannelsTest, public testing::WithParamInterface<ExpansionCase> {
 protected:
  // Two layers with what networks put between them.
  Node& Expand(const ExpansionCase& c, OutputRef x) {
    Node& wide = Convolve("wide", x, {c.expanded, c.image[1], 1, 1});
    Node& between = Make("Relu6", "between", {{&wide, 0}});
    Node& deep = Convolve("deep", {&between, 0}, {c.expanded, 1, c.window, c.window}, c.stride, c.expanded);
    const std::int64_t pad = c.window / 2 * c.dilation;
    deep.attributes["dilations"] = Dims{1, 1, c.dilation, c.dilation};
    deep.attributes["pads"] = Dims{pad, pad, pad, pad};
    return deep;
  }
  OutputRef Blocks(const Dims& image) {
    const Dims few{image[0], 3, image[2], image[3]};
    return {&Convolve("before", Image(few), {image[1], 3, 1, 1}), 0};
  }
};

TEST_P(ExpansionTest, IsPartOfTheDepthwiseLayerBehindIt) {
  Node& deep = Expand(GetParam(), Blocks(GetParam().image));
  Node& last = Make("Swish", "last", {{&deep, 0}});
  RunBothWays({{&last, 0}});
  EXPECT_EQ(types_, (std::vector<std::string>{"BlockChannels", "BlockedConv2D", "BlockedExpandedDepthwise",
                                              "UnblockChannels"}));
}

// Whole planes; strips with rows in common, and without; windows that reach past the image; several images.
INSTANTIATE_TEST_SUITE_P(
    Shapes, ExpansionTest,
    testing::Values(ExpansionCase{{1, 24, 9, 9}, 70, 3, 1}, ExpansionCase{{1, 24, 9, 9}, 16, 3, 2},
                    ExpansionCase{{1, 16, 67, 112}, 96, 3, 1}, ExpansionCase{{1, 20, 67, 112}, 40, 3, 2},
                    ExpansionCase{{1, 17, 60, 120}, 33, 5, 2}, ExpansionCase{{1, 17, 60, 120}, 33, 5, 1, 2},
                    ExpansionCase{{1, 16, 50, 130}, 32, 1, 3}, ExpansionCase{{1, 16, 2, 2}, 32, 5, 1, 3},
                    ExpansionCase{{3, 40, 48, 44}, 80, 3, 1}));

using ExpansionPassTest = ExpansionTest;
TEST_F(ExpansionPassTest, StaysWhereOthersReadOrKeepIt) {
  const ExpansionCase one{{1, 16, 9, 9}, 32, 3, 1};
  Node& deep = Expand(one, Blocks(one.image));
  RunBothWays({{&deep, 0}}, [](const Node& node) { return node.name() == "wide"; });
  EXPECT_THAT(types_, Not(Contains("BlockedExpandedDepthwise")));
  Node* between = graph_.Find("between");
  ASSERT_NE(between, nullptr);
  Node& sum = Make("Add", "sum", {{&deep, 0}, {between, 0}});
  RunBothWays({{&sum, 0}});
  EXPECT_THAT(types_, Not(Contains("BlockedExpandedDepthwise")));
}

TEST_F(ExpansionPassTest, AddsAResidualBehindBoth) {
  const ExpansionCase one{{1, 16, 30, 60}, 16, 3, 1};
  const OutputRef x = Blocks(one.image);
  Node& sum = Make("Add", "sum", {{&Expand(one, x), 0}, x});
  RunBothWays({{&sum, 0}});
  EXPECT_THAT(types_, Contains("BlockedExpandedDepthwise"));
  EXPECT_THAT(types_, Not(Contains("Add")));
}

TEST_F(BlockChannelsTest, ScalesChannelsByAGateOfOnePixel) {
  Node& conv = Convolve("conv", Image({2, 8, 6, 5}), {24, 8, 3, 3});
  Node& pooled = Make("GlobalAveragePool", "pooled", {{&conv, 0}});
  Node& squeeze = Convolve("squeeze", {&pooled, 0}, {6, 24, 1, 1});
  Node& expand = Convolve("expand", {&squeeze, 0}, {24, 6, 1, 1});
  Node& gate = Make("Sigmoid", "gate", {{&expand, 0}});
  Node& scaled = Make("Mul", "scaled", {{&conv, 0}, {&gate, 0}});
  RunBothWays({{&scaled, 0}, {&conv, 0}});
  EXPECT_THAT(types_, Contains("BlockedScale"));
  EXPECT_EQ(CountOf(types_, "BlockChannels"), 1);
  EXPECT_EQ(CountOf(types_, "UnblockChannels"), 2) << "both outputs are planes";
}

TEST_F(BlockChannelsTest, PoolsAndJoinsBlocks) {
  Node& first = Convolve("first", Image({1, 4, 12, 12}), {32, 4, 3, 3});
  Node& second = Convolve("second", {&first, 0}, {20, 32, 3, 3});
  Node& pool = AddNode(graph_, "MaxPoolV3", "pool", {{"x", {&first, 0}}});
  pool.attributes["ksize"] = Dims{1, 1, 3, 3};
  pool.attributes["strides"] = Dims{1, 1, 1, 1};
  pool.attributes["padding_mode"] = std::string("CALCULATED");
  pool.attributes["pads"] = Dims{1, 1, 1, 1};
  pool.attributes["data_format"] = std::string("NCHW");
  Node& joined = graph_.Make("ConcatD", "joined");
  for (const OutputRef& part : {OutputRef{&pool, 0}, OutputRef{&second, 0}}) {
    joined.AddInput("x" + std::to_string(joined.inputs().size()), PortKind::kDynamic, "x");
    joined.Connect(static_cast<int>(joined.inputs().size()) - 1, part);
  }
  joined.AddOutput("y", PortKind::kRequired);
  joined.attributes["concat_dim"] = std::int64_t{1};
  joined.attributes["N"] = std::int64_t{2};
  RunBothWays({{&joined, 0}});
  EXPECT_EQ(CountOf(types_, "UnblockChannels"), 1);
}

TEST_F(BlockChannelsTest, ResizesBlocksByCopyingPixels) {
  Node& conv = Convolve("conv", Image({1, 4, 5, 7}), {20, 4, 3, 3});
  const OutputRef roi = AddConstant(graph_, "roi", FloatValue({0}, {}));
  const OutputRef scales = AddConstant(graph_, "scales", FloatValue({4}, {1, 1, 2, 3}));
  Node& resize = AddNode(graph_, "Resize", "resize", {{"x", {&conv, 0}}, {"roi", roi}, {"scales", scales}});
  resize.attributes["mode"] = std::string("nearest");
  Node& second = Convolve("second", {&resize, 0}, {8, 20, 3, 3});
  RunBothWays({{&second, 0}});
  EXPECT_EQ(CountOf(types_, "UnblockChannels"), 1);
}

TEST_F(BlockChannelsTest, WidensImagesByTransposedConvolutionsWithoutOverlap) {
  Node& conv = Convolve("conv", Image({1, 8, 5, 7}), {20, 8, 3, 3});
  const OutputRef weights = AddConstant(graph_, "up_w", RandomImage({20, 12, 2, 2}, 3));
  const OutputRef bias = AddConstant(graph_, "up_b", RandomImage({12}, 4));
  const OutputRef size = AddConstant(graph_, "size", Int64Value({0, 0, 0, 0}));
  Node& up = AddNode(graph_, "Conv2DTranspose", "up",
                     {{"input_size", size}, {"x", {&conv, 0}}, {"filter", weights}, {"bias", bias}});
  up.attributes["strides"] = Dims{1, 1, 2, 2};
  up.attributes["pads"] = Dims{0, 0, 0, 0};
  up.attributes["data_format"] = std::string("NCHW");
  Node& other = Convolve("other", {&up, 0}, {8, 12, 3, 3});
  RunBothWays({{&other, 0}});
  EXPECT_THAT(types_, Contains("BlockedConv2DTranspose"));
  EXPECT_EQ(CountOf(types_, "UnblockChannels"), 1);
}

TEST_F(BlockChannelsTest, FoldsKnownStatisticsIntoTheConvolutionBefore) {
  Node& conv = Convolve("conv", Image({1, 8, 6, 6}), {12, 8, 3, 3});
  const auto constant = [&](const char* name, float from) {
    std::vector<float> values(12);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = from + 0.1f * static_cast<float>(i);
    return AddConstant(graph_, name, FloatValue({12}, values));
  };
  Node& norm = AddNode(graph_, "BNInfer", "norm",
                       {{"x", {&conv, 0}},
                        {"scale", constant("scale", 0.5f)},
                        {"offset", constant("offset", -0.4f)},
                        {"mean", constant("mean", -0.6f)},
                        {"variance", constant("variance", 0.3f)}});
  Node& other = Convolve("other", {&norm, 0}, {8, 12, 1, 1});
  RunBothWays({{&other, 0}});
  EXPECT_THAT(types_, Not(Contains("BNInfer")));
  EXPECT_THAT(names_, Contains("norm")) << "the convolution has the name of the normalization";
  RunBothWays({{&other, 0}}, [](const Node& node) { return node.name() == "conv"; });
  EXPECT_THAT(types_, Contains("BNInfer")) << "the value before it is asked for";
}

TEST_F(BlockChannelsTest, LeavesNodesThatAreAskedForByName) {
  Node& conv = Convolve("conv", Image({1, 8, 9, 9}), {16, 8, 3, 3});
  Node& relu = Make("Relu", "relu", {{&conv, 0}});
  Node& other = Convolve("other", {&relu, 0}, {16, 16, 3, 3});
  RunBothWays({{&other, 0}}, [](const Node& node) { return node.name() == "relu"; });
  EXPECT_THAT(names_, Contains("relu"));
  EXPECT_THAT(types_, Contains("Relu"));
  EXPECT_EQ(CountOf(types_, "BlockedConv2D"), 2);
}

TEST_F(BlockChannelsTest, LeavesConvolutionsInPlanesThatHaveNoWholeBlocksInTheirGroups) {
  Node& conv = Convolve("conv", Image({1, 6, 9, 9}), {6, 3, 3, 3}, 1, 2);
  RunBothWays({{&conv, 0}});
  EXPECT_THAT(types_, Contains("Conv2D"));
}

// A step of training: a convolution with weights that change, its normalisation and activation, and all
// their gradients.
class BlockedTrainingTest : public BlockChannelsTest {
 protected:
  struct Layer {
    OutputRef x, filter, weight, y;
    Node *convolution, *norm;
  };

  Node& Windowed(Node& node, std::int64_t stride, std::int64_t pad) {
    node.attributes["strides"] = Dims{1, 1, stride, stride};
    node.attributes["pads"] = Dims{pad, pad, pad, pad};
    node.attributes["data_format"] = std::string("NCHW");
    return node;
  }

  Layer Forward(const std::string& name, OutputRef x, const Dims& filter, std::int64_t stride) {
    Layer layer;
    layer.x = x;
    layer.filter = Image(filter);
    layer.weight = Image({filter[0]});
    const OutputRef bias = Image({filter[0]}), mean = Image({filter[0]}), variance = Image({filter[0]});
    layer.convolution = &Windowed(AddNode(graph_, "Conv2D", name, {{"x", x}, {"filter", layer.filter}}),
                                  stride, filter[2] / 2);
    layer.norm = &AddNode(graph_, "BatchNormV3", name + "_norm",
                          {{"x", {layer.convolution, 0}},
                           {"weight", layer.weight},
                           {"bias", bias},
                           {"running_mean", mean},
                           {"running_var", variance}},
                          {"y", "running_mean", "running_var", "save_mean", "save_rstd"});
    layer.y = {&Make("Relu", name + "_relu", {{layer.norm, 0}}), 0};
    return layer;
  }

  // Of the convolution's output.
  Node& NormGradient(const std::string& name, const Layer& layer, OutputRef gradient) {
    Node& relu = AddNode(graph_, "ReluGrad", name + "_relu_grad",
                         {{"gradients", gradient}, {"features", layer.y}}, {"backprops"});
    return AddNode(graph_, "BatchNormGradV3", name + "_norm_grad",
                   {{"dy", {&relu, 0}},
                    {"x", {layer.convolution, 0}},
                    {"weight", layer.weight},
                    {"running_mean", layer.norm->inputs()[3].source},
                    {"running_var", layer.norm->inputs()[4].source},
                    {"save_mean", {layer.norm, 3}},
                    {"save_rstd", {layer.norm, 4}}},
                   {"dx", "dweight", "dbias"});
  }

  OutputRef FilterGradient(const std::string& name, const Layer& layer, OutputRef gradient,
                           const Dims& filter, std::int64_t stride) {
    const OutputRef size = AddConstant(graph_, name + "_filter_size", Int64Value(filter));
    Node& node = AddNode(graph_, "Conv2DBackpropFilter", name + "_filter_grad",
                         {{"x", layer.x}, {"filter_size", size}, {"out_backprop", gradient}});
    return {&Windowed(node, stride, filter[2] / 2), 0};
  }

  OutputRef InputGradient(const std::string& name, const Layer& layer, OutputRef gradient, const Dims& input,
                          std::int64_t stride) {
    const OutputRef size = AddConstant(graph_, name + "_input_size", Int64Value(input));
    Node& node = AddNode(graph_, "Conv2DBackpropInput", name + "_input_grad",
                         {{"input_size", size}, {"filter", layer.filter}, {"out_backprop", gradient}});
    return {&Windowed(node, stride, 1), 0};
  }
};

TEST_F(BlockedTrainingTest, KeepsAStepOfTrainingInBlocks) {
  const Dims first_filter{24, 3, 3, 3}, second_filter{40, 24, 3, 3}, inner{2, 24, 16, 17};
  const Layer first = Forward("first", Image({2, 3, 16, 17}), first_filter, 1);
  const Layer second = Forward("second", first.y, second_filter, 1);
  Node& second_grad = NormGradient("second", second, Image({2, 40, 16, 17}));
  const OutputRef between = InputGradient("second", second, {&second_grad, 0}, inner, 1);
  Node& first_grad = NormGradient("first", first, between);
  RunBothWays({second.y,
               {first.norm, 3},
               {second.norm, 4},
               FilterGradient("second", second, {&second_grad, 0}, second_filter, 1),
               FilterGradient("first", first, {&first_grad, 0}, first_filter, 1),
               {&first_grad, 1},
               {&second_grad, 2}});
  EXPECT_EQ(CountOf(types_, "BlockedConv2D"), 2);
  EXPECT_EQ(CountOf(types_, "BlockedConv2DBackpropInput"), 1);
  EXPECT_EQ(CountOf(types_, "BlockedConv2DBackpropFilter"), 2);
  EXPECT_EQ(CountOf(types_, "BlockChannels"), 3) << "pictures for each direction, and the gradient";
  EXPECT_EQ(CountOf(types_, "UnblockChannels"), 1);
}

TEST_F(BlockedTrainingTest, LeavesGradientsOfStridesInPlanes) {
  const Dims filter{32, 16, 3, 3}, input{3, 16, 30, 30};
  const Layer layer = Forward("layer", Image(input), filter, 2);
  Node& gradient = NormGradient("layer", layer, Image({3, 32, 15, 15}));
  RunBothWays({InputGradient("layer", layer, {&gradient, 0}, input, 2),
               FilterGradient("layer", layer, {&gradient, 0}, filter, 2)});
  EXPECT_THAT(types_, Contains("Conv2DBackpropInput"));
  EXPECT_THAT(types_, Contains("BlockedConv2DBackpropFilter"));
}

TEST_F(BlockedTrainingTest, LeavesFiltersThatAreComputedForFewPixels) {
  const Layer layer = Forward("layer", Image({1, 16, 6, 6}), {32, 16, 3, 3}, 1);
  RunBothWays({layer.y});
  EXPECT_THAT(types_, Contains("Conv2D"));
}

}  // namespace
}  // namespace foothold
