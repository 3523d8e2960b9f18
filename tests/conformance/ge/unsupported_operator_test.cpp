// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A graph with operators nobody can run is refused once, with all of them in the text. What the program says
// about its own operators is asked for on the way.
#include <stdexcept>

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
REG_OP(ConformanceHalf)
    .INPUT(x, TensorType::ALL())
    .OUTPUT(y, TensorType::ALL())
    .ATTR(parts, Int, 2)
    .OP_END_FACTORY_REG(ConformanceHalf)
// clang-format on

}  // namespace ge

namespace ge {

std::vector<Dims> halved;

IMPLEMT_VERIFIER(ConformanceHalf, VerifyHalf) {
  if (op.get_attr_parts() == 7) throw std::runtime_error("seven is too odd");
  return op.get_attr_parts() > 0 ? GRAPH_SUCCESS : GRAPH_FAILED;
}
VERIFY_FUNC_REG(ConformanceHalf, VerifyHalf);

IMPLEMT_INFERFUNC(ConformanceHalf, InferHalf) {
  TensorDesc desc = op.GetInputDescByName("x");
  halved.push_back(desc.GetShape().GetDims());
  const int64_t parts = op.get_attr_parts();
  if (desc.GetShape().GetDim(0) % parts != 0) return GRAPH_PARAM_INVALID;
  desc.SetShape(Shape({desc.GetShape().GetDim(0) / parts}));
  return op.UpdateOutputDesc("y", desc);
}
INFER_FUNC_REG(ConformanceHalf, InferHalf);

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

ge::op::ConformanceHalf Half(const char* name, const ge::Operator& x, int64_t parts) {
  auto half = ge::op::ConformanceHalf(name).set_input_x(x).set_attr_parts(parts);
  half.update_input_desc_x(FloatDesc({99}));  // what the source says counts
  return half;
}

// The report for x of 8 elements, halved by these numbers one after the other.
template <typename Generation>
std::string ReportOf(const std::vector<int64_t>& parts) {
  const Engine engine;
  typename Generation::Session session{GeOptions{}};
  const auto x = FloatData("x", 0, {8});
  ge::Operator last = ge::op::Abs("abs").set_input_x(x);
  int number = 0;
  for (const int64_t part : parts)
    last = Half(("half_" + std::to_string(++number)).c_str(), last, part);
  ge::halved.clear();
  EXPECT_GE_OK(
      session.AddGraph(1, ge::Graph("halves").SetInputs({x}).SetOutputs(std::vector<ge::Operator>{last})));
  GraphError();
  EXPECT_NE(session.CompileGraph(1), ge::SUCCESS);
  return GraphError();
}

TYPED_TEST(UnsupportedOperators, AreInferredByTheFunctionsOfTheProgram) {
  EXPECT_THAT(ReportOf<TypeParam>({2, 4}), AllOf(HasSubstr("'half_1' (ConformanceHalf): there is no kernel"),
                                                 HasSubstr("'half_2' (ConformanceHalf): there is no kernel"),
                                                 testing::Not(HasSubstr("function of"))));
  EXPECT_THAT(ge::halved, testing::ElementsAre(Dims{8}, Dims{4}));
}

TYPED_TEST(UnsupportedOperators, AreNamedWithTheFunctionThatRefusedThem) {
  EXPECT_THAT(ReportOf<TypeParam>({2, 3, 2}),
              AllOf(HasSubstr("the infer shape function of node 'half_2' (ConformanceHalf) answered"),
                    HasSubstr("'half_3' (ConformanceHalf): there is no kernel")));
  EXPECT_THAT(ReportOf<TypeParam>({0}), HasSubstr("the verify function of node 'half_1' (ConformanceHalf)"));
  EXPECT_THAT(ge::halved, testing::IsEmpty());
  EXPECT_THAT(ReportOf<TypeParam>({7}), HasSubstr("seven is too odd"));
}

}  // namespace
