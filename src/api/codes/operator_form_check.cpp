// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// The form of operators as the library knows it is that of the public header.
#include "custom_ops/operator_form.h"
#include "foothold/operator.h"

namespace foothold::custom {

#define SAME(ours, theirs, member)                                    \
  static_assert(offsetof(ours, member) == offsetof(theirs, member) && \
                sizeof(ours::member) == sizeof(theirs::member))

SAME(Tensor, FootholdTensor, data_type);
SAME(Tensor, FootholdTensor, format);
SAME(Tensor, FootholdTensor, dims);
SAME(Tensor, FootholdTensor, rank);
SAME(Tensor, FootholdTensor, data);
SAME(NodeView, FootholdNode, name);
SAME(NodeView, FootholdNode, type);
SAME(NodeView, FootholdNode, inputs);
SAME(NodeView, FootholdNode, input_count);
SAME(NodeView, FootholdNode, outputs);
SAME(NodeView, FootholdNode, output_count);
SAME(NodeView, FootholdNode, get_int);
SAME(NodeView, FootholdNode, get_float);
SAME(NodeView, FootholdNode, get_string);
SAME(NodeView, FootholdNode, get_ints);
SAME(NodeView, FootholdNode, get_floats);
SAME(NodeView, FootholdNode, set_output);
SAME(NodeView, FootholdNode, fail);
SAME(NodeView, FootholdNode, library);
SAME(Block, FootholdBlock, index);
SAME(Block, FootholdBlock, count);
SAME(Block, FootholdBlock, args_size);
SAME(Block, FootholdBlock, local);
SAME(Block, FootholdBlock, local_size);
SAME(Block, FootholdBlock, fail);
SAME(Block, FootholdBlock, library);
SAME(Call, FootholdCall, node);
SAME(Call, FootholdCall, inputs);
SAME(Call, FootholdCall, outputs);
SAME(Call, FootholdCall, workspace);
SAME(Call, FootholdCall, workspace_size);
SAME(Plan, FootholdPlan, blocks);
SAME(Plan, FootholdPlan, workspace_size);
SAME(Port, FootholdPort, name);
SAME(Port, FootholdPort, kind);
SAME(Port, FootholdPort, types);
SAME(Port, FootholdPort, type_count);
SAME(Attribute, FootholdAttribute, name);
SAME(Attribute, FootholdAttribute, kind);
SAME(Attribute, FootholdAttribute, required);
SAME(Attribute, FootholdAttribute, int_default);
SAME(Attribute, FootholdAttribute, float_default);
SAME(Attribute, FootholdAttribute, string_default);
SAME(Attribute, FootholdAttribute, ints_default);
SAME(Attribute, FootholdAttribute, floats_default);
SAME(Attribute, FootholdAttribute, default_count);
SAME(Operator, FootholdOperator, type);
SAME(Operator, FootholdOperator, inputs);
SAME(Operator, FootholdOperator, input_count);
SAME(Operator, FootholdOperator, outputs);
SAME(Operator, FootholdOperator, output_count);
SAME(Operator, FootholdOperator, attributes);
SAME(Operator, FootholdOperator, attribute_count);
SAME(Operator, FootholdOperator, infer);
SAME(Operator, FootholdOperator, kernel);
SAME(Operator, FootholdOperator, plan);
static_assert(sizeof(Tensor) == sizeof(FootholdTensor) && sizeof(NodeView) == sizeof(FootholdNode));
static_assert(sizeof(Block) == sizeof(FootholdBlock) && sizeof(Call) == sizeof(FootholdCall));
static_assert(sizeof(Plan) == sizeof(FootholdPlan) && sizeof(Port) == sizeof(FootholdPort));
static_assert(sizeof(Attribute) == sizeof(FootholdAttribute) && sizeof(Operator) == sizeof(FootholdOperator));
static_assert(kVersion == FOOTHOLD_OPERATOR_VERSION);
static_assert(int{kRequired} == int{FOOTHOLD_REQUIRED} && int{kOptional} == int{FOOTHOLD_OPTIONAL} &&
              int{kList} == int{FOOTHOLD_LIST});
static_assert(int{kInt} == int{FOOTHOLD_INT} && int{kFloat} == int{FOOTHOLD_FLOAT} &&
              int{kString} == int{FOOTHOLD_STRING} && int{kBool} == int{FOOTHOLD_BOOL} &&
              int{kInts} == int{FOOTHOLD_INTS} && int{kFloats} == int{FOOTHOLD_FLOATS});
static_assert(kDone == FOOTHOLD_DONE && kFailed == FOOTHOLD_FAILED);

}  // namespace foothold::custom
