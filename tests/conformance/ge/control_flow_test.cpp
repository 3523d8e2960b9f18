// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Operators that run graphs: If, Case, While and PartitionedCall.
#include "conformance/ge/graph_fixture.h"
#include "functional_ops.h"

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

}  // namespace
