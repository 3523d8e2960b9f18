// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ge::Operator: making one, and its links.
#include <atomic>

#include "api/ge/attr_value_impl.h"
#include "api/ge/graph_guard.h"
#include "api/ge/graph_impl.h"
#include "api/ge/node_ports.h"

namespace ge {
namespace {

using foothold::Fail;
using foothold::GuardGraph;
using foothold::kInvalidParam;
using foothold::Node;
using foothold::NodeOf;
using foothold::OutputRef;

std::string Unique(const std::string& type) {
  static std::atomic<uint64_t> next{0};
  return type + "_" + std::to_string(next.fetch_add(1, std::memory_order_relaxed));
}

OperatorImplPtr MakeOperator(const char* name, const char* type) {
  return foothold::GuardGraphValue("Operator", [&] {
    if (type == nullptr || *type == '\0') Fail(kInvalidParam, "an operator needs a type");
    const bool named = name != nullptr && *name != '\0';
    auto impl = std::make_shared<OperatorImpl>();
    impl->node = foothold::NodeRef::Make(type, named ? name : Unique(type));
    foothold::FillFromPrototype(*impl->node);
    return impl;
  });
}

int IndexIn(Node& node, const foothold::Input& input) {
  return static_cast<int>(&input - node.inputs().data());
}

OutputRef FirstOutput(Node& source) {
  foothold::OutputAt(source, 0);
  return {&source, 0};
}

OutputRef NamedOutput(Node& source, const char* name) {
  const auto& output = foothold::OutputNamed(source, name);
  return {&source, static_cast<int>(&output - source.outputs().data())};
}

OutputRef OutputWithIndex(Node& source, uint32_t index) {
  foothold::OutputAt(source, index);
  return {&source, static_cast<int>(index)};
}

void Link(Node& node, const char* input, OutputRef source) {
  node.Connect(IndexIn(node, foothold::InputNamed(node, input)), source);
}

// Input `index` of the dynamic port `group`.
void LinkInstance(Node& node, const char* group, uint32_t index, OutputRef source) {
  const std::vector<int> instances = node.InputGroup(group == nullptr ? "" : group);
  if (index >= instances.size())
    Fail(kInvalidParam, "{} has {} instances of input '{}', so there is no instance {}", node.Description(),
         instances.size(), group == nullptr ? "" : group, index);
  node.Connect(instances[index], source);
}

}  // namespace

Operator::Operator(const char_t* type) : impl_(MakeOperator(nullptr, type)) {}
Operator::Operator(const AscendString& name, const AscendString& type)
    : impl_(MakeOperator(name.GetString(), type.GetString())) {}
Operator::Operator(const char_t* name, const char_t* type) : impl_(MakeOperator(name, type)) {}
Operator::Operator(OperatorImplPtr&& op_impl) : impl_(std::move(op_impl)) {}

bool Operator::IsEmpty() const {
  return impl_ == nullptr || !impl_->node;
}

graphStatus Operator::GetName(AscendString& name) const {
  return GuardGraph("Operator::GetName", [&] { name = foothold::ToPublic(NodeOf(*this).name()); });
}

graphStatus Operator::GetOpType(AscendString& type) const {
  return GuardGraph("Operator::GetOpType", [&] { type = foothold::ToPublic(NodeOf(*this).type()); });
}

Operator& Operator::SetInput(const char_t* dst_name, const Operator& src_oprt) {
  (void)GuardGraph("Operator::SetInput",
                   [&] { Link(NodeOf(*this), dst_name, FirstOutput(NodeOf(src_oprt))); });
  return *this;
}

Operator& Operator::SetInput(const char_t* dst_name, const Operator& src_oprt, const char_t* name) {
  (void)GuardGraph("Operator::SetInput",
                   [&] { Link(NodeOf(*this), dst_name, NamedOutput(NodeOf(src_oprt), name)); });
  return *this;
}

Operator& Operator::SetInput(const char_t* dst_name, const Operator& src_oprt, uint32_t index) {
  (void)GuardGraph("Operator::SetInput",
                   [&] { Link(NodeOf(*this), dst_name, OutputWithIndex(NodeOf(src_oprt), index)); });
  return *this;
}

Operator& Operator::SetInput(uint32_t dst_index, const Operator& src_oprt, uint32_t src_index) {
  (void)GuardGraph("Operator::SetInput", [&] {
    Node& node = NodeOf(*this);
    node.Connect(IndexIn(node, foothold::InputAt(node, dst_index)),
                 OutputWithIndex(NodeOf(src_oprt), src_index));
  });
  return *this;
}

Operator& Operator::SetInput(const char_t* dst_name, uint32_t dst_index, const Operator& src_oprt) {
  (void)GuardGraph("Operator::SetInput",
                   [&] { LinkInstance(NodeOf(*this), dst_name, dst_index, FirstOutput(NodeOf(src_oprt))); });
  return *this;
}

Operator& Operator::SetInput(const char_t* dst_name, uint32_t dst_index, const Operator& src_oprt,
                             const char_t* name) {
  (void)GuardGraph("Operator::SetInput", [&] {
    LinkInstance(NodeOf(*this), dst_name, dst_index, NamedOutput(NodeOf(src_oprt), name));
  });
  return *this;
}

Operator& Operator::AddControlInput(const Operator& src_oprt) {
  (void)GuardGraph("Operator::AddControlInput", [&] { NodeOf(*this).AddControlInput(NodeOf(src_oprt)); });
  return *this;
}

void Operator::BreakConnect() const {
  (void)GuardGraph("Operator::BreakConnect", [&] { NodeOf(*this).DisconnectAll(); });
}

}  // namespace ge
