// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What the importer makes of models: options, inner graphs, functions, newer versions, and its report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ge/ge_api_types.h"
#include "onnx/model_maker.h"

namespace foothold {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Floats = std::vector<float>;
using Proto = ::onnx::TensorProto;

ModelMaker Difference() {
  ModelMaker model;
  model.Input("a", {-1, 2}).Input("b", {-1, 2}).Output("y").Output("z");
  model.Node("Sub", {"a", "b"}, {"y"}).set_name("minus");
  model.Node("Neg", {"y"}, {"z"}).set_name("negated");
  return model;
}

const ge::Tensor kA = FloatTensor({1, 2}, {5, 7});
const ge::Tensor kB = FloatTensor({1, 2}, {1, 2});

TEST(OnnxImport, GivesOutputsInTheOrderOfTheModel) {
  ModelMaker model = Difference();
  const auto found = RunModel(model, {kA, kB});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(FloatsOf(found[0]), (Floats{4, 5}));
  EXPECT_EQ(FloatsOf(found[1]), (Floats{-4, -5}));
}

TEST(OnnxImport, NamesNodesAsTheModelDoes) {
  ModelMaker model = Difference();
  ge::Graph graph("parsed");
  ASSERT_THAT(ParseBytes(model.bytes(), {{ge::ir_option::OUTPUT, "mine"}}, &graph), IsEmpty());
  ge::AscendString name;
  ASSERT_EQ(graph.GetName(name), ge::GRAPH_SUCCESS);
  EXPECT_STREQ(name.GetString(), "mine");
  std::vector<std::string> names;
  for (const ge::GNode& node : graph.GetDirectNode()) {
    node.GetName(name);
    names.emplace_back(name.GetString());
  }
  EXPECT_THAT(names, testing::UnorderedElementsAre("a", "b", "minus", "negated"));
}

TEST(OnnxImport, LeavesTheGraphAloneWhenItFails) {
  ge::Graph graph("before");
  EXPECT_THAT(ParseBytes("nonsense", {}, &graph), Not(IsEmpty()));
  ge::AscendString name;
  ASSERT_EQ(graph.GetName(name), ge::GRAPH_SUCCESS);
  EXPECT_STREQ(name.GetString(), "before");
}

TEST(OnnxOptions, ChooseOutputsByValueOrByNode) {
  ModelMaker model = Difference();
  for (const char* chosen : {"z", "negated:0"}) {
    const auto found = RunModel(model, {kA, kB}, {{ge::ir_option::OUT_NODES, chosen}});
    ASSERT_EQ(found.size(), 1u) << chosen;
    EXPECT_EQ(FloatsOf(found[0]), (Floats{-4, -5})) << chosen;
  }
  EXPECT_THAT(ParseBytes(model.bytes(), {{ge::ir_option::OUT_NODES, "negated:1"}}), HasSubstr("negated:1"));
}

TEST(OnnxOptions, OrderTheInputs) {
  ModelMaker model = Difference();
  const auto found = RunModel(model, {kB, kA}, {{ge::ir_option::INPUT_DATA_NAMES, "b,a"}});
  EXPECT_EQ(FloatsOf(found[0]), (Floats{4, 5}));
  EXPECT_THAT(ParseBytes(model.bytes(), {{ge::ir_option::INPUT_DATA_NAMES, "c"}}), HasSubstr("\"c\""));
}

std::vector<std::int64_t> ShapeOfInput(const ge::Graph& graph, const char* name) {
  for (const ge::GNode& node : graph.GetDirectNode()) {
    ge::AscendString own;
    node.GetName(own);
    ge::TensorDesc desc;
    if (own == ge::AscendString(name)) node.GetOutputDesc(0, desc);
    if (own == ge::AscendString(name)) return desc.GetShape().GetDims();
  }
  return {-100};
}

TEST(OnnxOptions, GiveInputsShapes) {
  ModelMaker model = Difference();
  ge::Graph graph("parsed");
  ASSERT_THAT(ParseBytes(model.bytes(), {}, &graph), IsEmpty());
  EXPECT_EQ(ShapeOfInput(graph, "a"), (Shape{-1, 2}));
  ASSERT_THAT(ParseBytes(model.bytes(), {{ge::ir_option::INPUT_SHAPE, "a:3,2; b: 3,2;"}}, &graph), IsEmpty());
  EXPECT_EQ(ShapeOfInput(graph, "a"), (Shape{3, 2}));
  ASSERT_THAT(ParseBytes(model.bytes(), {{ge::ir_option::INPUT_SHAPE, "1~8,2;4,2"}}, &graph), IsEmpty());
  EXPECT_EQ(ShapeOfInput(graph, "a"), (Shape{-1, 2}));
  EXPECT_EQ(ShapeOfInput(graph, "b"), (Shape{4, 2}));
}

TEST(OnnxOptions, RefuseShapesThatCannotBe) {
  ModelMaker model = Difference();
  const auto with = [&](const char* text) {
    return ParseBytes(model.bytes(), {{ge::ir_option::INPUT_SHAPE, text}});
  };
  EXPECT_THAT(with("c:1,2"), AllOf(HasSubstr("'c'"), HasSubstr("a, b")));
  EXPECT_THAT(with("a:1,2,3"), HasSubstr("3 in the option"));
  EXPECT_THAT(with("a:1,many"), HasSubstr("many"));
}

TEST(OnnxOptions, TakeInputsAsHalves) {
  ModelMaker model = Difference();
  const std::vector<std::uint16_t> halves = {0x4500, 0x4700};  // 5 and 7
  const ge::Tensor a(ge::TensorDesc(ge::Shape({1, 2}), ge::FORMAT_ND, ge::DT_FLOAT16),
                     reinterpret_cast<const std::uint8_t*>(halves.data()), 4);
  const auto found = RunModel(model, {a, kB}, {{ge::ir_option::INPUT_FP16_NODES, "a"}});
  EXPECT_EQ(FloatsOf(found[0]), (Floats{4, 5}));
}

TEST(OnnxOptions, RefuseLayoutsOfOtherHardware) {
  ModelMaker model = Difference();
  EXPECT_THAT(ParseBytes(model.bytes(), {{ge::ir_option::IS_INPUT_ADJUST_HW_LAYOUT, "true,false"}}),
              HasSubstr("is_input_adjust_hw_layout"));
}

// An initialiser that is listed among the inputs is no input.
TEST(OnnxImport, TakesInitialisersThatAreInputsAsConstants) {
  ModelMaker model;
  model.Input("x", {2}).Input("w", {2}).Output("y").Weights("w", {2}, {3, 4});
  model.Node("Mul", {"x", "w"}, {"y"});
  EXPECT_EQ(FloatsOf(RunModel(model, {FloatTensor({2}, {1, 2})})[0]), (Floats{3, 8}));
}

TEST(OnnxImport, RunsTheBranchTheConditionChooses) {
  ModelMaker model;
  model.Input("c", {}, Proto::BOOL).Input("x", {2}).Output("y").Weights("w", {2}, {3, 4});
  auto& node = model.Node("If", {"c"}, {"y"});
  auto& yes = SetGraph(node, "then_branch");
  AddNode(yes, "Mul", {"x", "w"}, {"t"});
  AddValue(*yes.add_output(), "t", {2}, Proto::FLOAT);
  auto& no = SetGraph(node, "else_branch");
  AddNode(no, "Identity", {"w"}, {"e"});
  AddValue(*no.add_output(), "e", {2}, Proto::FLOAT);
  for (const std::uint8_t c : {1, 0}) {
    const ge::Tensor condition(ge::TensorDesc(ge::Shape(Shape{}), ge::FORMAT_ND, ge::DT_BOOL), &c, 1);
    const auto found = RunModel(model, {condition, FloatTensor({2}, {10, 10})});
    EXPECT_EQ(FloatsOf(found[0]), c != 0 ? (Floats{30, 40}) : (Floats{3, 4}));
  }
}

TEST(OnnxImport, ValuesOfInnerGraphsMayHaveNamesOfOuterOnes) {
  ModelMaker model;
  model.Input("c", {}, Proto::BOOL).Input("x", {2}).Output("y");
  model.Node("Add", {"x", "x"}, {"t"});
  auto& node = model.Node("If", {"c"}, {"y"});
  auto& yes = SetGraph(node, "then_branch");
  AddNode(yes, "Mul", {"t", "x"}, {"t"});
  AddNode(yes, "Neg", {"t"}, {"out"});
  AddValue(*yes.add_output(), "out", {2}, Proto::FLOAT);
  auto& no = SetGraph(node, "else_branch");
  AddNode(no, "Sub", {"x", "t"}, {"e"});
  AddValue(*no.add_output(), "e", {2}, Proto::FLOAT);
  for (const std::uint8_t c : {1, 0}) {
    const ge::Tensor condition(ge::TensorDesc(ge::Shape(Shape{}), ge::FORMAT_ND, ge::DT_BOOL), &c, 1);
    const auto found = RunModel(model, {condition, FloatTensor({2}, {1, 3})});
    EXPECT_EQ(FloatsOf(found[0]), c != 0 ? (Floats{-2, -18}) : (Floats{-1, -3}));
  }
}

// One node of the branch reads the constant as a tensor, the next one needs to know it.
TEST(OnnxImport, ConstantsFromOutsideStayKnownInInnerGraphs) {
  ModelMaker model(18);
  model.model().set_ir_version(8);
  model.Input("c", {}, Proto::BOOL).Input("x", {1, 2}).Output("y");
  model.Numbers("pads", {2}, {1, 0}).Numbers("axis", {1}, {1});
  auto& node = model.Node("If", {"c"}, {"y"});
  for (const char* branch : {"then_branch", "else_branch"}) {
    auto& graph = SetGraph(node, branch);
    auto& cast = AddNode(graph, "Cast", {"axis"}, {"number"});
    SetInt(cast, "to", Proto::FLOAT);
    AddNode(graph, "Add", {"x", "number"}, {"moved"});
    AddNode(graph, "Pad", {"moved", "pads", "", "axis"}, {branch});
    AddValue(*graph.add_output(), branch, {1, 3}, Proto::FLOAT);
  }
  const std::uint8_t yes = 1;
  const ge::Tensor condition(ge::TensorDesc(ge::Shape(Shape{}), ge::FORMAT_ND, ge::DT_BOOL), &yes, 1);
  EXPECT_EQ(FloatsOf(RunModel(model, {condition, FloatTensor({1, 2}, {4, 5})})[0]), (Floats{0, 5, 6}));
}

// Doubles x as long as the step is below the limit; the list has what was there before each step.
TEST(OnnxImport, RunsLoopsAndCollectsWhatTheirStepsGive) {
  ModelMaker model;
  model.Input("x", {2}).Output("last").Output("all").Numbers("m", {}, {3}).Weights("two", {1}, {2});
  auto& node = model.Node("Loop", {"m", "", "x"}, {"last", "all"});
  auto& body = SetGraph(node, "body");
  AddValue(*body.add_input(), "i", {}, Proto::INT64);
  AddValue(*body.add_input(), "go", {}, Proto::BOOL);
  AddValue(*body.add_input(), "v", {2}, Proto::FLOAT);
  AddNode(body, "Identity", {"go"}, {"go_on"});
  AddNode(body, "Mul", {"v", "two"}, {"next"});
  AddNode(body, "Add", {"v", "x"}, {"seen"});
  AddValue(*body.add_output(), "go_on", {}, Proto::BOOL);
  AddValue(*body.add_output(), "next", {2}, Proto::FLOAT);
  AddValue(*body.add_output(), "seen", {2}, Proto::FLOAT);
  const auto found = RunModel(model, {FloatTensor({2}, {1, 10})});
  EXPECT_EQ(FloatsOf(found[0]), (Floats{8, 80}));
  EXPECT_EQ(found[1].GetTensorDesc().GetShape().GetDims(), (Shape{3, 2}));
  EXPECT_EQ(FloatsOf(found[1]), (Floats{2, 20, 3, 30, 5, 50}));
}

TEST(OnnxImport, ScansBackwardsAndAlongOtherAxes) {
  ModelMaker model;
  model.Input("x", {2, 3}).Output("sum").Output("sums").Weights("zero", {2}, {0, 0});
  auto& node = model.Node("Scan", {"zero", "x"}, {"sum", "sums"});
  SetInt(node, "num_scan_inputs", 1);
  SetInts(node, "scan_input_axes", {1});
  SetInts(node, "scan_input_directions", {1});
  SetInts(node, "scan_output_axes", {1});
  auto& body = SetGraph(node, "body");
  AddValue(*body.add_input(), "before", {2}, Proto::FLOAT);
  AddValue(*body.add_input(), "next", {2}, Proto::FLOAT);
  AddNode(body, "Add", {"before", "next"}, {"after"});
  AddNode(body, "Identity", {"after"}, {"copy"});
  AddValue(*body.add_output(), "after", {2}, Proto::FLOAT);
  AddValue(*body.add_output(), "copy", {2}, Proto::FLOAT);
  const auto found = RunModel(model, {FloatTensor({2, 3}, {1, 2, 3, 10, 20, 30})});
  EXPECT_EQ(FloatsOf(found[0]), (Floats{6, 60}));
  EXPECT_EQ(FloatsOf(found[1]), (Floats{3, 5, 6, 30, 50, 60}));
}

TEST(OnnxImport, PutsFunctionsOfTheModelInPlace) {
  ModelMaker model;
  model.Input("x", {2}).Output("y");
  auto& import = *model.model().add_opset_import();
  import.set_domain("mine");
  import.set_version(1);
  auto& call = model.Node("Shifted", {"x"}, {"y"});
  call.set_domain("mine");
  SetFloat(call, "by", 0.25f);
  auto& function = *model.model().add_functions();
  function.set_domain("mine");
  function.set_name("Shifted");
  function.add_input("a");
  function.add_output("b");
  function.add_attribute("by");
  auto& inner_import = *function.add_opset_import();
  inner_import.set_version(13);
  auto& leaky = *function.add_node();
  leaky.set_op_type("LeakyRelu");
  leaky.add_input("a");
  leaky.add_output("b");
  auto& alpha = *leaky.add_attribute();
  alpha.set_name("alpha");
  alpha.set_type(::onnx::AttributeProto::FLOAT);
  alpha.set_ref_attr_name("by");
  EXPECT_EQ(FloatsOf(RunModel(model, {FloatTensor({2}, {-4, 4})})[0]), (Floats{-1, 4}));
}

TEST(OnnxImport, ReadsReductionsOfNewerVersions) {
  ModelMaker model(18);
  model.model().set_ir_version(9);
  model.Input("x", {2, 2}).Output("y").Numbers("axes", {1}, {1});
  SetInt(model.Node("ReduceMax", {"x", "axes"}, {"y"}), "keepdims", 0);
  EXPECT_EQ(FloatsOf(RunModel(model, {FloatTensor({2, 2}, {1, 5, 7, 3})})[0]), (Floats{5, 7}));
}

// Two channels, two groups: every channel on its own, then its scale and bias.
TEST(OnnxImport, NormalisesGroupsAsTheirVersionSays) {
  for (const int opset : {18, 21}) {
    ModelMaker model(opset);
    model.model().set_ir_version(9);
    model.Input("x", {1, 2, 2}).Output("y").Weights("s", {2}, {1, 2}).Weights("b", {2}, {0, 1});
    SetInt(model.Node("GroupNormalization", {"x", "s", "b"}, {"y"}), "num_groups", 2);
    const auto y = FloatsOf(RunModel(model, {FloatTensor({1, 2, 2}, {1, 3, 10, 20})})[0]);
    const std::vector<float> expected = {-1, 1, -1, 3};
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_NEAR(y[i], expected[i], 1e-4) << opset;
  }
}

TEST(OnnxReport, NamesEveryNodeThatCannotBeImported) {
  ModelMaker model;
  model.Input("x", {2}).Output("c");
  auto& import = *model.model().add_opset_import();
  import.set_domain("com.example");
  import.set_version(3);
  auto& custom = model.Node("Frobnicate", {"x"}, {"a"});
  custom.set_name("first");
  custom.set_domain("com.example");
  model.Node("Relu", {"a"}, {"b"}).set_name("follows");
  model.Node("NoSuchOperator", {"b"}, {"c"}).set_name("second");
  const std::string text = ParseBytes(model.bytes());
  EXPECT_THAT(text, HasSubstr("node 'first' (Frobnicate, com.example opset 3)"));
  EXPECT_THAT(text, HasSubstr("node 'second' (NoSuchOperator, ai.onnx opset 13)"));
  EXPECT_THAT(text, Not(HasSubstr("follows")));
  EXPECT_THAT(text, HasSubstr("export"));
}

TEST(OnnxReport, SaysWhichVersionsAreTooNew) {
  ModelMaker model(30);
  model.model().set_ir_version(12);
  model.Input("x", {2}).Output("y");
  model.Node("Relu", {"x"}, {"y"});
  EXPECT_THAT(ParseBytes(model.bytes()), HasSubstr("opset 23 or lower"));
}

// Ifs within each other, `depth` of them, that give a value of the outermost graph.
std::string NestedIfs(int depth) {
  ModelMaker model;
  model.Input("c", {}, Proto::BOOL).Input("x", {2}).Output("y");
  std::vector<::onnx::GraphProto*> open{&model.graph()};
  std::string output = "y";
  for (int i = 0; i < depth; ++i) {
    const std::string inner = "inner" + std::to_string(i);
    auto& node = AddNode(*open.back(), "If", {"c"}, {output});
    for (const char* branch : {"else_branch", "then_branch"}) {
      auto& graph = SetGraph(node, branch);
      AddValue(*graph.add_output(), inner, {2}, Proto::FLOAT);
      if (i + 1 == depth || branch == std::string("else_branch")) AddNode(graph, "Neg", {"x"}, {inner});
      open.push_back(&graph);
    }
    output = inner;
  }
  return model.bytes();
}

TEST(OnnxImport, GraphsMayLieDeep) {
  EXPECT_EQ(ParseBytes(NestedIfs(45)), "");
  EXPECT_THAT(ParseBytes(NestedIfs(60)), HasSubstr("graphs or functions lie more than 48 deep"));
}

TEST(OnnxReport, LooksIntoInnerGraphs) {
  ModelMaker model;
  model.Input("c", {}, Proto::BOOL).Output("y");
  auto& node = model.Node("If", {"c"}, {"y"});
  for (const char* branch : {"then_branch", "else_branch"}) {
    auto& graph = SetGraph(node, branch);
    AddNode(graph, "NoSuchOperator", {"c"}, {branch}).set_name(branch);
    AddValue(*graph.add_output(), branch, {2}, Proto::FLOAT);
  }
  EXPECT_THAT(ParseBytes(model.bytes()), HasSubstr("node 'then_branch' (NoSuchOperator"));
}

}  // namespace
}  // namespace foothold
