// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators that run graphs: If, Case, While, For and PartitionedCall; and what goes with them: ToBool,
// ControlTrigger.
#include "conformance/ge/graph_fixture.h"
#include "control_flow_ops.h"
#include "functional_ops.h"
#include "split_combination_ops.h"
#include "state_ops.h"

namespace {

using testing::ElementsAre;

// y = x + step, as a subgraph.
ge::SubgraphBuilder Plus(const char* name, float step, const Dims& dims = {1}) {
  return [name, step, dims] { return AddGraphOf(dims, step, name); };
}

ge::op::Data IntData(const char* name, int64_t index) {
  const ge::TensorDesc desc(ge::Shape(Dims{}), ge::FORMAT_ND, ge::DT_INT32);
  ge::op::Data data(name);
  data.set_attr_index(index).update_input_desc_x(desc);
  data.update_output_desc_y(desc);
  return data;
}

template <typename Generation>
class ControlFlow : public testing::Test {
 protected:
  Floats Run(std::vector<typename Generation::Tensor> inputs) {
    std::vector<typename Generation::Tensor> outputs;
    EXPECT_GE_OK(session_.RunGraph(1, inputs, outputs));
    return outputs.empty() ? Floats() : ValuesOf<Generation>(outputs[0]);
  }
  const Engine engine_;
  typename Generation::Session session_{GeOptions{}};
};
TYPED_TEST_SUITE(ControlFlow, Generations, GenerationNames);

TYPED_TEST(ControlFlow, IfTakesTheBranchOfItsCondition) {
  const auto cond = IntData("cond", 0);
  const auto x = FloatData("x", 1, {1});
  ge::op::If branch("if");
  branch.set_input_cond(cond);
  branch.create_dynamic_input_input(1).set_dynamic_input_input(0, x).create_dynamic_output_output(1);
  branch.set_subgraph_builder_then_branch(Plus("then", 1)).set_subgraph_builder_else_branch(Plus("else", 10));
  ASSERT_GE_OK(this->session_.AddGraph(
      1, ge::Graph("if").SetInputs({cond, x}).SetOutputs(std::vector<ge::Operator>{branch})));
  EXPECT_THAT(this->Run(List(TypeParam::MakeInts({}, {1}), TypeParam::Make({1}, {5}))), ElementsAre(6));
  EXPECT_THAT(this->Run(List(TypeParam::MakeInts({}, {0}), TypeParam::Make({1}, {5}))), ElementsAre(15));
}

TYPED_TEST(ControlFlow, CaseTakesTheLastBranchOutsideItsRange) {
  const auto index = IntData("which", 0);
  const auto x = FloatData("x", 1, {1});
  ge::op::Case branch("case");
  branch.set_input_branch_index(index);
  branch.create_dynamic_input_input(1).set_dynamic_input_input(0, x).create_dynamic_output_output(1);
  branch.create_dynamic_subgraph_branches(3);
  branch.set_dynamic_subgraph_builder_branches(0, Plus("b0", 1));
  branch.set_dynamic_subgraph_builder_branches(1, Plus("b1", 10));
  branch.set_dynamic_subgraph_builder_branches(2, Plus("b2", 100));
  ASSERT_GE_OK(this->session_.AddGraph(
      1, ge::Graph("case").SetInputs({index, x}).SetOutputs(std::vector<ge::Operator>{branch})));
  const std::vector<std::pair<int32_t, float>> expected = {
      {0, 1.f}, {1, 10.f}, {2, 100.f}, {3, 100.f}, {-1, 100.f}};
  for (const auto& [which, step] : expected)
    EXPECT_THAT(this->Run(List(TypeParam::MakeInts({}, {which}), TypeParam::Make({1}, {5}))),
                ElementsAre(5 + step));
}

ge::Graph BelowTen() {
  const auto x = FloatData("x", 0, {});
  const auto ten = FloatConst("ten", {}, {10});
  const auto less = ge::op::Less("less").set_input_x1(x).set_input_x2(ten);
  return ge::Graph("cond").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{less});
}

ge::Graph Twice() {
  const auto x = FloatData("x", 0, {});
  const auto sum = ge::op::Add("sum").set_input_x1(x).set_input_x2(x);
  return ge::Graph("body").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{sum});
}

TYPED_TEST(ControlFlow, WhileGoesOnAsLongAsItsConditionHolds) {
  const auto x = FloatData("x", 0, {});
  ge::op::While loop("while");
  loop.create_dynamic_input_input(1).set_dynamic_input_input(0, x).create_dynamic_output_output(1);
  loop.set_subgraph_builder_cond(BelowTen).set_subgraph_builder_body(Twice);
  ASSERT_GE_OK(this->session_.AddGraph(
      1, ge::Graph("while").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{loop})));
  EXPECT_THAT(this->Run(List(TypeParam::Make({}, {1}))), ElementsAre(16));
  EXPECT_THAT(this->Run(List(TypeParam::Make({}, {3}))), ElementsAre(12));
  EXPECT_THAT(this->Run(List(TypeParam::Make({}, {10}))), ElementsAre(10));
}

TYPED_TEST(ControlFlow, PartitionedCallRunsItsGraph) {
  const auto x = FloatData("x", 0, {1});
  ge::op::PartitionedCall call("call");
  call.create_dynamic_input_args(1).set_dynamic_input_args(0, x).create_dynamic_output_output(1);
  call.set_subgraph_builder_f(Plus("inner", 7));
  const auto y = ge::op::Add("outer").set_input_x1_by_name(call, "output0").set_input_x2(x);
  ASSERT_GE_OK(
      this->session_.AddGraph(1, ge::Graph("call").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y})));
  EXPECT_THAT(this->Run(List(TypeParam::Make({1}, {5}))), ElementsAre(17));
}

TYPED_TEST(ControlFlow, BranchesOfOpenShapesMayCallGraphs) {
  const auto cond = IntData("cond", 0);
  const auto x = FloatData("x", 1, {-1});
  const auto calling = [] {
    const auto inner = FloatData("inner", 0, {-1});
    ge::op::PartitionedCall call("call");
    call.create_dynamic_input_args(1).set_dynamic_input_args(0, inner).create_dynamic_output_output(1);
    call.set_subgraph_builder_f(Plus("called", 7, {-1}));
    return ge::Graph("then").SetInputs({inner}).SetOutputs(std::vector<ge::Operator>{call});
  };
  ge::op::If branch("if");
  branch.set_input_cond(cond);
  branch.create_dynamic_input_input(1).set_dynamic_input_input(0, x).create_dynamic_output_output(1);
  branch.set_subgraph_builder_then_branch(calling).set_subgraph_builder_else_branch(Plus("else", 10, {-1}));
  const ge::Graph graph = ge::Graph("if").SetInputs({cond, x}).SetOutputs(std::vector<ge::Operator>{branch});
  ASSERT_GE_OK(this->session_.AddGraph(1, graph));
  ASSERT_GE_OK(this->session_.AddGraph(2, graph));
  EXPECT_GE_OK(this->session_.CompileGraph(2));
  EXPECT_THAT(this->Run(List(TypeParam::MakeInts({}, {1}), TypeParam::Make({1}, {5}))), ElementsAre(12));
}

// sum + i, or with `with_number` i and that.
ge::Graph AddNumber(bool with_number, const Dims& dims) {
  const auto i = IntData("i", 0);
  const auto sum = FloatData("sum", 1, dims);
  const auto number = ge::op::Cast("number").set_input_x(i).set_attr_dst_type(ge::DT_FLOAT);
  const auto next = ge::op::Add("next").set_input_x1(sum).set_input_x2(number);
  std::vector<ge::Operator> outputs = {next};
  if (with_number) outputs.insert(outputs.begin(), i);
  return ge::Graph("body").SetInputs({i, sum}).SetOutputs(outputs);
}

// start, limit, delta and sum come with the run.
ge::Graph ForGraph(const ge::SubgraphBuilder& body, uint32_t outputs) {
  const auto start = IntData("start", 0), limit = IntData("limit", 1), delta = IntData("delta", 2);
  const auto sum = FloatData("sum", 3, {1});
  ge::op::For loop("for");
  loop.set_input_start(start).set_input_limit(limit).set_input_delta(delta);
  loop.create_dynamic_input_input(1).set_dynamic_input_input(0, sum);
  loop.create_dynamic_output_output(outputs).set_subgraph_builder_body(body);
  std::vector<std::pair<ge::Operator, std::vector<size_t>>> wanted = {{loop, {outputs - 1}}};
  if (outputs > 1) wanted.push_back({loop, {0}});
  return ge::Graph("for").SetInputs({start, limit, delta, sum}).SetOutputs(wanted);
}

template <typename Generation>
std::vector<typename Generation::Tensor> Bounds(int32_t start, int32_t limit, int32_t delta) {
  auto bounds = List(Generation::MakeInts({}, {start}), Generation::MakeInts({}, {limit}),
                     Generation::MakeInts({}, {delta}));
  bounds.push_back(Generation::Make({1}, {100}));
  return bounds;
}

TYPED_TEST(ControlFlow, ForCountsUpAndDownWithoutItsLimit) {
  ASSERT_GE_OK(this->session_.AddGraph(1, ForGraph([] { return AddNumber(false, {1}); }, 1)));
  EXPECT_THAT(this->Run(Bounds<TypeParam>(1, 5, 1)), ElementsAre(110));
  EXPECT_THAT(this->Run(Bounds<TypeParam>(0, 5, 2)), ElementsAre(106));
  EXPECT_THAT(this->Run(Bounds<TypeParam>(3, 0, -1)), ElementsAre(106));
  EXPECT_THAT(this->Run(Bounds<TypeParam>(5, 5, 1)), ElementsAre(100));
  EXPECT_THAT(this->Run(Bounds<TypeParam>(0, 5, -1)), ElementsAre(100));
  EXPECT_THAT(this->Run(Bounds<TypeParam>(2147483646, 2147483647, 2)), ElementsAre(2147483746.f));
}

TYPED_TEST(ControlFlow, ForGivesItsNumberBackWhereTheBodyDoes) {
  ASSERT_GE_OK(this->session_.AddGraph(1, ForGraph([] { return AddNumber(true, {1}); }, 2)));
  std::vector<typename TypeParam::Tensor> outputs;
  for (const auto& [limit, last] : {std::pair<int32_t, int32_t>{5, 4}, {1, 1}}) {
    ASSERT_GE_OK(this->session_.RunGraph(1, Bounds<TypeParam>(1, limit, 1), outputs));
    ASSERT_EQ(outputs.size(), 2u);
    EXPECT_EQ(*static_cast<const int32_t*>(TypeParam::Address(outputs[1])), last);
  }
}

// Every time the sum has one element more.
ge::Graph Grow() {
  const auto i = IntData("i", 0);
  const auto sum = FloatData("sum", 1, {-1});
  const auto one = FloatConst("one", {1}, {1});
  ge::op::ConcatD longer("longer");
  longer.create_dynamic_input_x(2).set_dynamic_input_x(0, sum).set_dynamic_input_x(1, one);
  longer.set_attr_concat_dim(0).set_attr_N(2);
  return ge::Graph("grow").SetInputs({i, sum}).SetOutputs(std::vector<ge::Operator>{longer});
}

TYPED_TEST(ControlFlow, ForMayCarryValuesOfGrowingShape) {
  ASSERT_GE_OK(this->session_.AddGraph(1, ForGraph(Grow, 1)));
  EXPECT_THAT(this->Run(Bounds<TypeParam>(0, 3, 1)), ElementsAre(100, 1, 1, 1));
}

TYPED_TEST(ControlFlow, ForWithoutAnEndIsRefused) {
  ASSERT_GE_OK(this->session_.AddGraph(1, ForGraph([] { return AddNumber(false, {1}); }, 1)));
  std::vector<typename TypeParam::Tensor> outputs;
  EXPECT_REFUSED(ge::FAILED, "by 0 has no end",
                 this->session_.RunGraph(1, Bounds<TypeParam>(0, 3, 0), outputs));
}

TYPED_TEST(ControlFlow, ToBoolIsWhatIfMakesOfItsCondition) {
  const auto x = FloatData("x", 0, {-1});
  const auto cond = ge::op::ToBool("cond").set_input_input(x);
  const auto y = ge::op::Cast("y").set_input_x(cond).set_attr_dst_type(ge::DT_FLOAT);
  ASSERT_GE_OK(this->session_.AddGraph(
      1, ge::Graph("to_bool").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{y})));
  EXPECT_THAT(this->Run(List(TypeParam::Make({1}, {0.5f}))), ElementsAre(1));
  EXPECT_THAT(this->Run(List(TypeParam::Make({1}, {-0.0f}))), ElementsAre(0));
  EXPECT_THAT(this->Run(List(TypeParam::Make({2}, {0, 0}))), ElementsAre(1));
  EXPECT_THAT(this->Run(List(TypeParam::Make({0}, {}))), ElementsAre(0));
}

TYPED_TEST(ControlFlow, ControlTriggerPassesOrderOn) {
  ge::op::Variable variable("ordered");
  variable.update_output_desc_y(FloatDesc({1}));
  const auto value = FloatConst("value", {1}, {5});
  const auto assign = ge::op::Assign("assign").set_input_ref(variable).set_input_value(value);
  ge::op::ControlTrigger trigger("trigger");
  trigger.AddControlInput(assign);
  ge::op::Add sum("sum");
  sum.set_input_x1(variable).set_input_x2(value).AddControlInput(trigger);
  ASSERT_GE_OK(this->session_.AddGraph(
      1, ge::Graph("trigger").SetInputs({variable}).SetOutputs(std::vector<ge::Operator>{sum})));
  EXPECT_THAT(this->Run({}), ElementsAre(10));
}

}  // namespace
