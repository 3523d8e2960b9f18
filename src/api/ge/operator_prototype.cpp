// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <array>
#include <string_view>
#include <utility>

#include "api/ge/attr_value_impl.h"
#include "api/ge/graph_guard.h"
#include "api/ge/types_impl.h"
#include "graph/operator_prototype.h"
#include "prototypes/prototype.h"

namespace ge {

// `complete` is false once something could not be noted; such an operator is not registered.
struct OperatorPrototypeImpl {
  foothold::Prototype prototype;
  bool complete = true;
};

}  // namespace ge

namespace foothold {
namespace {

constexpr std::array<std::pair<std::string_view, PrototypeAttributeType>, 14> kTypeNames = {{
    {"Int", PrototypeAttributeType::kInt},
    {"Float", PrototypeAttributeType::kFloat},
    {"String", PrototypeAttributeType::kString},
    {"Bool", PrototypeAttributeType::kBool},
    {"Tensor", PrototypeAttributeType::kTensor},
    {"Type", PrototypeAttributeType::kType},
    {"Bytes", PrototypeAttributeType::kBytes},
    {"ListInt", PrototypeAttributeType::kListInt},
    {"ListFloat", PrototypeAttributeType::kListFloat},
    {"ListString", PrototypeAttributeType::kListString},
    {"ListBool", PrototypeAttributeType::kListBool},
    {"ListType", PrototypeAttributeType::kListType},
    {"ListTensor", PrototypeAttributeType::kListTensor},
    {"ListListInt", PrototypeAttributeType::kListListInt},
}};

PrototypeAttributeType TypeNamed(std::string_view name) {
  for (const auto& [known, type] : kTypeNames) {
    if (known == name) return type;
  }
  Fail(kInvalidParam, "'{}' is no type of an attribute", name);
}

PrototypeAttributeType TypeOf(const Attribute& value) {
  for (const auto& [name, type] : kTypeNames) {
    if (AttributeTypeName(type) == AttributeKind(value)) return type;
  }
  Fail(kInternalError, "attributes of kind {} cannot be declared", AttributeKind(value));
}

// "\"T\"" is the symbol T; anything else is an expression that nobody evaluates.
std::string SymbolIn(std::string_view types) {
  const bool quoted = types.size() > 2 && types.front() == '"' && types.back() == '"';
  return quoted ? std::string(types.substr(1, types.size() - 2)) : std::string();
}

PrototypePort Port(const char* name, PortKind kind, const char* types) {
  return {name, kind, DataTypeSet(), SymbolIn(types)};
}

DataTypeSet TypesIn(const ge::TensorType& types) {
  std::uint64_t bits = 0;
  if (types.tensor_type_impl_ != nullptr) {
    for (const ge::DataType type : types.tensor_type_impl_->types)
      bits |= std::uint64_t{1} << type;
  }
  return DataTypeSet(bits);
}

template <typename Body>
void Note(const std::shared_ptr<ge::OperatorPrototypeImpl>& impl, Body&& body) {
  if (impl == nullptr) return;
  const auto status = GuardGraph("REG_OP", [&] { body(impl->prototype); });
  impl->complete = impl->complete && status == ge::GRAPH_SUCCESS;
}

template <typename Value>
void NoteAttribute(const std::shared_ptr<ge::OperatorPrototypeImpl>& impl, const char* name,
                   const Value& value) {
  Note(impl, [&](Prototype& prototype) {
    Attribute held = ToAttribute(value);
    const auto type = TypeOf(held);
    prototype.attributes.push_back({name, type, false, std::move(held)});
  });
}

}  // namespace
}  // namespace foothold

namespace ge {

using foothold::Note;
using foothold::NoteAttribute;
using foothold::PortKind;
using foothold::Prototype;

OperatorPrototype::OperatorPrototype(const char* type) {
  (void)foothold::GuardGraph("REG_OP", [&] {
    impl_ = std::make_shared<OperatorPrototypeImpl>();
    impl_->prototype.type = type;
  });
}

void OperatorPrototype::AddInput(const char* name, const char* types) {
  Note(impl_, [&](Prototype& p) { p.inputs.push_back(foothold::Port(name, PortKind::kRequired, types)); });
}

void OperatorPrototype::AddOptionalInput(const char* name, const char* types) {
  Note(impl_, [&](Prototype& p) { p.inputs.push_back(foothold::Port(name, PortKind::kOptional, types)); });
}

void OperatorPrototype::AddDynamicInput(const char* name, const char* types) {
  Note(impl_, [&](Prototype& p) { p.inputs.push_back(foothold::Port(name, PortKind::kDynamic, types)); });
}

void OperatorPrototype::AddOutput(const char* name, const char* types) {
  Note(impl_, [&](Prototype& p) { p.outputs.push_back(foothold::Port(name, PortKind::kRequired, types)); });
}

void OperatorPrototype::AddDynamicOutput(const char* name, const char* types) {
  Note(impl_, [&](Prototype& p) { p.outputs.push_back(foothold::Port(name, PortKind::kDynamic, types)); });
}

void OperatorPrototype::AddGraph(const char* name) {
  Note(impl_, [&](Prototype& p) { p.subgraphs.push_back({name, false}); });
}

void OperatorPrototype::AddDynamicGraph(const char* name) {
  Note(impl_, [&](Prototype& p) { p.subgraphs.push_back({name, true}); });
}

void OperatorPrototype::AddSymbol(const char* symbol, const TensorType& types) {
  Note(impl_, [&](Prototype& p) { p.symbols.push_back({symbol, foothold::TypesIn(types), {}}); });
}

void OperatorPrototype::AddSymbol(const char* symbol, const ListTensorType& types) {
  AddSymbol(symbol, types.tensor_type);
}

void OperatorPrototype::AddSymbol(const char* symbol, const Promote& rule) {
  Note(impl_, [&](Prototype& p) {
    const std::vector<const char*> symbols = rule.Syms();
    p.symbols.push_back({symbol, foothold::DataTypeSet(), {symbols.begin(), symbols.end()}});
  });
}

void OperatorPrototype::AddRequiredAttr(const char* name, const char* type) {
  Note(impl_, [&](Prototype& p) {
    p.attributes.push_back({name, foothold::TypeNamed(type), true, foothold::Attribute()});
  });
}

void OperatorPrototype::AddAttr(const char* name, int64_t value) {
  NoteAttribute(impl_, name, value);
}

void OperatorPrototype::AddAttr(const char* name, float value) {
  NoteAttribute(impl_, name, value);
}

void OperatorPrototype::AddAttr(const char* name, bool value) {
  NoteAttribute(impl_, name, value);
}

void OperatorPrototype::AddAttr(const char* name, DataType value) {
  NoteAttribute(impl_, name, value);
}

void OperatorPrototype::AddAttr(const char* name, const AscendString& value) {
  NoteAttribute(impl_, name, value);
}

void OperatorPrototype::AddAttr(const char* name, const Tensor& value) {
  NoteAttribute(impl_, name, value);
}

void OperatorPrototype::AddAttr(const char* name, const std::vector<uint8_t>& value) {
  NoteAttribute(impl_, name, value);
}

void OperatorPrototype::AddAttr(const char* name, const std::vector<int64_t>& value) {
  NoteAttribute(impl_, name, value);
}

void OperatorPrototype::AddAttr(const char* name, const std::vector<float>& value) {
  NoteAttribute(impl_, name, value);
}

void OperatorPrototype::AddAttr(const char* name, const std::vector<bool>& value) {
  NoteAttribute(impl_, name, value);
}

void OperatorPrototype::AddAttr(const char* name, const std::vector<DataType>& value) {
  NoteAttribute(impl_, name, value);
}

void OperatorPrototype::AddAttr(const char* name, const std::vector<AscendString>& value) {
  NoteAttribute(impl_, name, value);
}

void OperatorPrototype::AddAttr(const char* name, const std::vector<Tensor>& value) {
  NoteAttribute(impl_, name, value);
}

void OperatorPrototype::AddAttr(const char* name, const std::vector<std::vector<int64_t>>& value) {
  NoteAttribute(impl_, name, value);
}

void OperatorPrototype::Register() {
  if (impl_ == nullptr || !impl_->complete) return;
  (void)foothold::GuardGraph("REG_OP", [&] { foothold::RegisterPrototype(impl_->prototype); });
}

}  // namespace ge
