// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The classes of built-in operators (all_ops.h) and of a program's own (REG_OP).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "all_ops.h"
#include "graph/operator_factory.h"

namespace ge {

// clang-format off
REG_OP(ConformanceAmplify)
    .INPUT(x, TensorType({DT_FLOAT}))
    .OPTIONAL_INPUT(bias, TensorType({DT_FLOAT}))
    .DYNAMIC_INPUT(more, TensorType::ALL())
    .OUTPUT(y, TensorType({DT_FLOAT}))
    .ATTR(factor, Float, 1.5)
    .ATTR(axes, ListInt, {1, 2})
    .ATTR(mode, String, "fast")
    .REQUIRED_ATTR(times, Int)
    .OP_END_FACTORY_REG(ConformanceAmplify)
    // clang-format on

    IMPLEMT_INFERFUNC(ConformanceAmplify, InferAmplify) {
  return op.update_output_desc_y(op.get_input_desc_x());
}
INFER_FUNC_REG(ConformanceAmplify, InferAmplify);

}  // namespace ge

namespace {

using testing::ElementsAre;

std::string NameOf(const ge::Operator& op) {
  ge::AscendString name;
  EXPECT_EQ(op.GetName(name), ge::GRAPH_SUCCESS);
  return name.GetString();
}

std::string TypeOf(const ge::Operator& op) {
  ge::AscendString type;
  EXPECT_EQ(op.GetOpType(type), ge::GRAPH_SUCCESS);
  return type.GetString();
}

ge::TensorDesc Desc(const std::vector<int64_t>& dims) {
  return ge::TensorDesc(ge::Shape(dims), ge::FORMAT_ND, ge::DT_FLOAT);
}

TEST(BuiltInOperator, HasTheNameItIsGiven) {
  EXPECT_EQ(NameOf(ge::op::Conv2D("conv")), "conv");
  EXPECT_EQ(NameOf(ge::op::Conv2D(ge::AscendString("conv"))), "conv");
  EXPECT_EQ(NameOf(ge::op::Conv2D(std::string("conv"))), "conv");
  EXPECT_EQ(TypeOf(ge::op::Conv2D("conv")), "Conv2D");
}

TEST(BuiltInOperator, HasANameOfItsOwnWithoutOne) {
  EXPECT_NE(NameOf(ge::op::Assign()), NameOf(ge::op::Assign()));
}

TEST(BuiltInOperator, HasTheDefaultsOfItsAttributes) {
  const ge::op::Conv2D conv;
  EXPECT_THAT(conv.get_attr_dilations(), ElementsAre(1, 1, 1, 1));
  EXPECT_EQ(conv.get_attr_groups(), 1);
  EXPECT_EQ(conv.get_attr_data_format(), "NHWC");
  EXPECT_THAT(conv.get_attr_strides(), testing::IsEmpty());
  EXPECT_FLOAT_EQ(ge::op::BatchNorm().get_attr_epsilon(), 0.0001f);
  EXPECT_EQ(ge::op::Unique().get_attr_out_idx(), ge::DT_INT32);
}

TEST(BuiltInOperator, KeepsAttributesThatAreSet) {
  ge::op::Conv2D conv;
  conv.set_attr_strides({1, 2, 2, 1}).set_attr_groups(4).set_attr_data_format("NCHW");
  EXPECT_THAT(conv.get_attr_strides(), ElementsAre(1, 2, 2, 1));
  EXPECT_EQ(conv.get_attr_groups(), 4);
  ge::AscendString format;
  EXPECT_EQ(conv.get_attr_data_format(format), ge::GRAPH_SUCCESS);
  EXPECT_STREQ(format.GetString(), "NCHW");
}

TEST(BuiltInOperator, IgnoresAFunctionAsAttribute) {
  ge::op::Conv2D conv;
  conv.set_attr_groups([]() { return int64_t{9}; });
  EXPECT_EQ(conv.get_attr_groups(), 1);
}

TEST(BuiltInOperator, DescribesItsPorts) {
  ge::op::Conv2D conv;
  EXPECT_EQ(conv.update_input_desc_filter(Desc({16, 3, 3, 3})), ge::GRAPH_SUCCESS);
  EXPECT_EQ(conv.update_output_desc_y(Desc({1, 16})), ge::GRAPH_SUCCESS);
  EXPECT_THAT(conv.get_input_desc_filter().GetShape().GetDims(), ElementsAre(16, 3, 3, 3));
  EXPECT_THAT(conv.get_output_desc_y().GetShape().GetDims(), ElementsAre(1, 16));
  EXPECT_EQ(ge::op::Conv2D::name_in_filter(), "filter");
  EXPECT_EQ(ge::op::Conv2D::name_out_y(), "y");
}

TEST(BuiltInOperator, NumbersItsDynamicPorts) {
  ge::op::ConcatD concat("concat");
  concat.create_dynamic_input_x(3);
  EXPECT_EQ(concat.GetDynamicInputNum("x"), 3);
  EXPECT_EQ(concat.update_dynamic_input_desc_x(1, Desc({7})), ge::GRAPH_SUCCESS);
  EXPECT_THAT(concat.GetInputDescByName("x1").GetShape().GetDims(), ElementsAre(7));
  ge::op::Split split;
  split.create_dynamic_output_y(2);
  EXPECT_EQ(split.GetDynamicOutputNum("y"), 2);
}

TEST(BuiltInOperator, TakesItsInputsFromOperators) {
  ge::op::Const one;
  one.set_attr_value(ge::Tensor(Desc({2})));
  ge::op::Add add;
  add.set_input_x1(one).set_input_x2(one, "y");
  ge::Tensor value;
  EXPECT_EQ(add.GetInputConstData("x1", value), ge::GRAPH_SUCCESS);
  EXPECT_EQ(add.GetInputConstData("x2", value), ge::GRAPH_SUCCESS);
  ge::op::ConcatD concat;
  concat.create_dynamic_input_x(2).set_dynamic_input_x(1, one);
  EXPECT_EQ(concat.GetInputConstData("x1", value), ge::GRAPH_SUCCESS);
  EXPECT_NE(concat.GetInputConstData("x0", value), ge::GRAPH_SUCCESS);
}

TEST(RegisteredOperator, HasItsPortsAndDefaults) {
  ge::op::ConformanceAmplify amplify("amplify");
  EXPECT_EQ(TypeOf(amplify), "ConformanceAmplify");
  EXPECT_EQ(amplify.GetInputsSize(), 2u);
  EXPECT_FLOAT_EQ(amplify.get_attr_factor(), 1.5f);
  EXPECT_THAT(amplify.get_attr_axes(), ElementsAre(1, 2));
  EXPECT_EQ(amplify.get_attr_mode(), "fast");
  EXPECT_EQ(amplify.set_attr_times(3).get_attr_times(), 3);
  amplify.create_dynamic_input_more(2);
  EXPECT_EQ(amplify.GetInputsSize(), 4u);
}

TEST(RegisteredOperator, IsMadeByTheFactory) {
  ASSERT_TRUE(ge::OperatorFactory::IsExistOp("ConformanceAmplify"));
  const ge::Operator made = ge::OperatorFactory::CreateOperator("made", "ConformanceAmplify");
  float factor = 0;
  EXPECT_EQ(made.GetAttr("factor", factor), ge::GRAPH_SUCCESS);
  EXPECT_FLOAT_EQ(factor, 1.5f);
}

TEST(RegisteredOperator, InfersWithTheFunctionOfTheProgram) {
  ge::op::ConformanceAmplify amplify("amplify");
  amplify.update_input_desc_x(Desc({4, 5}));
  EXPECT_EQ(amplify.InferShapeAndType(), ge::GRAPH_SUCCESS);
  EXPECT_THAT(amplify.get_output_desc_y().GetShape().GetDims(), ElementsAre(4, 5));
}

}  // namespace
