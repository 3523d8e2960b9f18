// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Compiling is the test: the members of operator classes, as programs call them, and an operator of a
// program's own with every word of REG_OP. Built as C++11 with both string ABIs, without a warning.
#include "all_ops.h"

// Found behind the headers of operators that have the same names.
#include <complex.h>
#include <search.h>
#include <signal.h>

namespace ge {

// clang-format off
REG_OP(ClassesTest)
    .INPUT(x, TensorType({DT_FLOAT, DT_FLOAT16}))
    .OPTIONAL_INPUT(z, "T")
    .DYNAMIC_INPUT(more, TensorType:ALL())
    .OUTPUT(y, TensorType({DT_FLOAT}))
    .DYNAMIC_OUTPUT(rest, TensorType::ALL())
    .ATTR(factor, Float, 1.0)
    .ATTR(axes, ListInt, {1, 2})
    .ATTR(none, ListInt, {})
    .ATTR(scales, ListFloat, {0.5, 2.0})
    .ATTR(nested, ListListInt, {{}, {}})
    .ATTR(mode, String, "fast")
    .ATTR(names, ListString, {"a", "b"})
    .ATTR(flag, Bool, true)
    .ATTR(flags, ListBool, {true, false})
    .ATTR(dt, Int, DT_FLOAT16)
    .ATTR(absent, Int)
    .ATTR(type, Type, DT_FLOAT)
    .ATTR(types, ListType, {DT_FLOAT})
    .ATTR(value, Tensor, Tensor())
    .ATTR(values, ListTensor, {})
    .ATTR(bytes, Bytes, {})
    .REQUIRED_ATTR(k, Int)
    .GRAPH(body)
    .DYNAMIC_GRAPH(branches)
    .DATATYPE(T, TensorType({DT_FLOAT}))
    .DATATYPE(U, Promote({"T", "V"}))
    .INFER_SHAPE_AND_TYPE()
    .OP_END_FACTORY_REG(ClassesTest)

REG_OP(ClassesTestWithoutPorts).OP_END()
    // clang-format on

    IMPLEMT_INFERFUNC(ClassesTest, InferClassesTest) {
  return op.update_output_desc_y(op.get_input_desc_x());
}
INFER_FUNC_REG(ClassesTest, InferClassesTest);
IMPLEMT_COMMON_INFERFUNC(InferAny) {
  return op.UpdateOutputDesc("y", op.GetInputDescByName("x"));
}
COMMON_INFER_FUNC_REG(ClassesTest, InferAny);
COMMON_INFER_FUNC_REG(Add, BROADCAST_INFER("x1", "x2", "y"));
COMMON_INFER_FUNC_REG(Relu, ELMTWISE_INFER_SHAPEANDTYPE("x", "y"));
IMPLEMT_VERIFIER(Conv2D, VerifyConv2D) {
  return op.get_attr_strides().empty() ? GRAPH_FAILED : GRAPH_SUCCESS;
}
VERIFY_FUNC_REG(Conv2D, VerifyConv2D);
IMPLEMT_INFERFORMAT_FUNC(ClassesTest, InferClassesTestFormat) {
  return op.update_output_desc_y(TensorDesc());
}
INFER_FORMAT_FUNC_REG(ClassesTest, InferClassesTestFormat);
IMPL_INFER_VALUE_RANGE_FUNC(ClassesTest, InferClassesTestRange) {
  return op.get_attr_flag() ? GRAPH_SUCCESS : GRAPH_FAILED;
}
INFER_VALUE_RANGE_CUSTOM_FUNC_REG(ClassesTest, INPUT_IS_DYNAMIC, InferClassesTestRange);
INFER_VALUE_RANGE_DEFAULT_REG(Relu);

}  // namespace ge

namespace {

void Take(std::vector<ge::Operator>& all, const ge::Operator& op) {
  all.push_back(op);
}

void UsePorts(std::vector<ge::Operator>& all) {
  ge::op::Data data(std::string("data"));
  ge::op::Conv2D conv("conv");
  ge::op::Add add;
  ge::op::Relu relu(ge::AscendString("relu"));
  conv.set_input_x(data).set_input_filter(add, 0).set_input_bias_by_name(relu, "y").set_input_offset_w(add,
                                                                                                       "y");
  conv.update_input_desc_x(conv.get_input_desc_filter());
  conv.update_output_desc_y(conv.get_output_desc_y());
  ge::op::ConcatD concat("concat");
  concat.create_dynamic_input_x(2)
      .set_dynamic_input_x(0, conv)
      .set_dynamic_input_x(1, add, "y")
      .set_attr_N(2);
  concat.create_dynamic_input_byindex_x(1, 0);
  concat.update_dynamic_input_desc_x(0, concat.get_dynamic_input_desc_x(1));
  ge::op::Split split;
  split.create_dynamic_output_y(2, false);
  split.update_dynamic_output_desc_y(0, split.get_dynamic_output_desc_y(1));
  const ge::op::Conv2D copy = conv;
  Take(all, copy);
  Take(all, ge::op::ClassesTest("own").set_input_x(conv).set_attr_k(3));
}

std::string UseAttributes() {
  ge::op::Conv2D conv;
  conv.set_attr_strides({1, 1, 1, 1}).set_attr_pads({0}).set_attr_dilations({}).set_attr_groups(2);
  conv.set_attr_data_format("NCHW").set_attr_data_format(std::string("NCHW"));
  conv.set_attr_dilations([]() { return std::vector<int64_t>(); });
  ge::AscendString format;
  conv.get_attr_data_format(format);
  ge::op::Const constant;
  constant.set_attr_value(ge::Tensor());
  ge::op::Cast cast;
  cast.set_attr_dst_type(ge::DT_FLOAT16);
  ge::op::ClassesTest own;
  own.set_attr_names({"a", "b"}).set_attr_names(std::vector<ge::AscendString>());
  std::vector<ge::AscendString> names;
  own.get_attr_names(names);
  return conv.get_attr_data_format() + ge::op::Conv2D::name_in_x() + conv.name_out_y() +
         conv.name_attr_groups();
}

void UseSubgraphs() {
  ge::op::While loop;
  loop.set_subgraph_builder_cond([]() { return ge::Graph("cond"); });
  static_cast<void>(loop.get_subgraph_builder_body());
  static_cast<void>(loop.get_subgraph_cond());
  ge::op::Case choice;
  choice.create_dynamic_subgraph_branches(2).set_dynamic_subgraph_builder_branches(
      0, []() { return ge::Graph("branch"); });
  static_cast<void>(choice.get_dynamic_subgraph_branches(0));
  static_cast<void>(choice.get_dynamic_subgraph_builder_branches(0));
}

}  // namespace

int main() {
  std::vector<ge::Operator> all;
  UsePorts(all);
  UseSubgraphs();
  all.push_back(ge::op::NoOp());
  all.push_back(ge::op::ClassesTestWithoutPorts());
  for (const ge::Operator& op : all) {
    if (op.IsEmpty()) {
      return 1;
    }
  }
  return UseAttributes() == "NCHWxygroups" ? 0 : 1;
}
