// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Options about the shapes of inputs: gears (ge.dynamicDims) and ranges.
#include "conformance/ge/graph_fixture.h"

namespace {

using testing::ElementsAre;

template <typename Generation>
class Gears : public testing::Test {
 protected:
  ge::Status Run(const Dims& dims, uint32_t id = 1) {
    int64_t elements = 1;
    for (const int64_t dim : dims)
      elements *= dim;
    outputs_.clear();
    return session_.RunGraph(id, List(Generation::Make(dims, Floats(static_cast<size_t>(elements), 1))),
                             outputs_);
  }
  const Engine engine_;
  typename Generation::Session session_{GeOptions{}};
  std::vector<typename Generation::Tensor> outputs_;
};
TYPED_TEST_SUITE(Gears, Generations, GenerationNames);

TYPED_TEST(Gears, AreTheOnlyShapesTheGraphTakes) {
  ASSERT_GE_OK(this->session_.AddGraph(
      1, AddGraphOf({-1, 3}, 1),
      GeOptions{{"ge.inputShape", "x:-1,3"}, {"ge.dynamicDims", "1;2;4"}, {"ge.dynamicNodeType", "1"}}));
  for (const int64_t gear : {1, 2, 4}) {
    ASSERT_GE_OK(this->Run({gear, 3}));
    EXPECT_THAT(TypeParam::DimsOf(this->outputs_.at(0)), ElementsAre(gear, 3));
  }
  GraphError();
  EXPECT_NE(this->Run({3, 3}), ge::SUCCESS);
  EXPECT_THAT(GraphError(), testing::HasSubstr("ge.dynamicDims"));
}

TYPED_TEST(Gears, AreNumberedInTheOrderOfTheShapes) {
  const auto b = FloatData("b", 0, {-1, 1}), a = FloatData("a", 1, {1, -1});
  const auto sum = ge::op::Add("sum").set_input_x1(a).set_input_x2(b);
  ASSERT_GE_OK(this->session_.AddGraph(
      1, ge::Graph("two").SetInputs({b, a}).SetOutputs(std::vector<ge::Operator>{sum}),
      GeOptions{{"ge.inputShape", "a:1,-1;b:-1,1"}, {"ge.dynamicDims", "2,3;4,5"}}));
  std::vector<typename TypeParam::Tensor> outputs;
  EXPECT_GE_OK(this->session_.RunGraph(
      1, List(TypeParam::Make({3, 1}, {1, 2, 3}), TypeParam::Make({1, 2}, {10, 20})), outputs));
  EXPECT_THAT(TypeParam::DimsOf(outputs.at(0)), ElementsAre(3, 2));
}

TYPED_TEST(Gears, AreSummedUpByTheLargest) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({-1, 3}, 1),
                                       GeOptions{{"ge.inputShape", "x:-1,3"}, {"ge.dynamicDims", "1;4;2"}}));
  ASSERT_GE_OK(this->session_.CompileGraph(1));
  const auto summary = this->session_.GetCompiledGraphSummary(1);
  ASSERT_NE(summary, nullptr);
  EXPECT_TRUE(summary->IsStatic());
  std::vector<ge::Shape> shapes;
  ASSERT_GE_OK(summary->GetOutputShapes(shapes));
  EXPECT_THAT(shapes.at(0).GetDims(), ElementsAre(4, 3));
}

TYPED_TEST(Gears, MustFitTheShapes) {
  uint32_t id = 1;
  for (const char* wrong : {"1", "1;1", "1,2;3,4", "1;x", "1;-1"}) {
    ASSERT_GE_OK(this->session_.AddGraph(++id, AddGraphOf({-1, 3}, 1),
                                         GeOptions{{"ge.inputShape", "x:-1,3"}, {"ge.dynamicDims", wrong}}));
    GraphError();
    EXPECT_NE(this->Run({1, 3}, id), ge::SUCCESS) << wrong;
    EXPECT_THAT(GraphError(), testing::HasSubstr("ge.dynamicDims"));
  }
}

TYPED_TEST(Gears, NameInputsThatExist) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({-1, 3}, 1), GeOptions{{"ge.inputShape", "z:-1,3"}}));
  GraphError();
  EXPECT_NE(this->Run({1, 3}), ge::SUCCESS);
  EXPECT_THAT(GraphError(), testing::HasSubstr("z"));
}

TYPED_TEST(Gears, AreNotNeededForRanges) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({-1, 3}, 1), GeOptions{{"ge.inputShape", "x:2~4,3"}}));
  EXPECT_GE_OK(this->Run({3, 3}));
  GraphError();
  EXPECT_NE(this->Run({5, 3}), ge::SUCCESS);
  EXPECT_THAT(GraphError(), testing::HasSubstr("[2~4]"));
}

TYPED_TEST(Gears, RangesAreForOneNumberOfDimensions) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({-1, 3}, 1), GeOptions{{"ge.inputShape", "x:1~4,3"}}));
  EXPECT_REFUSED(ge::FAILED, "'x') has shape [3]; its range [1~4,3] has 2 dimensions", this->Run({3}));
  EXPECT_REFUSED(ge::FAILED, "[1~4,3]", this->Run({1, 4, 3}));
  EXPECT_GE_OK(this->Run({4, 3}));
}

TYPED_TEST(Gears, ScalarsAreNamedWithoutDimensions) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({-2}, 1), GeOptions{{"ge.inputShape", "x:"}}));
  EXPECT_GE_OK(this->Run({}));
  EXPECT_REFUSED(ge::FAILED, "its range [] has 0 dimensions", this->Run({1}));
}

TYPED_TEST(Gears, AnyNumberOfDimensionsStaysAllowed) {
  ASSERT_GE_OK(this->session_.AddGraph(1, AddGraphOf({-2}, 1), GeOptions{{"ge.inputShape", "x:-2"}}));
  EXPECT_GE_OK(this->Run({2}));
  EXPECT_GE_OK(this->Run({2, 2}));
}

}  // namespace
