// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A graph with operators nobody can run is refused once, with all of them in the text.
#include "conformance/ge/graph_fixture.h"
#include "graph/operator_reg.h"

namespace ge {

// clang-format off
REG_OP(ConformanceUnknownA)
    .INPUT(x, TensorType::ALL())
    .OUTPUT(y, TensorType::ALL())
    .OP_END_FACTORY_REG(ConformanceUnknownA)
REG_OP(ConformanceUnknownB)
    .INPUT(x, TensorType::ALL())
    .OUTPUT(y, TensorType::ALL())
    .OP_END_FACTORY_REG(ConformanceUnknownB)
// clang-format on

}  // namespace ge

namespace {

using testing::AllOf;
using testing::HasSubstr;

template <typename Generation>
class UnsupportedOperators : public testing::Test {};
TYPED_TEST_SUITE(UnsupportedOperators, Generations, GenerationNames);

ge::Graph Strange(const Dims& dims) {
  const auto x = FloatData("x", 0, dims);
  const auto a = ge::op::ConformanceUnknownA("strange_a").set_input_x(x);
  const auto b = ge::op::ConformanceUnknownB("strange_b").set_input_x(a);
  const auto c = ge::op::ConformanceUnknownA("strange_c").set_input_x(x);
  return ge::Graph("strange").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{b, c});
}

TYPED_TEST(UnsupportedOperators, AreAllNamedWhenTheGraphIsCompiled) {
  const Engine engine;
  typename TypeParam::Session session{GeOptions{}};
  uint32_t id = 0;
  for (const Dims& dims : {Dims{2}, Dims{-1}}) {
    ASSERT_GE_OK(session.AddGraph(++id, Strange(dims)));
    GraphError();
    EXPECT_NE(session.CompileGraph(id), ge::SUCCESS);
    EXPECT_THAT(GraphError(), AllOf(HasSubstr("strange_a"), HasSubstr("strange_b"), HasSubstr("strange_c"),
                                    HasSubstr("ConformanceUnknownB")));
  }
}

TYPED_TEST(UnsupportedOperators, AreAllNamedWhenTheGraphIsRun) {
  const Engine engine;
  typename TypeParam::Session session{GeOptions{}};
  ASSERT_GE_OK(session.AddGraph(1, Strange({2})));
  std::vector<typename TypeParam::Tensor> outputs;
  GraphError();
  EXPECT_NE(session.RunGraph(1, List(TypeParam::Make({2}, {1, 2})), outputs), ge::SUCCESS);
  EXPECT_THAT(GraphError(), AllOf(HasSubstr("strange_a"), HasSubstr("strange_b"), HasSubstr("strange_c")));
}

}  // namespace
