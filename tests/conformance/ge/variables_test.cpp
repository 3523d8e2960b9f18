// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Variables: state of a session that its graphs share by name.
#include <thread>

#include "conformance/ge/device_floats.h"
#include "conformance/ge/graph_fixture.h"
#include "selection_ops.h"
#include "state_ops.h"

namespace {

using testing::ElementsAre;

ge::op::Variable Named(const char* name, const Dims& dims = {2}) {
  ge::op::Variable variable(name);
  variable.update_output_desc_y(FloatDesc(dims));
  return variable;
}

// Assigns constants to two variables; no operator but the variables has a name of the program's.
ge::Graph Initialisation() {
  std::vector<ge::Operator> variables;
  for (const char* name : {"first", "second"}) {
    const ge::op::Variable variable = Named(name);
    ge::op::Constant value;
    value.set_attr_value(HostTensor<float>({2}, {1, 2}, ge::DT_FLOAT));
    ge::op::Assign().set_input_ref(variable).set_input_value(value);
    variables.push_back(variable);
  }
  return ge::Graph("init").SetInputs(variables).SetOutputs(std::vector<ge::Operator>{});
}

ge::Graph Count(const char* name, float step) {
  const auto variable = Named(name);
  const auto one = FloatConst("step", {2}, {step, step});
  const auto sum = ge::op::AssignAdd("count").set_input_ref(variable).set_input_value(one);
  return ge::Graph("count").SetInputs({variable}).SetOutputs(std::vector<ge::Operator>{sum});
}

ge::Graph Read(const char* name, const Dims& dims = {2}) {
  const auto variable = Named(name, dims);
  const auto copy = ge::op::Identity("copy").set_input_x(variable);
  return ge::Graph("read").SetInputs({variable}).SetOutputs(std::vector<ge::Operator>{copy});
}

template <typename Generation>
class Variables : public testing::Test {
 protected:
  Floats Run(uint32_t id) {
    std::vector<typename Generation::Tensor> outputs;
    EXPECT_GE_OK(session_.RunGraph(id, {}, outputs));
    return outputs.empty() ? Floats() : ValuesOf<Generation>(outputs[0]);
  }
  const Engine engine_;
  typename Generation::Session session_{GeOptions{}};
};
TYPED_TEST_SUITE(Variables, Generations, GenerationNames);

TYPED_TEST(Variables, AreInitialisedByAGraphOfTheirOwn) {
  ASSERT_GE_OK(this->session_.AddGraph(0, Initialisation()));
  ASSERT_GE_OK(this->session_.AddGraph(1, Read("second")));
  this->Run(0);
  EXPECT_THAT(this->Run(1), ElementsAre(1, 2));
}

TYPED_TEST(Variables, AreSharedByGraphsAndOutliveThem) {
  ASSERT_GE_OK(this->session_.AddGraph(0, Initialisation()));
  ASSERT_GE_OK(this->session_.AddGraph(1, Count("first", 1)));
  ASSERT_GE_OK(this->session_.AddGraph(2, Count("first", 10)));
  this->Run(0);
  EXPECT_THAT(this->Run(1), ElementsAre(2, 3));
  EXPECT_THAT(this->Run(2), ElementsAre(12, 13));
  for (uint32_t id = 0; id < 3; ++id)
    ASSERT_GE_OK(this->session_.RemoveGraph(id));
  ASSERT_GE_OK(this->session_.AddGraph(3, Read("first")));
  EXPECT_THAT(this->Run(3), ElementsAre(12, 13));
}

TYPED_TEST(Variables, BelongToOneSession) {
  typename TypeParam::Session other{GeOptions{}};
  ASSERT_GE_OK(this->session_.AddGraph(1, Count("first", 1)));
  ASSERT_GE_OK(other.AddGraph(1, Count("first", 10)));
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(other.RunGraph(1, {}, outputs));
  EXPECT_THAT(ValuesOf<TypeParam>(outputs.at(0)), ElementsAre(10, 10));
  EXPECT_THAT(this->Run(1), ElementsAre(1, 1));
}

TYPED_TEST(Variables, AreZeroBeforeTheyAreAssigned) {
  ASSERT_GE_OK(this->session_.AddGraph(1, Read("never")));
  EXPECT_THAT(this->Run(1), ElementsAre(0, 0));
}

TYPED_TEST(Variables, HaveOneShapeInAllGraphs) {
  ASSERT_GE_OK(this->session_.AddGraph(1, Count("first", 1)));
  this->Run(1);
  ASSERT_GE_OK(this->session_.AddGraph(2, Read("first", {3})));
  std::vector<typename TypeParam::Tensor> outputs;
  EXPECT_REFUSED(ge::FAILED, "first", this->session_.RunGraph(2, {}, outputs));
}

TYPED_TEST(Variables, LoseNoUpdateWhenGraphsRunAtOnce) {
  ASSERT_GE_OK(this->session_.AddGraph(1, Count("first", 1)));
  ASSERT_GE_OK(this->session_.AddGraph(2, Count("first", 1)));
  std::vector<std::thread> threads;
  for (const uint32_t id : {1u, 2u, 1u, 2u})
    threads.emplace_back([this, id] {
      for (int i = 0; i < 50; ++i)
        this->Run(id);
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_THAT(this->Run(1), ElementsAre(201, 201));
}

TYPED_TEST(Variables, AreReadAfterAnAssignmentWithAControlEdge) {
  const auto variable = Named("ordered");
  const auto value = FloatConst("value", {2}, {5, 6});
  const auto assign = ge::op::Assign("assign").set_input_ref(variable).set_input_value(value);
  ge::op::Add sum("sum");
  sum.set_input_x1(variable).set_input_x2(value).AddControlInput(assign);
  const ge::Graph graph =
      ge::Graph("ordered").SetInputs({variable}).SetOutputs(std::vector<ge::Operator>{sum});
  ASSERT_GE_OK(this->session_.AddGraph(1, graph));
  EXPECT_THAT(this->Run(1), ElementsAre(10, 12));
}

// How many values there are is known only when the first part has run; the second asks for the variable
// again.
ge::Graph NonZeroOf(const char* name, bool writes_first) {
  const auto variable = Named(name);
  const auto one = FloatConst("step", {2}, {1, 1});
  ge::Operator source = variable;
  if (writes_first) source = ge::op::AssignAdd("count").set_input_ref(variable).set_input_value(one);
  const auto places = ge::op::Where("places").set_input_x(source);
  ge::op::Const axis("axis");
  axis.set_attr_value(HostTensor<int32_t>({}, {0}, ge::DT_INT32));
  ge::op::GatherV2 values("values");
  values.set_input_x(variable).set_input_indices(places).set_input_axis(axis);
  return ge::Graph("non_zero").SetInputs({variable}).SetOutputs(std::vector<ge::Operator>{values});
}

TYPED_TEST(Variables, AreUsedByBothPartsOfAGraphWhoseShapesTheDataDecide) {
  ASSERT_GE_OK(this->session_.AddGraph(0, Initialisation()));
  ASSERT_GE_OK(this->session_.AddGraph(1, NonZeroOf("first", false)));
  ASSERT_GE_OK(this->session_.AddGraph(2, NonZeroOf("second", true)));
  this->Run(0);
  for (int run = 0; run < 2; ++run) {
    EXPECT_THAT(this->Run(1), ElementsAre(1, 2));
    EXPECT_THAT(this->Run(2), ElementsAre(2 + run, 3 + run));
  }
}

TEST(GetVariables, DoesNotTakeAReadInALaterPartForAnAssignment) {
  const Engine engine;
  ge::Session session(GeOptions{});
  ASSERT_GE_OK(session.AddGraph(1, NonZeroOf("only_read", false)));
  std::vector<ge::Tensor> values;
  ASSERT_GE_OK(session.RunGraph(1, {}, values));
  EXPECT_REFUSED(ge::FAILED, "only_read",
                 session.GetVariables(std::vector<std::string>{"only_read"}, values));
}

// Makes graphs with iterations run five times.
ge::Graph FiveTimes() {
  const ge::TensorDesc desc(ge::Shape(Dims{}), ge::FORMAT_ND, ge::DT_INT64);
  ge::op::Variable steps("npu_runconfig/iterations_per_loop");
  steps.update_output_desc_y(desc);
  ge::op::Constant value;
  value.set_attr_value(HostTensor<int64_t>({}, {4}, ge::DT_INT64));
  ge::op::Assign().set_input_ref(steps).set_input_value(value);
  return ge::Graph("steps").SetInputs({steps});
}

TYPED_TEST(Variables, SayHowOftenAGraphWithIterationsRuns) {
  ASSERT_GE_OK(this->session_.AddGraph(0, FiveTimes()));
  ge::Graph count = Count("first", 1);
  count.SetNeedIteration(true);
  ASSERT_GE_OK(this->session_.AddGraph(1, count));
  EXPECT_THAT(this->Run(1), ElementsAre(1, 1));
  this->Run(0);
  EXPECT_THAT(this->Run(1), ElementsAre(6, 6));
}

TYPED_TEST(Variables, SayHowOftenAGraphWhoseShapesTheDataDecideRunsOnAStream) {
  const Session runtime;
  ge::op::Data shape("shape");
  const ge::TensorDesc desc(ge::Shape({2}), ge::FORMAT_ND, ge::DT_INT32);
  shape.set_attr_index(0).update_input_desc_x(desc);
  shape.update_output_desc_y(desc);
  const auto variable = Named("counted");
  const auto one = FloatConst("step", {2}, {1, 1});
  const auto sum = ge::op::AssignAdd("count").set_input_ref(variable).set_input_value(one);
  const auto y = ge::op::Reshape("reshape").set_input_x(sum).set_input_shape(shape);
  ge::Graph graph("count");
  graph.SetInputs({shape, variable}).SetOutputs(std::vector<ge::Operator>{y});
  graph.SetNeedIteration(true);
  ASSERT_GE_OK(this->session_.AddGraph(0, FiveTimes()));
  ASSERT_GE_OK(this->session_.AddGraph(1, graph));
  this->Run(0);
  std::vector<typename TypeParam::Tensor> outputs;
  ASSERT_GE_OK(this->session_.RunGraphWithStreamAsync(1, runtime.Stream(),
                                                      List(TypeParam::MakeInts({2}, {2, 1})), outputs));
  EXPECT_THAT(TypeParam::DimsOf(outputs.at(0)), ElementsAre(2, 1));
  EXPECT_THAT(ValuesOf<TypeParam>(outputs[0]), ElementsAre(5, 5));
}

// Each of the runs reads what the program gave, as it does where the data decide the shapes.
TYPED_TEST(Variables, DoNotLetIterationsReadOutputsThatLieInTheirInputs) {
  const Session runtime;
  ge::Graph graph = AddGraphOf({2}, 1);
  graph.SetNeedIteration(true);
  ASSERT_GE_OK(this->session_.AddGraph(0, FiveTimes()));
  ASSERT_GE_OK(this->session_.AddGraph(1, graph));
  this->Run(0);
  const DeviceFloats x({1, 2});
  auto outputs = List(TypeParam::At({2}, x.address(), x.bytes()));
  const aclrtStream stream = runtime.Stream();
  ASSERT_GE_OK(this->session_.RunGraphWithStreamAsync(
      1, stream, List(TypeParam::At({2}, x.address(), x.bytes())), outputs));
  ASSERT_OK(aclrtSynchronizeStream(stream));
  EXPECT_THAT(x.Read(), ElementsAre(2, 3));
}

TEST(GetVariables, GivesCopiesInTheOrderOfTheNames) {
  const Engine engine;
  ge::Session session(GeOptions{});
  ASSERT_GE_OK(session.AddGraph(0, Initialisation()));
  ASSERT_GE_OK(session.AddGraph(1, Count("first", 1)));
  std::vector<ge::Tensor> outputs, values;
  ASSERT_GE_OK(session.RunGraph(0, {}, outputs));
  ASSERT_GE_OK(session.RunGraph(1, {}, outputs));
  ASSERT_GE_OK(session.GetVariables(std::vector<std::string>{"second", "first"}, values));
  ASSERT_EQ(values.size(), 2u);
  EXPECT_THAT(ValuesOf<First>(values[0]), ElementsAre(1, 2));
  EXPECT_THAT(ValuesOf<First>(values[1]), ElementsAre(2, 3));
  EXPECT_THAT(First::DimsOf(values[1]), ElementsAre(2));
  *values[1].GetData() = 0;
  ASSERT_GE_OK(session.GetVariables(std::vector<ge::AscendString>{}, values));
  ASSERT_EQ(values.size(), 2u);
  EXPECT_THAT(ValuesOf<First>(values[0]), ElementsAre(2, 3));
}

TEST(GetVariables, RefusesNamesItDoesNotKnowAndValuesNobodyGave) {
  const Engine engine;
  ge::Session session(GeOptions{});
  ASSERT_GE_OK(session.AddGraph(1, Read("unset")));
  std::vector<ge::Tensor> values;
  ASSERT_GE_OK(session.RunGraph(1, {}, values));
  EXPECT_REFUSED(ge::FAILED, "nobody", session.GetVariables(std::vector<std::string>{"nobody"}, values));
  EXPECT_REFUSED(ge::FAILED, "unset", session.GetVariables(std::vector<std::string>{"unset"}, values));
}

TEST(FirstSession, DoesNotCompileGraphsWithVariables) {
  const Engine engine;
  ge::Session session(GeOptions{});
  ASSERT_GE_OK(session.AddGraph(1, Count("first", 1)));
  EXPECT_REFUSED(ge::FAILED, "first", session.CompileGraph(1));
}

}  // namespace
