// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "one_node.h"

#include "ops/op.h"

namespace bench {

using namespace foothold;

OneNode& OneNode::In(const std::string& port, TensorValue value) {
  Node& source = graph_.Make("Data", "source_of_" + port);
  source.AddOutput("y", PortKind::kRequired).desc = PortDesc(value.type());
  const int index = static_cast<int>(node_.inputs().size());
  node_.AddInput(port, PortKind::kRequired);
  node_.Connect(index, {&source, 0});
  inputs_.push_back(value.data());
  values_.push_back(std::move(value));
  return *this;
}

OneNode& OneNode::NoInput(const std::string& port) {
  node_.AddInput(port, PortKind::kOptional);
  inputs_.push_back(nullptr);
  return *this;
}

OneNode& OneNode::Attr(const std::string& name, Attribute value) {
  node_.attributes[name] = std::move(value);
  return *this;
}

void OneNode::Compile(const std::string& output) {
  node_.AddOutput(output, PortKind::kRequired);
  OpContext context(node_, std::vector<const TensorValue*>(inputs_.size(), nullptr));
  const OpDef* const op = FindOp(node_.type());
  op->infer()(context);
  kernel_ = op->lower()(context);
  for (const TensorValue& constant : context.added_constants()) {
    values_.push_back(constant);
    inputs_.push_back(constant.data());
  }
  output_ = TensorValue(TensorType(node_.outputs()[0].desc));
  result_ = output_.mutable_data();
  workspace_ = AllocateBytes(kernel_->WorkspaceBytes());
}

}  // namespace bench
