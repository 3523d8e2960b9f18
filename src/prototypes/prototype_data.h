// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The built-in prototypes as read-only data, defined in a file that tools/ops/write_prototype_data.py writes.
// Only built_in_prototypes.cpp reads it. Rows hold no pointers, so nothing is to be done for them when the
// library is loaded.
#pragma once

#include <cstddef>
#include <cstdint>

namespace foothold::prototype_data {

// A name is an index of kNameOffsets, a set of types one of kTypeSets, a value one of kValues. Lists in
// kValues begin with their length; a float is the bits of a float, a string a name.
struct PortRow {
  std::uint16_t name;
  std::uint16_t symbol;
  std::uint16_t types;
  std::uint8_t kind;
};

struct AttributeRow {
  std::uint16_t name;
  std::uint16_t value;
  std::uint8_t type;
  bool required;
};

struct SubgraphRow {
  std::uint16_t name;
  bool dynamic;
};

struct SymbolRow {
  std::uint16_t name;
  std::uint16_t types;
  std::uint16_t promoted_from;
};

struct OperatorRow {
  std::uint16_t type;
  std::uint16_t header;
  std::uint16_t replaced_by;
  std::uint16_t first_port;  // of the inputs; the outputs follow
  std::uint16_t first_attribute;
  std::uint16_t first_subgraph;
  std::uint16_t first_symbol;
  std::uint8_t inputs;
  std::uint8_t outputs;
  std::uint8_t attributes;
  std::uint8_t subgraphs;
  std::uint8_t symbols;
  bool deprecated;
};

extern const char kNames[];
extern const std::uint32_t kNameOffsets[];
extern const std::uint64_t kTypeSets[];
extern const std::int64_t kValues[];
extern const PortRow kPorts[];
extern const AttributeRow kAttributes[];
extern const SubgraphRow kSubgraphs[];
extern const SymbolRow kSymbols[];
extern const OperatorRow kOperators[];  // in the order of their types
extern const std::size_t kOperatorCount;

}  // namespace foothold::prototype_data
