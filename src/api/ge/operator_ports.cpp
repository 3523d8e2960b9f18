// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ge::Operator: descriptions of ports, and what is derived from them.
#include "api/ge/graph_guard.h"
#include "api/ge/graph_impl.h"
#include "api/ge/node_ports.h"
#include "api/ge/tensor_impl.h"
#include "ops/op.h"
#include "prototypes/prototype.h"
#include "prototypes/user_functions.h"

namespace ge {
namespace {

using foothold::Fail;
using foothold::FromPublic;
using foothold::GuardGraph;
using foothold::GuardGraphValue;
using foothold::kInvalidParam;
using foothold::Node;
using foothold::NodeOf;
using foothold::PortDesc;
using foothold::ToPublic;

int Instance(const Node& node, const std::vector<int>& instances, const char* group, uint32_t index) {
  if (index >= instances.size())
    Fail(kInvalidParam, "{} has {} instances of '{}', so there is no instance {}", node.Description(),
         instances.size(), group == nullptr ? "" : group, index);
  return instances[index];
}

foothold::Input& InputInstance(Node& node, const char* group, uint32_t index) {
  return node.inputs()[Instance(node, node.InputGroup(group == nullptr ? "" : group), group, index)];
}

foothold::Output& OutputInstance(Node& node, const char* group, uint32_t index) {
  return node.outputs()[Instance(node, node.OutputGroup(group == nullptr ? "" : group), group, index)];
}

void RunInference(Node& node) {
  const auto registered = foothold::FindUserFunction(node.type(), foothold::UserFunctionKind::kInferShape);
  if (registered) return registered(node);
  const foothold::OpDef* known = foothold::FindOp(node.type());
  if (known == nullptr || !known->infer())
    Fail(foothold::kFeatureUnsupported, "{} has no function that infers shapes", node.Description());
  std::vector<const foothold::TensorValue*> values;
  for (const foothold::Input& input : node.inputs())
    values.push_back(foothold::ConstantAt(input));
  foothold::OpContext context(node, std::move(values));
  known->infer()(context);
}

}  // namespace

graphStatus Operator::GetInputConstData(const char_t* dst_name, Tensor& data) const {
  return GuardGraph("Operator::GetInputConstData", [&] {
    Node& node = NodeOf(*this);
    const foothold::TensorValue* value = foothold::ConstantAt(foothold::InputNamed(node, dst_name));
    if (value == nullptr)
      Fail(kInvalidParam, "input '{}' of {} is not a constant", dst_name, node.Description());
    data = ToPublic(*value);
  });
}

TensorDesc Operator::GetInputDescByName(const char_t* name) const {
  return GuardGraphValue("Operator::GetInputDescByName",
                         [&] { return ToPublic(InputDesc(foothold::InputNamed(NodeOf(*this), name))); });
}

TensorDesc Operator::GetInputDesc(uint32_t index) const {
  return GuardGraphValue("Operator::GetInputDesc",
                         [&] { return ToPublic(InputDesc(foothold::InputAt(NodeOf(*this), index))); });
}

graphStatus Operator::TryGetInputDesc(const char_t* name, TensorDesc& tensor_desc) const {
  // An input that is not there is an answer here, not a mistake.
  const Node* node = impl_ == nullptr ? nullptr : impl_->node.get();
  const int index = node == nullptr || name == nullptr ? -1 : node->InputIndex(name);
  if (index < 0) return GRAPH_FAILED;
  const foothold::Input& input = node->inputs()[static_cast<size_t>(index)];
  if (input.kind == foothold::PortKind::kOptional && !input.source && !input.desc.set) return GRAPH_FAILED;
  return GuardGraph("Operator::TryGetInputDesc", [&] { tensor_desc = ToPublic(foothold::InputDesc(input)); });
}

graphStatus Operator::UpdateInputDesc(const char_t* name, const TensorDesc& tensor_desc) {
  return GuardGraph("Operator::UpdateInputDesc", [&] {
    foothold::UpdateDesc(foothold::InputNamed(NodeOf(*this), name).desc, FromPublic(tensor_desc));
  });
}

graphStatus Operator::UpdateInputDesc(const uint32_t index, const TensorDesc& tensor_desc) {
  return GuardGraph("Operator::UpdateInputDesc", [&] {
    foothold::UpdateDesc(foothold::InputAt(NodeOf(*this), index).desc, FromPublic(tensor_desc));
  });
}

TensorDesc Operator::GetOutputDescByName(const char_t* name) const {
  return GuardGraphValue("Operator::GetOutputDescByName",
                         [&] { return ToPublic(foothold::OutputNamed(NodeOf(*this), name).desc); });
}

TensorDesc Operator::GetOutputDesc(uint32_t index) const {
  return GuardGraphValue("Operator::GetOutputDesc",
                         [&] { return ToPublic(foothold::OutputAt(NodeOf(*this), index).desc); });
}

graphStatus Operator::UpdateOutputDesc(const char_t* name, const TensorDesc& tensor_desc) {
  return GuardGraph("Operator::UpdateOutputDesc", [&] {
    foothold::UpdateDesc(foothold::OutputNamed(NodeOf(*this), name).desc, FromPublic(tensor_desc));
  });
}

graphStatus Operator::UpdateOutputDesc(const uint32_t index, const TensorDesc& tensor_desc) {
  return GuardGraph("Operator::UpdateOutputDesc", [&] {
    foothold::UpdateDesc(foothold::OutputAt(NodeOf(*this), index).desc, FromPublic(tensor_desc));
  });
}

size_t Operator::GetInputsSize() const {
  return IsEmpty() ? 0 : impl_->node->inputs().size();
}

size_t Operator::GetOutputsSize() const {
  return IsEmpty() ? 0 : impl_->node->outputs().size();
}

int32_t Operator::GetDynamicInputNum(const char_t* name) const {
  if (IsEmpty() || name == nullptr) return -1;
  const foothold::Prototype* prototype = foothold::FindPrototype(impl_->node->type());
  const foothold::PrototypePort* port = prototype == nullptr ? nullptr : prototype->Input(name);
  const size_t count = impl_->node->InputGroup(name).size();
  const bool declared = (port != nullptr && port->kind == foothold::PortKind::kDynamic) ||
                        impl_->dynamic_inputs.count(name) != 0;
  return declared || count > 0 ? static_cast<int32_t>(count) : -1;
}

int32_t Operator::GetDynamicOutputNum(const char_t* name) const {
  if (IsEmpty() || name == nullptr) return 0;
  return static_cast<int32_t>(impl_->node->OutputGroup(name).size());
}

TensorDesc Operator::GetDynamicInputDesc(const char_t* name, uint32_t index) const {
  return GuardGraphValue("Operator::GetDynamicInputDesc",
                         [&] { return ToPublic(InputDesc(InputInstance(NodeOf(*this), name, index))); });
}

graphStatus Operator::UpdateDynamicInputDesc(const char_t* name, uint32_t index,
                                             const TensorDesc& tensor_desc) {
  return GuardGraph("Operator::UpdateDynamicInputDesc", [&] {
    foothold::UpdateDesc(InputInstance(NodeOf(*this), name, index).desc, FromPublic(tensor_desc));
  });
}

TensorDesc Operator::GetDynamicOutputDesc(const char_t* name, uint32_t index) const {
  return GuardGraphValue("Operator::GetDynamicOutputDesc",
                         [&] { return ToPublic(OutputInstance(NodeOf(*this), name, index).desc); });
}

graphStatus Operator::UpdateDynamicOutputDesc(const char_t* name, uint32_t index,
                                              const TensorDesc& tensor_desc) {
  return GuardGraph("Operator::UpdateDynamicOutputDesc", [&] {
    foothold::UpdateDesc(OutputInstance(NodeOf(*this), name, index).desc, FromPublic(tensor_desc));
  });
}

graphStatus Operator::InferShapeAndType() {
  return GuardGraph("Operator::InferShapeAndType", [&]() -> graphStatus {
    Node& node = NodeOf(*this);
    if (impl_->infer) return impl_->infer(*this);
    RunInference(node);
    return GRAPH_SUCCESS;
  });
}

void Operator::SetInferenceContext(const InferenceContextPtr& inference_context) {
  if (impl_ != nullptr) impl_->inference_context = inference_context;
}

InferenceContextPtr Operator::GetInferenceContext() const {
  return impl_ == nullptr ? nullptr : impl_->inference_context;
}

graphStatus Operator::VerifyAllAttr(bool disable_common_verifier) {
  return GuardGraph("Operator::VerifyAllAttr", [&]() -> graphStatus {
    Node& node = NodeOf(*this);
    for (const auto& [name, value] : node.attributes)
      if (!disable_common_verifier && std::holds_alternative<std::monostate>(value))
        Fail(kInvalidParam, "{} needs attribute '{}', which is not set", node.Description(), name);
    if (impl_->verify) return impl_->verify(*this);
    const auto verify = foothold::FindUserFunction(node.type(), foothold::UserFunctionKind::kVerify);
    if (verify) verify(node);
    return GRAPH_SUCCESS;
  });
}

graphStatus Operator::VerifyAll() {
  return VerifyAllAttr();
}

}  // namespace ge
