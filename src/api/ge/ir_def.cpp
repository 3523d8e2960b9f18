// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "api/ge/session_guard.h"
#include "base/graph_codes.h"
#include "ge/ge_api.h"
#include "prototypes/prototype.h"

namespace {

using Named = std::vector<std::pair<ge::AscendString, ge::AscendString>>;

const char* KindName(foothold::PortKind kind) {
  switch (kind) {
    case foothold::PortKind::kRequired:
      return "required";
    case foothold::PortKind::kOptional:
      return "optional";
    case foothold::PortKind::kDynamic:
      break;
  }
  return "dynamic";
}

Named PortsOf(const std::vector<foothold::PrototypePort>& ports) {
  Named named;
  for (const foothold::PrototypePort& port : ports)
    named.emplace_back(ge::AscendString(port.name.c_str()), ge::AscendString(KindName(port.kind)));
  return named;
}

Named AttributesOf(const foothold::Prototype& prototype) {
  Named named;
  for (const foothold::PrototypeAttribute& attribute : prototype.attributes) {
    const std::string kind(foothold::AttributeTypeName(attribute.type));
    named.emplace_back(ge::AscendString(attribute.name.c_str()), ge::AscendString(kind.c_str()));
  }
  return named;
}

}  // namespace

extern "C" ge::Status GetRegisteredIrDef(const char* op_type, Named& inputs, Named& outputs, Named& attrs) {
  return foothold::GuardSession("GetRegisteredIrDef", [&] {
    const std::string type = op_type == nullptr ? "null" : op_type;
    const foothold::Prototype* prototype = foothold::FindPrototype(type);
    if (prototype == nullptr)
      foothold::Fail(foothold::kGeFailed, "there is no operator of the type '{}'", type);
    inputs = PortsOf(prototype->inputs);
    outputs = PortsOf(prototype->outputs);
    attrs = AttributesOf(*prototype);
  });
}
