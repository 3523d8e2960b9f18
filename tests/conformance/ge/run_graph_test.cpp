// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// RunGraph: which input goes where, what outputs look like, and what is run at all.
#include <cstdint>

#include "conformance/ge/graph_fixture.h"
#include "split_combination_ops.h"
#include "state_ops.h"

namespace {

using testing::ElementsAre;

template <typename Generation>
class RunGraph : public testing::Test {
 protected:
  using Tensor = typename Generation::Tensor;

  template <typename... Inputs>
  std::vector<Tensor> Run(const ge::Graph& graph, Inputs&&... inputs) {
    EXPECT_GE_OK(session_.AddGraph(++id_, graph));
    return Again(std::forward<Inputs>(inputs)...);
  }
  template <typename... Inputs>
  std::vector<Tensor> Again(Inputs&&... inputs) {
    std::vector<Tensor> outputs, list;
    (list.push_back(std::move(inputs)), ...);
    EXPECT_GE_OK(session_.RunGraph(id_, list, outputs));
    return outputs;
  }

  const Engine engine_;
  typename Generation::Session session_{GeOptions{}};
  uint32_t id_ = 0;
};
TYPED_TEST_SUITE(RunGraph, Generations, GenerationNames);

// y = a - b
ge::Graph Difference(int64_t index_of_a, int64_t index_of_b) {
  const auto a = FloatData("a", index_of_a, {2}), b = FloatData("b", index_of_b, {2});
  const auto y = ge::op::Sub("sub").set_input_x1(a).set_input_x2(b);
  return ge::Graph("difference").SetInputs({a, b}).SetOutputs(std::vector<ge::Operator>{y});
}

TYPED_TEST(RunGraph, FeedsInputsByIndex) {
  const auto outputs =
      this->Run(Difference(1, 0), TypeParam::Make({2}, {1, 2}), TypeParam::Make({2}, {10, 20}));
  EXPECT_THAT(ValuesOf<TypeParam>(outputs.at(0)), ElementsAre(9, 18));
}

TYPED_TEST(RunGraph, FeedsInputsInOrderIfIndicesAreNoNumbering) {
  const auto outputs =
      this->Run(Difference(0, 0), TypeParam::Make({2}, {1, 2}), TypeParam::Make({2}, {10, 20}));
  EXPECT_THAT(ValuesOf<TypeParam>(outputs.at(0)), ElementsAre(-9, -18));
}

TYPED_TEST(RunGraph, RefusesTooFewAndTooManyInputs) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({2}, 1)));
  std::vector<typename TypeParam::Tensor> outputs;
  EXPECT_REFUSED(ge::FAILED, "1 input", this->session_.RunGraph(1, {}, outputs));
  EXPECT_REFUSED(
      ge::FAILED, "2 tensors",
      this->session_.RunGraph(1, List(TypeParam::Make({2}, {1, 2}), TypeParam::Make({2}, {1, 2})), outputs));
  EXPECT_TRUE(outputs.empty());
}

TYPED_TEST(RunGraph, GivesOutputsInTheOrderOfTheGraph) {
  const auto x = FloatData("x", 0, {2});
  const auto twice = ge::op::Add("twice").set_input_x1(x).set_input_x2(x);
  const auto parts = ge::op::SplitD("split")
                         .set_input_x(x)
                         .set_attr_split_dim(0)
                         .set_attr_num_split(2)
                         .create_dynamic_output_y(2);
  using Ports = std::vector<std::pair<ge::Operator, std::vector<size_t>>>;
  const ge::Graph graph =
      ge::Graph("order").SetInputs({x}).SetOutputs(Ports{{parts, {1}}, {twice, {}}, {parts, {0, 1}}});
  const auto outputs = this->Run(graph, TypeParam::Make({2}, {1, 2}));
  ASSERT_EQ(outputs.size(), 4u);
  EXPECT_THAT(ValuesOf<TypeParam>(outputs[0]), ElementsAre(2));
  EXPECT_THAT(ValuesOf<TypeParam>(outputs[1]), ElementsAre(2, 4));
  EXPECT_THAT(ValuesOf<TypeParam>(outputs[2]), ElementsAre(1));
  EXPECT_THAT(ValuesOf<TypeParam>(outputs[3]), ElementsAre(2));
}

TYPED_TEST(RunGraph, DescribesItsOutputs) {
  const auto outputs = this->Run(AddGraphOf({3, 1}, 1), TypeParam::Make({3, 1}, {1, 2, 3}));
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_THAT(TypeParam::DimsOf(outputs[0]), ElementsAre(3, 1));
  EXPECT_EQ(outputs[0].GetSize(), 3 * sizeof(float));
  EXPECT_EQ(outputs[0].GetDataType(), ge::DT_FLOAT);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(TypeParam::Address(outputs[0])) % 64, 0u);
}

TYPED_TEST(RunGraph, GivesScalarsTheSizeOfOneElement) {
  const auto a = FloatData("a", 0, {}), b = FloatData("b", 1, {});
  const auto y = ge::op::Add("add").set_input_x1(a).set_input_x2(b);
  const auto outputs =
      this->Run(ge::Graph("scalar").SetInputs({a, b}).SetOutputs(std::vector<ge::Operator>{y}),
                TypeParam::Make({}, {1}), TypeParam::Make({}, {2}));
  EXPECT_THAT(TypeParam::DimsOf(outputs.at(0)), ElementsAre());
  EXPECT_EQ(outputs[0].GetSize(), sizeof(float));
  EXPECT_THAT(ValuesOf<TypeParam>(outputs[0]), ElementsAre(3));
}

TYPED_TEST(RunGraph, GivesEmptyOutputsWithoutMemory) {
  const auto outputs = this->Run(AddGraphOf({0, 4}, 1), TypeParam::Make({0, 4}, {}));
  EXPECT_THAT(TypeParam::DimsOf(outputs.at(0)), ElementsAre(0, 4));
  EXPECT_EQ(outputs[0].GetSize(), 0u);
}

TYPED_TEST(RunGraph, TakesAnotherShapeInEveryRun) {
  auto outputs = this->Run(AddGraphOf({-1}, 1), TypeParam::Make({2}, {1, 2}));
  EXPECT_THAT(ValuesOf<TypeParam>(outputs.at(0)), ElementsAre(2, 3));
  for (int64_t length = 1; length < 20; ++length) {
    const Floats values(static_cast<size_t>(length), static_cast<float>(length));
    outputs = this->Again(TypeParam::Make({length}, values));
    EXPECT_THAT(TypeParam::DimsOf(outputs.at(0)), ElementsAre(length));
    EXPECT_FLOAT_EQ(ValuesOf<TypeParam>(outputs[0]).back(), static_cast<float>(length + 1));
  }
}

TYPED_TEST(RunGraph, TakesAnotherShapeThanTheGraphSays) {
  auto outputs = this->Run(AddGraphOf({}, 1), TypeParam::Make({2, 2}, {1, 2, 3, 4}));
  EXPECT_THAT(TypeParam::DimsOf(outputs.at(0)), ElementsAre(2, 2));
  outputs = this->Again(TypeParam::Make({3}, {1, 2, 3}));
  EXPECT_THAT(ValuesOf<TypeParam>(outputs.at(0)), ElementsAre(2, 3, 4));
}

TYPED_TEST(RunGraph, LetsDataDecideShapes) {
  auto outputs =
      this->Run(ReshapeGraph(), TypeParam::Make({6}, {1, 2, 3, 4, 5, 6}), TypeParam::MakeInts({2}, {2, 3}));
  EXPECT_THAT(TypeParam::DimsOf(outputs.at(0)), ElementsAre(2, 3));
  outputs = this->Again(TypeParam::Make({6}, {1, 2, 3, 4, 5, 6}), TypeParam::MakeInts({2}, {6, 1}));
  EXPECT_THAT(TypeParam::DimsOf(outputs.at(0)), ElementsAre(6, 1));
  EXPECT_THAT(ValuesOf<TypeParam>(outputs[0]), ElementsAre(1, 2, 3, 4, 5, 6));
}

TYPED_TEST(RunGraph, FailsWithATextAndClearsTheOutputs) {
  auto outputs =
      this->Run(ReshapeGraph(), TypeParam::Make({6}, {1, 2, 3, 4, 5, 6}), TypeParam::MakeInts({2}, {2, 3}));
  EXPECT_REFUSED(
      ge::FAILED, "reshape",
      this->session_.RunGraph(
          1, List(TypeParam::Make({6}, {1, 2, 3, 4, 5, 6}), TypeParam::MakeInts({2}, {5, 5})), outputs));
  EXPECT_TRUE(outputs.empty());
}

TYPED_TEST(RunGraph, RefusesInputsWithTooFewBytes) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({4}, 1)));
  std::vector<typename TypeParam::Tensor> outputs;
  EXPECT_REFUSED(ge::FAILED, "16 bytes",
                 this->session_.RunGraph(1, List(TypeParam::Make({4}, {1, 2})), outputs));
}

TYPED_TEST(RunGraph, RunsWhatHasAnEffectThoughNothingIsGivenBack) {
  ge::op::Variable counter("counter");
  counter.update_output_desc_y(FloatDesc({1}));
  const auto one = FloatConst("one", {1}, {1});
  const auto add = ge::op::AssignAdd().set_input_ref(counter).set_input_value(one);
  ge::Graph graph("count");
  graph.SetInputs({counter});
  EXPECT_TRUE(this->Run(graph).empty());
  EXPECT_TRUE(this->Again().empty());

  ge::op::Variable same("counter");
  same.update_output_desc_y(FloatDesc({1}));
  const auto read = ge::op::Identity("read").set_input_x(same);
  const auto outputs =
      this->Run(ge::Graph("read").SetInputs({same}).SetOutputs(std::vector<ge::Operator>{read}));
  EXPECT_THAT(ValuesOf<TypeParam>(outputs.at(0)), ElementsAre(2));
}

TYPED_TEST(RunGraph, OutputsOutliveGraphSessionAndEngine) {
  std::vector<typename TypeParam::Tensor> outputs;
  {
    typename TypeParam::Session session(GeOptions{});
    ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1)));
    ASSERT_GE_OK(session.RunGraph(1, List(TypeParam::Make({2}, {1, 2})), outputs));
    ASSERT_GE_OK(session.RemoveGraph(1));
    EXPECT_THAT(ValuesOf<TypeParam>(outputs.at(0)), ElementsAre(2, 3));
  }
  EXPECT_THAT(ValuesOf<TypeParam>(outputs.at(0)), ElementsAre(2, 3));
}

TEST(RunGraphOfTheFirst, PutsOutputsOnTheHost) {
  const Engine engine;
  ge::Session session(GeOptions{});
  ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1)));
  std::vector<ge::Tensor> outputs(7);
  ASSERT_GE_OK(session.RunGraph(1, List(First::Make({2}, {1, 2})), outputs));
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].GetTensorDesc().GetPlacement(), ge::kPlacementHost);
}

// What has run before takes a shorter way.
TEST(RunGraphOfTheFirst, RunsAgainWithOtherValuesShapesAndLists) {
  const Engine engine;
  ge::Session session(GeOptions{});
  ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({-1}, 1)));
  std::vector<ge::Tensor> outputs, later, list = List(First::Make({2}, {7, 8}));
  ASSERT_GE_OK(session.RunGraph(1, List(First::Make({2}, {1, 2})), outputs));
  ASSERT_GE_OK(session.RunGraph(1, List(First::Make({2}, {5, 6})), later));
  EXPECT_THAT(ValuesOf<First>(outputs.at(0)), ElementsAre(2, 3));
  EXPECT_THAT(ValuesOf<First>(later.at(0)), ElementsAre(6, 7));
  EXPECT_EQ(later[0].GetTensorDesc().GetPlacement(), ge::kPlacementHost);
  ASSERT_GE_OK(session.RunGraph(1, List(First::Make({3}, {1, 2, 3})), later));
  EXPECT_THAT(ValuesOf<First>(later.at(0)), ElementsAre(2, 3, 4));
  for (int i = 0; i < 3; ++i)
    ASSERT_GE_OK(session.RunGraph(1, list, list));
  EXPECT_THAT(ValuesOf<First>(list.at(0)), ElementsAre(10, 11));
  ge::Tensor short_of_bytes = First::Make({2}, {1, 2});
  ASSERT_EQ(short_of_bytes.SetData(std::vector<uint8_t>(4)), ge::GRAPH_SUCCESS);
  EXPECT_REFUSED(ge::FAILED, "4 were given", session.RunGraph(1, List(std::move(short_of_bytes)), later));
  EXPECT_TRUE(later.empty());
  ASSERT_GE_OK(session.RunGraph(1, List(First::Make({2}, {0, 0})), later));
  EXPECT_THAT(ValuesOf<First>(later.at(0)), ElementsAre(1, 1));
}

TEST(RunGraphOfTheSecond, TakesTensorsThatAreBytesAlone) {
  const Engine engine;
  ge::GeSession session({});
  ASSERT_GE_OK(session.AddGraph(1, AddGraphOf({2}, 1)));
  float values[] = {1, 2};
  gert::Tensor input;
  input.SetData(gert::TensorData(values, nullptr, sizeof(values), gert::kOnHost));
  std::vector<gert::Tensor> outputs;
  ASSERT_GE_OK(session.RunGraph(1, List(std::move(input)), outputs));
  EXPECT_THAT(ValuesOf<Second>(outputs.at(0)), ElementsAre(2, 3));
  EXPECT_EQ(outputs[0].GetPlacement(), gert::kOnHost);
}

// y = (x + x, (x + x) * x): wrong as soon as x is written over.
ge::Graph ReadTwice() {
  const auto x = FloatData("x", 0, {2});
  const auto first = ge::op::Add("first").set_input_x1(x).set_input_x2(x);
  const auto second = ge::op::Mul("second").set_input_x1(first).set_input_x2(x);
  return ge::Graph("twice").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{first, second});
}

TYPED_TEST(RunGraph, TakesOneVectorForInputsAndOutputs) {
  ASSERT_GE_OK(this->session_.AddGraph(1, ReadTwice()));
  for (int i = 0; i < 3; ++i) {
    auto tensors = List(TypeParam::Make({2}, {3, 5}));
    ASSERT_GE_OK(this->session_.RunGraph(1, tensors, tensors));
    ASSERT_EQ(tensors.size(), 2u);
    EXPECT_THAT(ValuesOf<TypeParam>(tensors[0]), ElementsAre(6, 10));
    EXPECT_THAT(ValuesOf<TypeParam>(tensors[1]), ElementsAre(18, 50));
  }
}

// What the last run gave is read before it is let go of, also where an input is only a view of it.
TEST(RunGraphAgain, ReadsInputsThatLieInTheLastOutputs) {
  const Engine engine;
  ge::GeSession session({});
  ASSERT_GE_OK(session.AddGraph(1, ReadTwice()));
  std::vector<gert::Tensor> outputs;
  ASSERT_GE_OK(session.RunGraph(1, List(Second::Make({2}, {3, 5})), outputs));
  for (const size_t viewed : {0, 1, 0, 1}) {
    const Floats x = ValuesOf<Second>(outputs.at(viewed));
    auto inputs = List(Second::Make({2}, {0, 0}));
    inputs[0].SetData(gert::TensorData(outputs[viewed].GetAddr(), nullptr, 8, gert::kOnHost));
    ASSERT_GE_OK(session.RunGraph(1, inputs, outputs));
    EXPECT_THAT(ValuesOf<Second>(outputs.at(0)), ElementsAre(2 * x[0], 2 * x[1]));
    EXPECT_THAT(ValuesOf<Second>(outputs.at(1)), ElementsAre(2 * x[0] * x[0], 2 * x[1] * x[1]));
  }
}

}  // namespace
