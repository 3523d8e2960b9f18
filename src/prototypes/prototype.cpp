// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "prototypes/prototype.h"

#include <algorithm>
#include <array>

namespace foothold {
namespace {

template <class Item>
const Item* ByName(const std::vector<Item>& items, std::string_view name) {
  const auto found =
      std::find_if(items.begin(), items.end(), [name](const Item& item) { return item.name == name; });
  return found == items.end() ? nullptr : &*found;
}

}  // namespace

std::string_view AttributeTypeName(PrototypeAttributeType type) {
  static constexpr std::array<std::string_view, 16> kNames = {
      "VT_INT",         "VT_FLOAT",     "VT_STRING",         "VT_BOOL",
      "VT_TENSOR",      "VT_DATA_TYPE", "VT_LIST_INT",       "VT_LIST_FLOAT",
      "VT_LIST_STRING", "VT_LIST_BOOL", "VT_LIST_DATA_TYPE", "VT_LIST_LIST_INT",
      "VT_LIST_TENSOR", "VT_BYTES",     "VT_NAMED_ATTRS",    "VT_LIST_NAMED_ATTRS"};
  return kNames.at(static_cast<std::size_t>(type));
}

const PrototypePort* Prototype::Input(std::string_view name) const {
  return ByName(inputs, name);
}

const PrototypePort* Prototype::Output(std::string_view name) const {
  return ByName(outputs, name);
}

const PrototypeAttribute* Prototype::FindAttribute(std::string_view name) const {
  return ByName(attributes, name);
}

DataTypeSet Prototype::TypesOf(const PrototypePort& port) const {
  const TypeSymbol* symbol = ByName(symbols, port.symbol);
  return symbol == nullptr ? port.types : symbol->types;
}

}  // namespace foothold
