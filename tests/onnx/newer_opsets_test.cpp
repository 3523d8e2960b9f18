// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators whose definition changed in opsets 18 to 21, which the backend suite of the system ends before.
// Every number is worked out by hand or by the formula of the standard.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "onnx/operator_case.h"

namespace foothold {
namespace {

using Proto = ::onnx::TensorProto;
using Node = ::onnx::NodeProto;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class NewerOpsets : public testing::TestWithParam<OperatorCase> {};

TEST_P(NewerOpsets, ComputeWhatTheStandardSays) {
  for (int opset = GetParam().opsets.first; opset <= GetParam().opsets.second; ++opset)
    EXPECT_EQ(RunCase(GetParam(), opset), "") << "opset " << opset;
}

// Axes are an input since 18.
std::vector<OperatorCase> Reductions() {
  const Numbers x = Float({2, 2}, {1, 2, 3, 4});
  const std::vector<std::pair<const char*, std::vector<double>>> expected = {
      {"ReduceL1", {3, 7}},
      {"ReduceL2", {std::sqrt(5.0), 5}},
      {"ReduceLogSum", {std::log(3.0), std::log(7.0)}},
      {"ReduceLogSumExp", {std::log(std::exp(1.0) + std::exp(2.0)), std::log(std::exp(3.0) + std::exp(4.0))}},
      {"ReduceMax", {2, 4}},
      {"ReduceMean", {1.5, 3.5}},
      {"ReduceMin", {1, 3}},
      {"ReduceProd", {2, 12}},
      {"ReduceSum", {3, 7}},
      {"ReduceSumSquare", {5, 25}}};
  std::vector<OperatorCase> cases;
  for (const auto& [op, values] : expected) {
    cases.push_back({"of a constant axis",
                     op,
                     {18, 21},
                     {x, Const(Int64({1}, {1}))},
                     With("keepdims", 0),
                     {Float({2}, values)}});
    cases.push_back({"of an axis that comes with the run",
                     op,
                     {18, 21},
                     {x, Int64({1}, {-1})},
                     kPlain,
                     {Float({2, 1}, values)}});
  }
  cases.push_back({"of no axes are all", "ReduceSum", {18, 21}, {x}, With("keepdims", 0), {Float({}, {10})}});
  cases.push_back({"of an empty list are all",
                   "ReduceMax",
                   {18, 21},
                   {x, Const(Int64({0}, {}))},
                   With("keepdims", 0),
                   {Float({}, {4})}});
  cases.push_back({"of an empty list are none if told so",
                   "ReduceMean",
                   {18, 21},
                   {x, Const(Int64({0}, {}))},
                   With("noop_with_empty_axes", 1),
                   {x}});
  cases.push_back({"of no axes still square",
                   "ReduceSumSquare",
                   {18, 21},
                   {x},
                   With("noop_with_empty_axes", 1),
                   {Float({2, 2}, {1, 4, 9, 16})}});
  const Numbers nothing = Float({2, 0}, {});
  const std::vector<std::pair<const char*, double>> neutral = {{"ReduceSum", 0},
                                                               {"ReduceProd", 1},
                                                               {"ReduceMax", -kInfinity},
                                                               {"ReduceMin", kInfinity},
                                                               {"ReduceL1", 0},
                                                               {"ReduceL2", 0},
                                                               {"ReduceSumSquare", 0},
                                                               {"ReduceLogSum", -kInfinity},
                                                               {"ReduceLogSumExp", -kInfinity}};
  for (const auto& [op, value] : neutral)
    cases.push_back({"of nothing",
                     op,
                     {18, 21},
                     {nothing, Const(Int64({1}, {1}))},
                     With("keepdims", 0),
                     {Float({2}, {value, value})}});
  for (const auto& [op, values] :
       {std::pair<const char*, std::vector<double>>{"ReduceMax", {1, 0}}, {"ReduceMin", {0, 0}}})
    cases.push_back({"of truths",
                     op,
                     {20, 21},
                     {Of(Proto::BOOL, {2, 2}, {1, 0, 0, 0}), Const(Int64({1}, {1}))},
                     With("keepdims", 0),
                     {Of(Proto::BOOL, {2}, values)}});
  return cases;
}

std::vector<OperatorCase> Shapes() {
  const Numbers x = Float({2, 2}, {1, 2, 3, 4});
  const Numbers seven = Float({7}, {1, 2, 3, 4, 5, 6, 7});
  return {
      {"into parts of which the last is smaller",
       "Split",
       {18, 21},
       {seven},
       With("num_outputs", 3),
       {Float({3}, {1, 2, 3}), Float({3}, {4, 5, 6}), Float({1}, {7})}},
      {"along the last axis",
       "Split",
       {18, 21},
       {x},
       All({With("num_outputs", 2), With("axis", -1)}),
       {Float({2, 1}, {1, 3}), Float({2, 1}, {2, 4})}},
      {"into given parts",
       "Split",
       {18, 21},
       {seven, Const(Int64({2}, {2, 5}))},
       kPlain,
       {Float({2}, {1, 2}), Float({5}, {3, 4, 5, 6, 7})}},
      {"of some axes",
       "Pad",
       {18, 21},
       {x, Const(Int64({2}, {1, 0})), None(), Const(Int64({1}, {-1}))},
       kPlain,
       {Float({2, 3}, {0, 1, 2, 0, 3, 4})}},
      {"of axes in another order",
       "Pad",
       {18, 21},
       {x, Const(Int64({4}, {1, 0, 0, 2})), Const(Float({}, {9})), Const(Int64({2}, {1, 0}))},
       kPlain,
       {Float({4, 3}, {9, 1, 2, 9, 3, 4, 9, 9, 9, 9, 9, 9})}},
      {"of an edge along one axis",
       "Pad",
       {18, 21},
       {x, Const(Int64({2}, {1, 1})), None(), Const(Of(Proto::INT32, {1}, {0}))},
       WithText("mode", "edge"),
       {Float({4, 2}, {1, 2, 1, 2, 3, 4, 3, 4})}},
      {"of a mirror along one axis",
       "Pad",
       {18, 21},
       {x, Const(Int64({2}, {1, 0})), None(), Const(Int64({1}, {1}))},
       WithText("mode", "reflect"),
       {Float({2, 3}, {2, 1, 2, 4, 3, 4})}},
      {"that takes from one side",
       "Pad",
       {18, 21},
       {seven, Const(Int64({2}, {-2, 1})), None(), Const(Int64({1}, {0}))},
       kPlain,
       {Float({6}, {3, 4, 5, 6, 7, 0})}},
      {"keeps dimensions at zero",
       "Reshape",
       {18, 21},
       {x, Const(Int64({3}, {0, 1, -1}))},
       kPlain,
       {Float({2, 1, 2}, {1, 2, 3, 4})}},
      {"takes zero as zero if told so",
       "Reshape",
       {19, 21},
       {Float({0, 2}, {}), Const(Int64({2}, {3, 0}))},
       With("allowzero", 1),
       {Float({3, 0}, {})}},
      {"turns the axes round",
       "Transpose",
       {18, 21},
       {Float({1, 2, 3}, {1, 2, 3, 4, 5, 6})},
       kPlain,
       {Float({3, 2, 1}, {1, 4, 2, 5, 3, 6})}},
      {"of small numbers",
       "Transpose",
       {21, 21},
       {Of(Proto::UINT8, {2, 2}, {1, 2, 3, 4})},
       With("perm", Shape{1, 0}),
       {Of(Proto::UINT8, {2, 2}, {1, 3, 2, 4})}},
      {"of axes of an input",
       "Squeeze",
       {18, 21},
       {Float({1, 2, 1}, {1, 2}), Const(Int64({1}, {-1}))},
       kPlain,
       {Float({1, 2}, {1, 2})}},
      {"of all axes", "Squeeze", {18, 21}, {Float({1, 2, 1}, {1, 2})}, kPlain, {Float({2}, {1, 2})}},
      {"of axes of an input",
       "Unsqueeze",
       {18, 21},
       {Float({2}, {1, 2}), Const(Int64({2}, {0, -1}))},
       kPlain,
       {Float({1, 2, 1}, {1, 2})}},
      {"into two dimensions",
       "Flatten",
       {18, 21},
       {Float({2, 1, 2}, {1, 2, 3, 4})},
       With("axis", -1),
       {Float({2, 2}, {1, 2, 3, 4})}},
      {"of some dimensions",
       "Shape",
       {18, 21},
       {Float({1, 2, 3}, {1, 2, 3, 4, 5, 6})},
       All({With("start", -2), With("end", 9)}),
       {Int64({2}, {2, 3})}},
      {"is empty behind the end",
       "Shape",
       {18, 21},
       {Float({1, 2}, {1, 2})},
       All({With("start", 2), With("end", 1)}),
       {Int64({0}, {})}},
      {"is the number of elements",
       "Size",
       {18, 21},
       {Float({1, 2, 3}, {1, 2, 3, 4, 5, 6})},
       kPlain,
       {Int64({}, {6})}},
      {"gives what it gets",
       "Identity",
       {18, 21},
       {Of(Proto::BFLOAT16, {2}, {1.5, -2})},
       kPlain,
       {Of(Proto::BFLOAT16, {2}, {1.5, -2})}},
      {"has a list of numbers",
       "Constant",
       {18, 21},
       {},
       With("value_ints", Shape{3, 4}),
       {Int64({2}, {3, 4})}},
      {"is zero unless told otherwise",
       "ConstantOfShape",
       {18, 21},
       {Const(Int64({2}, {2, 1}))},
       kPlain,
       {Float({2, 1}, {0, 0})}},
      {"has an element type of its own",
       "ConstantOfShape",
       {20, 21},
       {Const(Int64({1}, {2}))},
       [](Node& node) {
         auto& attribute = *node.add_attribute();
         attribute.set_name("value");
         attribute.set_type(::onnx::AttributeProto::TENSOR);
         attribute.mutable_t()->set_data_type(Proto::BFLOAT16);
         attribute.mutable_t()->add_dims(1);
         attribute.mutable_t()->set_raw_data(std::string("\x80\x3f", 2));
       },
       {Of(Proto::BFLOAT16, {2}, {1, 1})}},
  };
}

std::vector<OperatorCase> Elements() {
  const auto bytes = [](std::vector<double> values) { return Of(Proto::UINT8, {2}, values); };
  const auto mish = [](double x) { return x * std::tanh(std::log1p(std::exp(x))); };
  const auto gelu = [](double x) { return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0))); };
  const auto fast = [](double x) {
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
  };
  const Numbers three = Float({3}, {-2, 0.5, 3});
  const Numbers odd = Of(Proto::FLOAT16, {4}, {1, kInfinity, -kInfinity, NAN});
  const auto truth = [](std::vector<double> values) { return Of(Proto::BOOL, {4}, values); };
  return {
      {"of bytes", "BitwiseAnd", {18, 21}, {bytes({12, 255}), bytes({10, 15})}, kPlain, {bytes({8, 15})}},
      {"of bytes", "BitwiseOr", {18, 21}, {bytes({12, 240}), bytes({10, 15})}, kPlain, {bytes({14, 255})}},
      {"of bytes", "BitwiseXor", {18, 21}, {bytes({12, 255}), bytes({10, 15})}, kPlain, {bytes({6, 240})}},
      {"of bytes", "BitwiseNot", {18, 21}, {bytes({0, 170})}, kPlain, {bytes({255, 85})}},
      {"of numbers with a sign",
       "BitwiseNot",
       {18, 21},
       {Int64({2}, {0, -5})},
       kPlain,
       {Int64({2}, {-1, 4})}},
      {"spreads the smaller one",
       "BitwiseAnd",
       {18, 21},
       {Of(Proto::INT32, {2, 2}, {-1, 6, 5, 3}), Of(Proto::INT32, {2}, {7, 2})},
       kPlain,
       {Of(Proto::INT32, {2, 2}, {7, 2, 5, 2})}},
      {"is smooth", "Mish", {18, 21}, {three}, kPlain, {Float({3}, {mish(-2), mish(0.5), mish(3)})}},
      {"exactly", "Gelu", {20, 21}, {three}, kPlain, {Float({3}, {gelu(-2), gelu(0.5), gelu(3)})}},
      {"approximately",
       "Gelu",
       {20, 21},
       {three},
       WithText("approximate", "tanh"),
       {Float({3}, {fast(-2), fast(0.5), fast(3)})}},
      {"cuts towards zero",
       "Cast",
       {19, 21},
       {Float({3}, {-1.9, 0.5, 2.9})},
       All({With("to", Proto::INT32), With("saturate", 0)}),
       {Of(Proto::INT32, {3}, {-1, 0, 2})}},
      {"is true where not zero",
       "Cast",
       {19, 21},
       {Float({3}, {-0.5, 0, 2})},
       With("to", Proto::BOOL),
       {Of(Proto::BOOL, {3}, {1, 0, 1})}},
      {"to halves",
       "Cast",
       {19, 21},
       {Float({2}, {1.5, 100000})},
       With("to", Proto::FLOAT16),
       {Of(Proto::FLOAT16, {2}, {1.5, kInfinity})}},
      {"to short floats",
       "Cast",
       {19, 21},
       {Float({2}, {1.5, -3})},
       With("to", Proto::BFLOAT16),
       {Of(Proto::BFLOAT16, {2}, {1.5, -3})}},
      {"takes the type of another",
       "CastLike",
       {19, 21},
       {Float({2}, {1.9, -1.9}), Of(Proto::INT8, {1}, {0})},
       With("saturate", 1),
       {Of(Proto::INT8, {2}, {1, -1})}},
      {"of numbers",
       "Equal",
       {19, 21},
       {Int64({2}, {1, 2}), Int64({1}, {2})},
       kPlain,
       {Of(Proto::BOOL, {2}, {0, 1})}},
      {"of halves", "IsNaN", {20, 21}, {odd}, kPlain, {truth({0, 0, 0, 1})}},
      {"of halves", "IsInf", {20, 21}, {odd}, kPlain, {truth({0, 1, 1, 0})}},
      {"below zero only", "IsInf", {20, 21}, {odd}, With("detect_positive", 0), {truth({0, 0, 1, 0})}},
      {"above zero only", "IsInf", {20, 21}, {odd}, With("detect_negative", 0), {truth({0, 1, 0, 0})}},
  };
}

std::vector<OperatorCase> Scattered() {
  const Numbers x = Float({3}, {5, 5, 5});
  const Numbers at = Int64({3}, {1, 1, 2}), values = Float({3}, {9, 1, 7});
  const Numbers places = Int64({3, 1}, {1, 1, 2});
  return {
      {"keeps the largest",
       "ScatterElements",
       {18, 21},
       {x, at, values},
       WithText("reduction", "max"),
       {Float({3}, {5, 9, 7})}},
      {"keeps the smallest",
       "ScatterElements",
       {18, 21},
       {x, at, values},
       WithText("reduction", "min"),
       {Float({3}, {5, 1, 5})}},
      {"multiplies",
       "ScatterElements",
       {18, 21},
       {x, at, values},
       WithText("reduction", "mul"),
       {Float({3}, {5, 45, 35})}},
      {"keeps the largest",
       "ScatterND",
       {18, 21},
       {x, places, values},
       WithText("reduction", "max"),
       {Float({3}, {5, 9, 7})}},
      {"keeps the smallest",
       "ScatterND",
       {18, 21},
       {x, places, values},
       WithText("reduction", "min"),
       {Float({3}, {5, 1, 5})}},
      {"adds",
       "ScatterND",
       {18, 21},
       {x, places, values},
       WithText("reduction", "add"),
       {Float({3}, {5, 15, 12})}},
  };
}

INSTANTIATE_TEST_SUITE_P(Reductions, NewerOpsets, testing::ValuesIn(Reductions()));
INSTANTIATE_TEST_SUITE_P(Shapes, NewerOpsets, testing::ValuesIn(Shapes()));
INSTANTIATE_TEST_SUITE_P(Elements, NewerOpsets, testing::ValuesIn(Elements()));
INSTANTIATE_TEST_SUITE_P(Scattered, NewerOpsets, testing::ValuesIn(Scattered()));

class RefusedByNewerOpsets : public testing::TestWithParam<RefusedCase> {};

TEST_P(RefusedByNewerOpsets, NamesOperatorAndOpset) {
  const RefusedCase& each = GetParam();
  for (int opset = each.opsets.first; opset <= each.opsets.second; ++opset) {
    ModelMaker model = ModelOf(each.op, opset, each.inputs, each.attributes, {None()});
    EXPECT_THAT(ParseBytes(model.bytes()),
                testing::AllOf(testing::HasSubstr("node 'node' (" + each.op + ", ai.onnx opset " +
                                                  std::to_string(opset) + ")"),
                               testing::HasSubstr(each.part)));
  }
}

std::vector<RefusedCase> Refused() {
  const Numbers row = Float({1, 1, 4}, {1, 2, 3, 4});
  const Numbers plane = Float({1, 1, 2, 2}, {1, 2, 3, 4});
  const Numbers twice = Const(Float({4}, {1, 1, 2, 2}));
  const auto dilated = All({With("kernel_shape", Shape{2}), With("dilations", Shape{2})});
  const char* const unknown = "this operator is not supported";
  return {
      {"LpPool", {18, 21}, {row}, dilated, "dilations"},
      {"AveragePool", {19, 21}, {row}, dilated, "dilations"},
      {"Resize",
       {18, 21},
       {plane, None(), twice},
       All({WithText("mode", "linear"), With("antialias", 1)}),
       "antialias"},
      {"Resize",
       {18, 21},
       {plane, None(), None(), Const(Int64({2}, {4, 6}))},
       All({With("axes", Shape{2, 3}), WithText("keep_aspect_ratio_policy", "not_larger")}),
       "keep_aspect_ratio_policy"},
      {"Pad", {19, 21}, {row, Const(Int64({6}, {0, 0, 1, 0, 0, 0}))}, WithText("mode", "wrap"), "wrap"},
      {"Cast", {19, 21}, {row}, With("to", 17), "element type 17"},
      {"Cast", {21, 21}, {row}, With("to", 22), "element type 22"},
      {"QuantizeLinear", {21, 21}, {row, Const(Float({1, 1, 2}, {1, 1}))}, With("block_size", 2), "blocks"},
      {"QuantizeLinear", {21, 21}, {row, Const(Float({}, {1}))}, With("output_dtype", 22), "element type 22"},
      {"DequantizeLinear",
       {21, 21},
       {Of(Proto::INT8, {4}, {1, 2, 3, 4}), Const(Float({2}, {1, 1}))},
       All({With("axis", 0), With("block_size", 2)}),
       "blocks"},
      {"DFT",
       {20, 21},
       {Float({1, 2, 2}, {8, 0, -2, 0})},
       All({With("inverse", 1), With("onesided", 1)}),
       "one-sided"},
      {"Col2Im", {18, 21}, {row, Const(Int64({2}, {2, 2})), Const(Int64({2}, {1, 1}))}, kPlain, unknown},
      {"CenterCropPad", {18, 21}, {plane, Const(Int64({4}, {1, 1, 3, 3}))}, kPlain, unknown},
      {"OptionalHasElement", {18, 21}, {row}, kPlain, unknown},
      {"OptionalGetElement", {18, 21}, {row}, kPlain, unknown},
      {"DeformConv", {19, 21}, {plane, Const(plane), Const(plane)}, kPlain, unknown},
      {"AffineGrid",
       {20, 21},
       {Float({1, 2, 3}, {1, 0, 0, 0, 1, 0}), Const(Int64({4}, {1, 1, 2, 2}))},
       kPlain,
       unknown},
      {"ImageDecoder", {20, 21}, {Of(Proto::UINT8, {4}, {1, 2, 3, 4})}, kPlain, unknown},
  };
}

INSTANTIATE_TEST_SUITE_P(All, RefusedByNewerOpsets, testing::ValuesIn(Refused()));

// Types go on past operators the ONNX library of the system does not know: PRelu needs the element type of
// what it gets, Transpose the number of dimensions.
TEST(NewerOpsetsInside, TellTypesToWhatFollows) {
  struct Before {
    const char* op;
    std::vector<Numbers> inputs;
    SetAttributes attributes;
  };
  const Numbers x = Float({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  for (const Before& before :
       {Before{"ReduceMean", {x, Const(Int64({1}, {1}))}, kPlain},
        Before{"ReduceMax", {x, Const(Int64({1}, {1}))}, With("keepdims", 0)},
        Before{"Pad", {x, Const(Int64({6}, {0, 0, 1, 0, 0, 0}))}, kPlain}, Before{"Mish", {x}, kPlain},
        Before{"Gelu", {x}, kPlain}, Before{"CastLike", {Of(Proto::INT32, {1, 2}, {1, 2}), x}, kPlain},
        Before{"LpPool", {x}, All({With("kernel_shape", Shape{2}), With("ceil_mode", 1)})},
        Before{"DequantizeLinear", {Of(Proto::INT8, {2, 2}, {1, 2, 3, 4}), Const(Float({}, {2}))}, kPlain}}) {
    ModelMaker model = ModelOf(before.op, 20, before.inputs, before.attributes, {None()});
    model.graph().clear_output();
    model.Output("y").Weights("slope", {1}, {0.5f});
    model.Node("PRelu", {"u", "slope"}, {"rectified"});
    model.Node("Transpose", {"rectified"}, {"y"});
    EXPECT_EQ(ParseBytes(model.bytes()), "") << before.op;
  }
}

// Operators with graphs got new versions for new types only: what they do stays.
TEST(NewerOpsetsWithGraphs, BranchAndLoopAsBefore) {
  for (int opset = 19; opset <= 23; ++opset) {
    ModelMaker model(opset);
    model.model().set_ir_version(9);
    model.Input("x", {2}).Output("chosen").Output("last").Output("all").Numbers("m", {}, {2});
    model.Node("ReduceMax", {"x"}, {"largest"});
    model.Weights("three", {1}, {3}).Node("Greater", {"largest", "three"}, {"above"});
    model.Node("Squeeze", {"above"}, {"condition"});
    auto& branch = model.Node("If", {"condition"}, {"chosen"});
    for (const auto& [name, op] :
         {std::pair<const char*, const char*>{"then_branch", "Neg"}, {"else_branch", "Identity"}}) {
      auto& graph = SetGraph(branch, name);
      AddNode(graph, op, {"x"}, {name});
      AddValue(*graph.add_output(), name, {2}, Proto::FLOAT);
    }
    auto& loop = model.Node("Loop", {"m", "", "x"}, {"last", "all"});
    auto& body = SetGraph(loop, "body");
    AddValue(*body.add_input(), "i", {}, Proto::INT64);
    AddValue(*body.add_input(), "go", {}, Proto::BOOL);
    AddValue(*body.add_input(), "v", {2}, Proto::FLOAT);
    AddNode(body, "Identity", {"go"}, {"go_on"});
    AddNode(body, "Add", {"v", "v"}, {"next"});
    AddNode(body, "Identity", {"v"}, {"seen"});
    AddValue(*body.add_output(), "go_on", {}, Proto::BOOL);
    AddValue(*body.add_output(), "next", {2}, Proto::FLOAT);
    AddValue(*body.add_output(), "seen", {2}, Proto::FLOAT);
    const auto found = RunModel(model, {FloatTensor({2}, {1, 5})});
    EXPECT_EQ(FloatsOf(found[0]), (std::vector<float>{-1, -5})) << opset;
    EXPECT_EQ(FloatsOf(found[1]), (std::vector<float>{4, 20})) << opset;
    EXPECT_EQ(FloatsOf(found[2]), (std::vector<float>{1, 5, 2, 10})) << opset;
    EXPECT_EQ(FloatsOf(RunModel(model, {FloatTensor({2}, {1, 2})})[0]), (std::vector<float>{1, 2})) << opset;
  }
}

// Strings come from constants of the model; as inputs of it they are refused already.
TEST(NewerOpsetsWithStrings, AreRefusedByName) {
  for (const char* op : {"Equal", "StringConcat", "RegexFullMatch", "StringSplit"}) {
    ModelMaker model(20);
    model.model().set_ir_version(9);
    Proto& words = *model.graph().add_initializer();
    words.set_name("words");
    words.set_data_type(Proto::STRING);
    words.add_dims(1);
    words.add_string_data("word");
    const bool one = std::string(op) == "RegexFullMatch" || std::string(op) == "StringSplit";
    model.Output("y", Proto::BOOL)
        .Node(op, one ? std::vector<std::string>{"words"} : std::vector<std::string>{"words", "words"},
              {"y"});
    EXPECT_THAT(ParseBytes(model.bytes()), testing::HasSubstr("opset 20")) << op;
  }
}

}  // namespace
}  // namespace foothold
