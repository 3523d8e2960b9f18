// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ops/evaluate.h"

#include <cstring>

#include "base/error.h"
#include "ops/op.h"

namespace foothold {
namespace {

const OpDef& OpOf(const Node& node) {
  const OpDef* op = FindOp(node.type());
  if (op == nullptr)
    Fail(kFeatureUnsupported, "{}: there is no kernel for this operator", node.Description());
  return *op;
}

// Nodes from files may have another number of outputs.
std::vector<TensorValue> Evaluated(const OpDef& op, const OpContext& context) {
  std::vector<TensorValue> outputs = op.evaluate()(context);
  if (outputs.size() != context.node().outputs().size())
    Fail(kInvalidParam, "{} has {} outputs, expected {}", context.node().Description(), context.outputs(),
         outputs.size());
  return outputs;
}

void RunViews(const OpDef& op, const std::vector<const TensorValue*>& inputs,
              std::vector<TensorValue>& outputs) {
  for (const auto [input, output] : op.views()) {
    const TensorValue* from = inputs.at(static_cast<std::size_t>(input));
    TensorValue& to = outputs.at(static_cast<std::size_t>(output));
    if (to.size() > 0) std::memcpy(to.mutable_data(), from->data(), to.size());
  }
}

}  // namespace

std::vector<TensorValue> EvaluateNode(Node& node, const std::vector<const TensorValue*>& inputs) {
  const OpDef& op = OpOf(node);
  OpContext context(node, inputs);
  if (op.evaluate()) {
    std::vector<TensorValue> outputs = Evaluated(op, context);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      context.SetOut(static_cast<int>(i), outputs[i].type());
    return outputs;
  }
  op.infer()(context);
  std::vector<TensorValue> outputs;
  for (const Output& output : node.outputs())
    outputs.emplace_back(TensorType(output.desc));
  if (!op.lower()) {
    RunViews(op, inputs, outputs);
    return outputs;
  }
  const auto kernel = op.lower()(context);
  std::vector<const std::byte*> in;
  std::vector<std::byte*> out;
  for (const TensorValue* value : inputs)
    in.push_back(value == nullptr ? nullptr : value->data());
  for (const TensorValue& constant : context.added_constants())
    in.push_back(constant.data());
  for (TensorValue& value : outputs)
    out.push_back(value.mutable_data());
  const SharedBytes workspace = AllocateBytes(kernel->WorkspaceBytes());
  kernel->Run({in.data(), out.data(), workspace.get()});
  return outputs;
}

std::vector<TensorValue> EvaluateByData(Node& node, const std::vector<const TensorValue*>& inputs) {
  const OpDef& op = OpOf(node);
  FOOTHOLD_CHECK(op.evaluate());
  return Evaluated(op, OpContext(node, inputs));
}

}  // namespace foothold
