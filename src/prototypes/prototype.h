// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What is known of an operator before a graph uses it. The API fills new operators from here, the compiler
// checks nodes and finds defaults. Prototypes never change and live as long as the process; every function
// may be called on any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/data_type.h"
#include "ir/attribute.h"
#include "ir/node.h"

namespace foothold {

// Data types by their number in the API, which counts more of them than this library computes with.
class DataTypeSet {
 public:
  constexpr DataTypeSet() = default;
  constexpr explicit DataTypeSet(std::uint64_t bits) : bits_(bits) {}
  constexpr bool Contains(DataType type) const {
    const int number = static_cast<int>(type);
    return number >= 0 && number < 64 && (bits_ >> number & 1) != 0;
  }
  constexpr bool empty() const { return bits_ == 0; }

 private:
  std::uint64_t bits_ = 0;
};

struct PrototypePort {
  std::string name;
  PortKind kind = PortKind::kRequired;
  DataTypeSet types;   // empty where a symbol stands for them, or where nothing is known
  std::string symbol;  // ports with the same symbol have the same type
};

struct TypeSymbol {
  std::string name;
  DataTypeSet types;
  std::vector<std::string> promoted_from;  // the symbols whose common type this is
};

enum class PrototypeAttributeType : std::uint8_t {
  kInt,
  kFloat,
  kString,
  kBool,
  kTensor,
  kType,
  kListInt,
  kListFloat,
  kListString,
  kListBool,
  kListType,
  kListListInt,
  kListTensor,
  kBytes,
  kNamedAttributes,
  kListNamedAttributes,
};

// "VT_INT", "VT_LIST_INT" ...
std::string_view AttributeTypeName(PrototypeAttributeType type);

struct PrototypeAttribute {
  std::string name;
  PrototypeAttributeType type = PrototypeAttributeType::kInt;
  bool required = false;
  Attribute default_value;  // no value if required
};

struct PrototypeSubgraph {
  std::string name;
  bool dynamic = false;  // a list of graphs
};

struct Prototype {
  std::string type;
  std::string header;  // where the public class is declared; empty where there is none
  std::vector<PrototypePort> inputs;
  std::vector<PrototypePort> outputs;
  std::vector<PrototypeAttribute> attributes;
  std::vector<PrototypeSubgraph> subgraphs;
  std::vector<TypeSymbol> symbols;
  bool deprecated = false;
  std::string replaced_by;  // empty where nothing is named

  // Null where there is none of that name.
  const PrototypePort* Input(std::string_view name) const;
  const PrototypePort* Output(std::string_view name) const;
  const PrototypeAttribute* FindAttribute(std::string_view name) const;

  // An output that has the name of an input is that input, changed in place.
  bool IsReference(const PrototypePort& output) const { return Input(output.name) != nullptr; }

  // What the port's own types or its symbol allow; empty where nothing is known.
  DataTypeSet TypesOf(const PrototypePort& port) const;
};

// Null for a type nobody has described.
const Prototype* FindPrototype(std::string_view type);

// All known types: the built-in ones in their order, then those programs registered in theirs.
std::vector<std::string_view> PrototypeTypes();

// The first prototype of a type stays, whether built in or registered; later ones are ignored.
void RegisterPrototype(Prototype prototype);

}  // namespace foothold
