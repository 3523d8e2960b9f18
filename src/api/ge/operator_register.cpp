// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ge::Operator: what a class of operators calls to declare itself. For types with a prototype all of it is
// there already, and stays.
#include "api/ge/attr_value_impl.h"
#include "api/ge/graph_guard.h"
#include "api/ge/graph_impl.h"
#include "api/ge/node_ports.h"
#include "api/ge/types_impl.h"
#include "api/status.h"
#include "base/first_time.h"

namespace ge {
namespace {

using foothold::Fail;
using foothold::GuardGraph;
using foothold::kInvalidParam;
using foothold::Node;
using foothold::NodeOf;
using foothold::PortKind;

std::string Name(const char* name) {
  if (name == nullptr || *name == '\0') Fail(kInvalidParam, "a declaration needs a name");
  return name;
}

void DeclareInput(Operator& op, const char* name, PortKind kind) {
  (void)GuardGraph("Operator::InputRegister", [&] {
    if (NodeOf(op).InputIndex(Name(name)) < 0) NodeOf(op).AddInput(name, kind);
  });
}

template <typename Public>
void DeclareAttribute(Operator& op, const char* name, const Public& value) {
  (void)GuardGraph("Operator::AttrRegister", [&] {
    foothold::Attribute attribute = foothold::ToAttribute(value);
    OperatorImpl::Of(op)->declared.emplace(Name(name), attribute);
    NodeOf(op).attributes.emplace(name, std::move(attribute));
  });
}

}  // namespace

void Operator::InputRegister(const char_t* name) {
  DeclareInput(*this, name, PortKind::kRequired);
}

// Types are checked against the prototype when a graph is compiled, so symbols need not be kept here.
void Operator::InputRegister(const char_t* name, const char_t*) {
  InputRegister(name);
}

void Operator::OptionalInputRegister(const char_t* name) {
  DeclareInput(*this, name, PortKind::kOptional);
}

void Operator::OptionalInputRegister(const char_t* name, const char_t*) {
  OptionalInputRegister(name);
}

void Operator::OutputRegister(const char_t* name) {
  (void)GuardGraph("Operator::OutputRegister", [&] {
    if (NodeOf(*this).OutputIndex(Name(name)) < 0) NodeOf(*this).AddOutput(name, PortKind::kRequired);
  });
}

void Operator::OutputRegister(const char_t* name, const char_t*) {
  OutputRegister(name);
}

void Operator::DynamicInputRegister(const char_t* name, const uint32_t num, bool is_push_back) {
  (void)GuardGraph("Operator::DynamicInputRegister", [&] {
    foothold::AddInputInstances(NodeOf(*this), Name(name), num, is_push_back ? -1 : 0);
    impl_->dynamic_inputs.insert(name);
  });
}

void Operator::DynamicInputRegister(const char_t* name, const uint32_t num, const char_t*,
                                    bool is_push_back) {
  DynamicInputRegister(name, num, is_push_back);
}

void Operator::DynamicInputRegisterByIndex(const char_t* name, const uint32_t num, size_t index) {
  (void)GuardGraph("Operator::DynamicInputRegisterByIndex", [&] {
    Node& node = NodeOf(*this);
    if (index > node.inputs().size())
      Fail(kInvalidParam, "{} has {} inputs, so there is no position {}", node.Description(),
           node.inputs().size(), index);
    foothold::AddInputInstances(node, Name(name), num, static_cast<int>(index));
    impl_->dynamic_inputs.insert(name);
  });
}

void Operator::DynamicOutputRegister(const char_t* name, const uint32_t num, bool is_push_back) {
  (void)GuardGraph("Operator::DynamicOutputRegister", [&] {
    foothold::AddOutputInstances(NodeOf(*this), Name(name), num, is_push_back ? -1 : 0);
    impl_->dynamic_outputs.insert(name);
  });
}

void Operator::DynamicOutputRegister(const char_t* name, const uint32_t num, const char_t*,
                                     bool is_push_back) {
  DynamicOutputRegister(name, num, is_push_back);
}

void Operator::RequiredAttrRegister(const char_t* name) {
  (void)GuardGraph("Operator::RequiredAttrRegister", [&] {
    impl_->declared.emplace(Name(name), foothold::Attribute());
    NodeOf(*this).attributes.emplace(name, foothold::Attribute());
  });
}

void Operator::RequiredAttrWithTypeRegister(const char_t* name, const char_t*) {
  RequiredAttrRegister(name);
}

void Operator::AttrRegister(const char_t* name, const AttrValue& attr_value) {
  DeclareAttribute(*this, name, attr_value);
}

#define FOOTHOLD_DECLARE(...)                                          \
  void Operator::AttrRegister(const char_t* name, __VA_ARGS__ value) { \
    DeclareAttribute(*this, name, value);                              \
  }

FOOTHOLD_DECLARE(int64_t)
FOOTHOLD_DECLARE(float32_t)
FOOTHOLD_DECLARE(bool)
FOOTHOLD_DECLARE(const char_t*)
FOOTHOLD_DECLARE(const AscendString&)
FOOTHOLD_DECLARE(const Tensor&)
FOOTHOLD_DECLARE(const OpBytes&)
FOOTHOLD_DECLARE(const ge::DataType&)
FOOTHOLD_DECLARE(const ge::NamedAttrs&)
FOOTHOLD_DECLARE(const std::vector<int64_t>&)
FOOTHOLD_DECLARE(const std::vector<float32_t>&)
FOOTHOLD_DECLARE(const std::vector<bool>&)
FOOTHOLD_DECLARE(const std::vector<AscendString>&)
FOOTHOLD_DECLARE(const std::vector<Tensor>&)
FOOTHOLD_DECLARE(const std::vector<ge::DataType>&)
FOOTHOLD_DECLARE(const std::vector<ge::NamedAttrs>&)
FOOTHOLD_DECLARE(const std::vector<std::vector<int64_t>>&)

FOOTHOLD_WITHOUT_EFFECT(Operator::DataTypeRegister);
void Operator::DataTypeRegister(const char_t*, const TensorType&) {}
void Operator::DataTypeRegister(const char_t*, const ListTensorType&) {}
void Operator::DataTypeRegister(const char_t*, const Promote&) {}

void Operator::InferFuncRegister(const std::function<graphStatus(Operator&)>& func) {
  (void)GuardGraph("Operator::InferFuncRegister", [&] { (void)NodeOf(*this), impl_->infer = func; });
}

void Operator::VerifierFuncRegister(const std::function<graphStatus(Operator&)>& func) {
  (void)GuardGraph("Operator::VerifierFuncRegister", [&] { (void)NodeOf(*this), impl_->verify = func; });
}

FOOTHOLD_WITHOUT_EFFECT(Operator::InferFormatFuncRegister);
void Operator::InferFormatFuncRegister(const std::function<graphStatus(Operator&)>& func) {
  (void)GuardGraph("Operator::InferFormatFuncRegister", [&] {
    (void)NodeOf(*this), impl_->infer_format = func;
    foothold::WarnOnce("Operator::InferFormatFuncRegister",
                       "the function given to Operator::InferFormatFuncRegister is never called");
  });
}

}  // namespace ge
