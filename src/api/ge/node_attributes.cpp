// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/ge/node_ports.h"
#include "base/error.h"
#include "prototypes/prototype.h"

namespace foothold {
namespace {

// Empty where any kind will do.
std::string_view DeclaredKind(const Node& node, std::string_view name) {
  const Prototype* prototype = FindPrototype(node.type());
  const PrototypeAttribute* declared = prototype == nullptr ? nullptr : prototype->FindAttribute(name);
  return declared == nullptr ? std::string_view() : AttributeTypeName(declared->type);
}

bool HasValue(const Attribute& value) {
  return !std::holds_alternative<std::monostate>(value);
}

void CheckKind(std::string_view kind, const Attribute& value, std::string_view name,
               const std::string& owner) {
  if (!HasValue(value)) Fail(kInvalidParam, "attribute '{}' of {} cannot be set to nothing", name, owner);
  if (!kind.empty() && kind != AttributeKind(value))
    Fail(kInvalidParam, "attribute '{}' of {} is of kind {}, not {}", name, owner, kind,
         AttributeKind(value));
}

}  // namespace

void SetAttribute(Attributes& attributes, std::string_view name, Attribute value, const std::string& owner) {
  const auto found = attributes.find(name);
  const bool present = found != attributes.end() && HasValue(found->second);
  CheckKind(present ? AttributeKind(found->second) : std::string_view(), value, name, owner);
  if (found != attributes.end())
    found->second = std::move(value);
  else
    attributes.emplace(name, std::move(value));
}

const Attribute& GetAttribute(const Attributes& attributes, std::string_view name, const std::string& owner) {
  const auto found = attributes.find(name);
  if (found == attributes.end() || !HasValue(found->second))
    Fail(kInvalidParam, "{} has no attribute '{}'", owner, name);
  return found->second;
}

void SetAttribute(Node& node, std::string_view name, Attribute value) {
  CheckKind(DeclaredKind(node, name), value, name, node.Description());
  SetAttribute(node.attributes, name, std::move(value), node.Description());
  if (name == "addr" || name == "file_path") node.file_folder.reset();  // it names the program's own now
}

const Attribute& GetAttribute(const Node& node, std::string_view name) {
  return GetAttribute(node.attributes, name, node.Description());
}

}  // namespace foothold
