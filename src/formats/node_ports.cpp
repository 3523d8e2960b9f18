// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "formats/node_ports.h"

#include <algorithm>

#include "base/error.h"
#include "formats/model_names.h"
#include "prototypes/prototype.h"

namespace foothold {
namespace {

using namespace model_names;

template <typename Value>
Value Take(Attributes& attributes, const char* name) {
  const auto found = attributes.find(name);
  if (found == attributes.end()) return {};
  Value value;
  if (Value* held = std::get_if<Value>(&found->second)) value = std::move(*held);
  attributes.erase(found);
  return value;
}

using Texts = std::vector<std::string>;
using Numbers = std::vector<std::int64_t>;

// By position. A dynamic port takes what the others leave.
template <typename Declared>
std::vector<PortName> ByPosition(const std::vector<Declared>& declared, std::size_t count,
                                 const char* separator) {
  std::size_t fixed = 0;
  for (const Declared& port : declared)
    fixed += port.kind == PortKind::kDynamic ? 0 : 1;
  std::size_t spare = count > fixed ? count - fixed : 0;
  std::vector<PortName> names;
  for (const Declared& port : declared) {
    if (port.kind != PortKind::kDynamic) {
      names.push_back({port.name, port.name, port.kind});
      continue;
    }
    for (std::size_t i = 0; i < spare; ++i)
      names.push_back({port.name + separator + std::to_string(i), port.name, PortKind::kDynamic});
    spare = 0;
  }
  names.resize(std::min(names.size(), count));
  while (names.size() < count) {
    const std::string name = "_port_" + std::to_string(names.size());
    names.push_back({name, name, PortKind::kRequired});
  }
  return names;
}

bool IsInstanceOf(const std::string& name, const std::string& group) {
  return name.size() > group.size() && name.starts_with(group) &&
         std::all_of(name.begin() + static_cast<std::ptrdiff_t>(group.size()), name.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

void Declare(const std::vector<PrototypePort>& declared, PortName& port) {
  for (const PrototypePort& known : declared) {
    const bool instance = known.kind == PortKind::kDynamic && IsInstanceOf(port.name, known.name);
    if (known.name != port.name && !instance) continue;
    port.group = known.name;
    port.kind = known.kind;
    return;
  }
}

struct Keys {
  const char* names;
  const char* indexes;
  const char* groups;
  const char* kinds;
};

std::vector<PortName> TakeNames(const std::vector<PrototypePort>& declared, Attributes& attributes,
                                std::size_t count, const Keys& keys) {
  const Texts names = Take<Texts>(attributes, keys.names);
  const Numbers indexes = Take<Numbers>(attributes, keys.indexes);
  const Texts groups = Take<Texts>(attributes, keys.groups);
  const Numbers kinds = Take<Numbers>(attributes, keys.kinds);
  std::vector<PortName> ports = ByPosition(declared, count, "");
  for (std::size_t i = 0; i < std::min(names.size(), indexes.size()); ++i) {
    if (indexes[i] < 0 || static_cast<std::size_t>(indexes[i]) >= count)
      Fail(kInvalidParam, "port '{}' is said to be number {} of {}", names[i], indexes[i], count);
    PortName& port = ports[static_cast<std::size_t>(indexes[i])];
    port = {names[i], names[i], PortKind::kRequired};
    Declare(declared, port);
    if (groups.size() == names.size()) port.group = groups[i];
    if (kinds.size() == names.size() && kinds[i] >= 0 && kinds[i] <= static_cast<int>(PortKind::kDynamic))
      port.kind = static_cast<PortKind>(kinds[i]);
  }
  return ports;
}

const std::vector<PrototypePort> kNone;

}  // namespace

std::vector<PortName> TakeInputNames(const std::string& type, Attributes& attributes, std::size_t count) {
  const Prototype* prototype = FindPrototype(type);
  return TakeNames(prototype == nullptr ? kNone : prototype->inputs, attributes, count,
                   {kInputNames, kInputIndexes, kInputGroups, kInputKinds});
}

std::vector<PortName> TakeOutputNames(const std::string& type, Attributes& attributes, std::size_t count) {
  const Prototype* prototype = FindPrototype(type);
  return TakeNames(prototype == nullptr ? kNone : prototype->outputs, attributes, count,
                   {kOutputNames, kOutputIndexes, kOutputGroups, kOutputKinds});
}

std::vector<PortName> TakeSubgraphNames(const std::string& type, Attributes& attributes, std::size_t count) {
  const Texts names = Take<Texts>(attributes, kSubgraphNames);
  const Texts groups = Take<Texts>(attributes, kSubgraphGroups);
  std::vector<PrototypePort> declared;
  if (const Prototype* prototype = FindPrototype(type))
    for (const PrototypeSubgraph& subgraph : prototype->subgraphs)
      declared.push_back({.name = subgraph.name,
                          .kind = subgraph.dynamic ? PortKind::kDynamic : PortKind::kRequired,
                          .types = {},
                          .symbol = {}});
  std::vector<PortName> found = ByPosition(declared, count, "_");
  for (std::size_t i = 0; i < count && names.size() == count && groups.size() == count; ++i)
    found[i] = {names[i], groups[i], PortKind::kRequired};
  return found;
}

}  // namespace foothold
