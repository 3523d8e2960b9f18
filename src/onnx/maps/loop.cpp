// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <limits>

#include "onnx/mapping.h"
#include "onnx/maps/while_builder.h"

namespace foothold::onnx {
namespace {

OutputRef StepLimit(NodeImport& node) {
  if (node.Has(0)) return AsScalar(node.builder(), node.In(0));
  const std::int64_t none = std::numeric_limits<std::int64_t>::max();
  return node.builder().Const(TensorValue::Of<std::int64_t>(DataType::kInt64, {}, {&none, 1}));
}

OutputRef FirstCondition(NodeImport& node) {
  return node.Has(1) ? AsScalar(node.builder(), node.In(1)) : node.builder().Number(DataType::kBool, 1);
}

WhileBuilder::Form FormOf(const NodeImport& node, const ModelGraph& body) {
  const std::size_t in = body.inputs.size(), out = body.outputs.size();
  if (in < 2 || out + 1 < in || node.inputs() != static_cast<int>(in))
    node.Unsupported("it has {} inputs, its body {} inputs and {} outputs, which do not go together",
                     node.inputs(), in, out);
  return {in - 2, out + 1 - in, true};
}

// Loop(limit, condition, states...) gives (states..., lists...). Its body takes (step, condition, states...)
// and gives (condition, states..., elements...).
void MapLoop(NodeImport& node) {
  const ModelGraph& body = node.Body("body");
  const WhileBuilder::Form form = FormOf(node, body);
  WhileBuilder loop(node, body, form);
  loop.body().Bind(body.inputs[0].value, loop.step());
  loop.body().Bind(body.inputs[1].value, loop.condition());
  for (std::size_t i = 0; i < form.states; ++i)
    loop.CarryState(node.In(static_cast<int>(i) + 2), body.inputs[i + 2]);
  for (std::size_t i = 0; i < form.lists; ++i)
    loop.CarryList(body.outputs[1 + form.states + i].type);
  loop.ImportBody(1);
  const OutputRef next_condition = AsScalar(loop.inner(), loop.body().Find(body.outputs[0].value));
  const OutputRef limit = StepLimit(node), condition = FirstCondition(node);
  const OpBuilder op = loop.Finish(limit, condition, next_condition);
  for (int i = 0; i < node.outputs(); ++i)
    node.Out(i, op.Out(i + loop.FirstState()));
}

const RegisterMapping loop("Loop", MapLoop);

}  // namespace
}  // namespace foothold::onnx
