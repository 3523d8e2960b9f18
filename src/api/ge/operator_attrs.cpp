// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// ge::Operator: attributes of the operator and of its ports.
#include "api/ge/attr_value_impl.h"
#include "api/ge/graph_guard.h"
#include "api/ge/graph_impl.h"
#include "api/ge/node_ports.h"
#include "prototypes/prototype.h"

namespace ge {
namespace {

using foothold::Fail;
using foothold::GuardGraph;
using foothold::kInvalidParam;
using foothold::Node;
using foothold::NodeOf;

const char* Checked(const char* name) {
  if (name == nullptr) Fail(kInvalidParam, "the name of the attribute is null");
  return name;
}

template <typename Public>
void Set(Operator& op, const char* name, const Public& value) {
  (void)GuardGraph("Operator::SetAttr",
                   [&] { foothold::SetAttribute(NodeOf(op), Checked(name), foothold::ToAttribute(value)); });
}

template <typename Public>
graphStatus Get(const Operator& op, const char* name, Public& value) {
  return GuardGraph("Operator::GetAttr", [&] {
    foothold::FromAttribute(foothold::GetAttribute(NodeOf(op), Checked(name)), value, name);
  });
}

foothold::PortDesc& InputDescOf(Node& node, int32_t index) {
  return foothold::InputAt(node, index).desc;
}
foothold::PortDesc& InputDescOf(Node& node, const char* name) {
  return foothold::InputNamed(node, name).desc;
}
foothold::PortDesc& OutputDescOf(Node& node, int32_t index) {
  return foothold::OutputAt(node, index).desc;
}
foothold::PortDesc& OutputDescOf(Node& node, const char* name) {
  return foothold::OutputNamed(node, name).desc;
}

template <typename Port, typename Public>
void SetOfInput(Operator& op, Port port, const char* name, const Public& value) {
  (void)GuardGraph("Operator::SetInputAttr", [&] {
    Node& node = NodeOf(op);
    foothold::SetAttribute(InputDescOf(node, port).EditDetails().attributes, Checked(name),
                           foothold::ToAttribute(value), "an input of " + node.Description());
  });
}

template <typename Port, typename Public>
graphStatus GetOfInput(const Operator& op, Port port, const char* name, Public& value) {
  return GuardGraph("Operator::GetInputAttr", [&] {
    Node& node = NodeOf(op);
    foothold::FromAttribute(foothold::GetAttribute(InputDescOf(node, port).details().attributes,
                                                   Checked(name), "an input of " + node.Description()),
                            value, name);
  });
}

template <typename Port, typename Public>
void SetOfOutput(Operator& op, Port port, const char* name, const Public& value) {
  (void)GuardGraph("Operator::SetOutputAttr", [&] {
    Node& node = NodeOf(op);
    foothold::SetAttribute(OutputDescOf(node, port).EditDetails().attributes, Checked(name),
                           foothold::ToAttribute(value), "an output of " + node.Description());
  });
}

template <typename Port, typename Public>
graphStatus GetOfOutput(const Operator& op, Port port, const char* name, Public& value) {
  return GuardGraph("Operator::GetOutputAttr", [&] {
    Node& node = NodeOf(op);
    foothold::FromAttribute(foothold::GetAttribute(OutputDescOf(node, port).details().attributes,
                                                   Checked(name), "an output of " + node.Description()),
                            value, name);
  });
}

AscendString ToAscend(std::string_view text) {
  return {text.data(), text.size()};
}

}  // namespace

graphStatus Operator::GetAllAttrNamesAndTypes(std::map<AscendString, AscendString>& attr_name_types) const {
  return GuardGraph("Operator::GetAllAttrNamesAndTypes", [&] {
    for (const auto& [name, value] : NodeOf(*this).attributes)
      if (!std::holds_alternative<std::monostate>(value))
        attr_name_types[ToAscend(name)] = ToAscend(foothold::AttributeKind(value));
  });
}

graphStatus Operator::GetAllIrAttrNamesAndTypes(std::map<AscendString, AscendString>& attr_name_types) const {
  return GuardGraph("Operator::GetAllIrAttrNamesAndTypes", [&] {
    const foothold::Prototype* prototype = foothold::FindPrototype(NodeOf(*this).type());
    if (prototype == nullptr) {
      for (const auto& [name, value] : impl_->declared)
        attr_name_types[ToAscend(name)] = ToAscend(foothold::AttributeKind(value));
      return;
    }
    for (const foothold::PrototypeAttribute& attribute : prototype->attributes)
      attr_name_types[ToAscend(attribute.name)] = ToAscend(foothold::AttributeTypeName(attribute.type));
  });
}

#define FOOTHOLD_SET(...)                                              \
  Operator& Operator::SetAttr(const char_t* name, __VA_ARGS__ value) { \
    Set(*this, name, value);                                           \
    return *this;                                                      \
  }
#define FOOTHOLD_GET(...)                                                       \
  graphStatus Operator::GetAttr(const char_t* name, __VA_ARGS__& value) const { \
    return Get(*this, name, value);                                             \
  }
#define FOOTHOLD_SCALAR(type) FOOTHOLD_SET(type) FOOTHOLD_GET(type)
#define FOOTHOLD_OBJECT(...) FOOTHOLD_SET(const __VA_ARGS__&) FOOTHOLD_GET(__VA_ARGS__)

FOOTHOLD_SCALAR(int64_t)
FOOTHOLD_SCALAR(int32_t)
FOOTHOLD_SCALAR(uint32_t)
FOOTHOLD_SCALAR(float32_t)
FOOTHOLD_SCALAR(bool)
FOOTHOLD_SET(const char_t*)
FOOTHOLD_OBJECT(AscendString)
FOOTHOLD_OBJECT(Tensor)
FOOTHOLD_OBJECT(OpBytes)
FOOTHOLD_OBJECT(ge::DataType)
FOOTHOLD_OBJECT(ge::NamedAttrs)
FOOTHOLD_OBJECT(AttrValue)
FOOTHOLD_OBJECT(std::vector<int64_t>)
FOOTHOLD_OBJECT(std::vector<int32_t>)
FOOTHOLD_OBJECT(std::vector<uint32_t>)
FOOTHOLD_OBJECT(std::vector<float32_t>)
FOOTHOLD_OBJECT(std::vector<bool>)
FOOTHOLD_OBJECT(std::vector<AscendString>)
FOOTHOLD_OBJECT(std::vector<Tensor>)
FOOTHOLD_OBJECT(std::vector<ge::DataType>)
FOOTHOLD_OBJECT(std::vector<ge::NamedAttrs>)
FOOTHOLD_OBJECT(std::vector<std::vector<int64_t>>)

Operator& Operator::SetAttr(const char_t* name, std::initializer_list<int64_t>&& attr_value) {
  Set(*this, name, std::vector<int64_t>(attr_value));
  return *this;
}

Operator& Operator::SetAttr(const char_t* name, AttrValue&& attr_value) {
  Set(*this, name, attr_value);
  return *this;
}

#define FOOTHOLD_SET_PORT(Port, ...)                                                    \
  Operator& Operator::SetInputAttr(Port port, const char_t* name, __VA_ARGS__ value) {  \
    SetOfInput(*this, port, name, value);                                               \
    return *this;                                                                       \
  }                                                                                     \
  Operator& Operator::SetOutputAttr(Port port, const char_t* name, __VA_ARGS__ value) { \
    SetOfOutput(*this, port, name, value);                                              \
    return *this;                                                                       \
  }
#define FOOTHOLD_GET_PORT(Port, ...)                                                             \
  graphStatus Operator::GetInputAttr(Port port, const char_t* name, __VA_ARGS__& value) const {  \
    return GetOfInput(*this, port, name, value);                                                 \
  }                                                                                              \
  graphStatus Operator::GetOutputAttr(Port port, const char_t* name, __VA_ARGS__& value) const { \
    return GetOfOutput(*this, port, name, value);                                                \
  }
#define FOOTHOLD_PORT_SCALAR(type)       \
  FOOTHOLD_SET_PORT(const int32_t, type) \
  FOOTHOLD_SET_PORT(const char_t*, type) \
  FOOTHOLD_GET_PORT(const int32_t, type) FOOTHOLD_GET_PORT(const char_t*, type)
#define FOOTHOLD_PORT_OBJECT(type)              \
  FOOTHOLD_SET_PORT(const int32_t, const type&) \
  FOOTHOLD_SET_PORT(const char_t*, const type&) \
  FOOTHOLD_GET_PORT(const int32_t, type) FOOTHOLD_GET_PORT(const char_t*, type)

FOOTHOLD_SET_PORT(const int32_t, const char_t*)
FOOTHOLD_SET_PORT(const char_t*, const char_t*)
FOOTHOLD_PORT_OBJECT(AscendString)
FOOTHOLD_PORT_SCALAR(int64_t)
FOOTHOLD_PORT_SCALAR(int32_t)
FOOTHOLD_PORT_SCALAR(uint32_t)
FOOTHOLD_PORT_SCALAR(bool)
FOOTHOLD_PORT_SCALAR(float32_t)
FOOTHOLD_PORT_OBJECT(std::vector<AscendString>)
FOOTHOLD_PORT_OBJECT(std::vector<int64_t>)
FOOTHOLD_PORT_OBJECT(std::vector<int32_t>)
FOOTHOLD_PORT_OBJECT(std::vector<uint32_t>)
FOOTHOLD_PORT_OBJECT(std::vector<bool>)
FOOTHOLD_PORT_OBJECT(std::vector<float32_t>)

}  // namespace ge
