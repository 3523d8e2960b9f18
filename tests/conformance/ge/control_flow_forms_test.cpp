// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The other names under which If, Case, While and PartitionedCall come: each does what its relative does.
#include "conformance/ge/graph_fixture.h"
#include "functional_ops.h"

namespace {

using testing::ElementsAre;

ge::SubgraphBuilder Plus(const char* name, float step) {
  return [name, step] { return AddGraphOf({}, step, name); };
}

ge::Graph LessThanTen() {
  const auto x = FloatData("x", 0, {});
  const auto less = ge::op::Less("less").set_input_x1(x).set_input_x2(FloatConst("ten", {}, {10}));
  return ge::Graph("cond").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{less});
}

ge::op::Data Number(const char* name) {
  const ge::TensorDesc desc(ge::Shape(Dims{}), ge::FORMAT_ND, ge::DT_INT32);
  ge::op::Data data(name);
  data.set_attr_index(0).update_input_desc_x(desc);
  data.update_output_desc_y(desc);
  return data;
}

class ControlFlowForms : public testing::Test {
 protected:
  void Add(std::vector<ge::Operator> inputs, const ge::Operator& output) {
    ASSERT_GE_OK(session_.AddGraph(
        1, ge::Graph("forms").SetInputs(inputs).SetOutputs(std::vector<ge::Operator>{output})));
  }
  Floats Run(const std::vector<ge::Tensor>& inputs) {
    std::vector<ge::Tensor> outputs;
    EXPECT_GE_OK(session_.RunGraph(1, inputs, outputs));
    return outputs.empty() ? Floats() : ValuesOf<First>(outputs[0]);
  }
  Floats RunWith(int32_t number, float x) {
    return Run(List(First::MakeInts({}, {number}), First::Make({}, {x})));
  }

  const Engine engine_;
  ge::Session session_{GeOptions{}};
};

template <typename If>
class IfForms : public ControlFlowForms {};
using Ifs = testing::Types<ge::op::StatelessIf, ge::op::_If>;
TYPED_TEST_SUITE(IfForms, Ifs);

TYPED_TEST(IfForms, TakeTheBranchOfTheirCondition) {
  const auto cond = Number("cond");
  const auto x = FloatData("x", 1, {});
  TypeParam branch("branch");
  branch.set_input_cond(cond);
  branch.create_dynamic_input_input(1).set_dynamic_input_input(0, x).create_dynamic_output_output(1);
  branch.set_subgraph_builder_then_branch(Plus("then", 1)).set_subgraph_builder_else_branch(Plus("else", 10));
  this->Add({cond, x}, branch);
  EXPECT_THAT(this->RunWith(3, 5), ElementsAre(6));
  EXPECT_THAT(this->RunWith(0, 5), ElementsAre(15));
}

template <typename While>
class WhileForms : public ControlFlowForms {};
using Whiles = testing::Types<ge::op::StatelessWhile, ge::op::_While>;
TYPED_TEST_SUITE(WhileForms, Whiles);

TYPED_TEST(WhileForms, GoOnAsLongAsTheirConditionHolds) {
  const auto x = FloatData("x", 0, {});
  TypeParam loop("loop");
  loop.create_dynamic_input_input(1).set_dynamic_input_input(0, x).create_dynamic_output_output(1);
  loop.set_subgraph_builder_cond(LessThanTen).set_subgraph_builder_body(Plus("body", 4));
  this->Add({x}, loop);
  EXPECT_THAT(this->Run(List(First::Make({}, {1}))), ElementsAre(13));
  EXPECT_THAT(this->Run(List(First::Make({}, {10}))), ElementsAre(10));
}

TEST_F(ControlFlowForms, StatelessCaseTakesTheLastBranchOutsideItsRange) {
  const auto which = Number("which");
  const auto x = FloatData("x", 1, {});
  ge::op::StatelessCase branch("case");
  branch.set_input_branch_index(which);
  branch.create_dynamic_input_input(1).set_dynamic_input_input(0, x).create_dynamic_output_output(1);
  branch.create_dynamic_subgraph_branches(2);
  branch.set_dynamic_subgraph_builder_branches(0, Plus("b0", 1));
  branch.set_dynamic_subgraph_builder_branches(1, Plus("b1", 10));
  Add({which, x}, branch);
  EXPECT_THAT(RunWith(0, 5), ElementsAre(6));
  EXPECT_THAT(RunWith(1, 5), ElementsAre(15));
  EXPECT_THAT(RunWith(-7, 5), ElementsAre(15));
}

TEST_F(ControlFlowForms, StatefulPartitionedCallRunsItsGraph) {
  const auto x = FloatData("x", 0, {});
  ge::op::StatefulPartitionedCall call("call");
  call.create_dynamic_input_args(1).set_dynamic_input_args(0, x).create_dynamic_output_output(1);
  call.set_subgraph_builder_f(Plus("called", 7));
  Add({x}, call);
  EXPECT_THAT(Run(List(First::Make({}, {5}))), ElementsAre(12));
}

}  // namespace
