// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "node_run.h"

#include "ops/float_type.h"
#include "ops/strided_view.h"
#include "ops/through_float.h"

namespace bench {

using foothold::DataType;
using foothold::PortKind;
using foothold::TensorType;
using foothold::TensorValue;

namespace {

TensorValue Converted(DataType type, const std::vector<float>& values) {
  TensorValue made(TensorType{type, foothold::Format::kNd, {static_cast<std::int64_t>(values.size())}});
  const auto element =
      type == DataType::kFloat ? foothold::ElementType::kFloat : foothold::ElementType::kFloat16;
  foothold::StoreFloats(element, values.data(), made.mutable_data(), values.size());
  return made;
}

}  // namespace

NodeRun& NodeRun::In(const std::string& port, DataType type, const foothold::Dims& dims,
                     const std::vector<float>& values, const std::vector<std::int64_t>& strides) {
  TensorValue value = Converted(type, values);
  if (strides.empty())
    value.set_type(TensorType{type, foothold::Format::kNd, dims});
  else
    Attr(foothold::ViewAttribute(port), foothold::ViewNumbers(dims, strides));
  foothold::Node& source = graph_.Make("Data", "source_of_" + port);
  source.AddOutput("y", PortKind::kRequired).desc = foothold::PortDesc(value.type());
  node_.AddInput(port, PortKind::kRequired, port);
  node_.Connect(static_cast<int>(inputs_.size()), {&source, 0});
  inputs_.push_back(std::move(value));
  return *this;
}

NodeRun& NodeRun::Attr(const std::string& name, foothold::Attribute value) {
  node_.attributes[name] = std::move(value);
  return *this;
}

NodeRun& NodeRun::Out(const std::string& port) {
  node_.AddOutput(port, PortKind::kRequired, port);
  return *this;
}

void NodeRun::Lower() {
  const foothold::OpDef* op = foothold::FindOp(node_.type());
  foothold::OpContext context(node_, std::vector<const TensorValue*>(inputs_.size()));
  op->infer()(context);
  kernel_ = op->lower()(context);
  workspace_ = foothold::AllocateBytes(kernel_->WorkspaceBytes());
  for (const foothold::Output& output : node_.outputs())
    outputs_.emplace_back(TensorType(output.desc));
  for (const TensorValue& input : inputs_)
    in_.push_back(input.data());
  for (TensorValue& output : outputs_)
    out_.push_back(output.mutable_data());
}

void NodeRun::Run() const {
  kernel_->Run({in_.data(), out_.data(), workspace_.get()});
}

std::vector<float> NodeRun::Output() const {
  const TensorValue floats = foothold::AsFloats(outputs_.front());
  const auto count = static_cast<std::size_t>(foothold::ElementCount(floats.dims()));
  return {floats.As<float>(), floats.As<float>() + count};
}

}  // namespace bench
