// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "prototypes/built_in_prototypes.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <memory>
#include <span>

#include "base/error.h"
#include "prototypes/prototype_data.h"

namespace foothold {
namespace {

namespace data = prototype_data;

std::string_view Name(std::int64_t index) {
  return data::kNames + data::kNameOffsets[index];
}

DataTypeSet TypeSet(std::uint16_t index) {
  return DataTypeSet(data::kTypeSets[index]);
}

// The API counts the undefined type among the others, the library does not.
DataType TypeOfNumber(std::int64_t number) {
  constexpr std::int64_t kUndefinedNumber = 28;
  return number == kUndefinedNumber ? DataType::kUndefined : static_cast<DataType>(number);
}

// Takes values out of kValues, front to back.
class ValueReader {
 public:
  explicit ValueReader(std::size_t place) : next_(data::kValues + place) {}

  std::int64_t Int() { return *next_++; }
  bool Bool() { return Int() != 0; }
  float Float() { return std::bit_cast<float>(static_cast<std::uint32_t>(Int())); }
  std::string String() { return std::string(Name(Int())); }
  DataType Type() { return TypeOfNumber(Int()); }
  std::vector<std::int64_t> Ints() { return List<std::int64_t>(&ValueReader::Int); }

  template <class Value>
  std::vector<Value> List(Value (ValueReader::*item)()) {
    std::vector<Value> list;
    for (std::int64_t left = Int(); left > 0; --left) {
      list.push_back((this->*item)());
    }
    return list;
  }

 private:
  const std::int64_t* next_;
};

Attribute ReadValue(PrototypeAttributeType type, ValueReader reader) {
  switch (type) {
    case PrototypeAttributeType::kInt:
      return reader.Int();
    case PrototypeAttributeType::kFloat:
      return reader.Float();
    case PrototypeAttributeType::kString:
      return reader.String();
    case PrototypeAttributeType::kBool:
      return reader.Bool();
    case PrototypeAttributeType::kTensor:
      return TensorValue();
    case PrototypeAttributeType::kType:
      return reader.Type();
    case PrototypeAttributeType::kListInt:
      return reader.Ints();
    case PrototypeAttributeType::kListFloat:
      return reader.List<float>(&ValueReader::Float);
    case PrototypeAttributeType::kListString:
      return reader.List<std::string>(&ValueReader::String);
    case PrototypeAttributeType::kListBool:
      return reader.List<bool>(&ValueReader::Bool);
    case PrototypeAttributeType::kListType:
      return reader.List<DataType>(&ValueReader::Type);
    case PrototypeAttributeType::kListListInt:
      return reader.List<std::vector<std::int64_t>>(&ValueReader::Ints);
    default:  // the table has no others
      Fail(kInternalError, "the prototype table has a default of type {}", AttributeTypeName(type));
  }
}

std::vector<PrototypePort> Ports(std::span<const data::PortRow> rows) {
  std::vector<PrototypePort> ports;
  ports.reserve(rows.size());
  for (const data::PortRow& row : rows) {
    ports.push_back({std::string(Name(row.name)), static_cast<PortKind>(row.kind), TypeSet(row.types),
                     std::string(Name(row.symbol))});
  }
  return ports;
}

std::vector<PrototypeAttribute> AttributesOf(std::span<const data::AttributeRow> rows) {
  std::vector<PrototypeAttribute> attributes;
  attributes.reserve(rows.size());
  for (const data::AttributeRow& row : rows) {
    const auto type = static_cast<PrototypeAttributeType>(row.type);
    attributes.push_back({std::string(Name(row.name)), type, row.required,
                          row.required ? Attribute() : ReadValue(type, ValueReader(row.value))});
  }
  return attributes;
}

std::vector<TypeSymbol> Symbols(std::span<const data::SymbolRow> rows) {
  std::vector<TypeSymbol> symbols;
  symbols.reserve(rows.size());
  for (const data::SymbolRow& row : rows) {
    symbols.push_back({std::string(Name(row.name)), TypeSet(row.types),
                       ValueReader(row.promoted_from).List<std::string>(&ValueReader::String)});
  }
  return symbols;
}

std::unique_ptr<const Prototype> MakePrototype(const data::OperatorRow& row) {
  auto prototype = std::make_unique<Prototype>();
  prototype->type = Name(row.type);
  prototype->header = Name(row.header);
  prototype->inputs = Ports({data::kPorts + row.first_port, row.inputs});
  prototype->outputs = Ports({data::kPorts + row.first_port + row.inputs, row.outputs});
  prototype->attributes = AttributesOf({data::kAttributes + row.first_attribute, row.attributes});
  for (const auto& graph : std::span(data::kSubgraphs + row.first_subgraph, row.subgraphs)) {
    prototype->subgraphs.push_back({std::string(Name(graph.name)), graph.dynamic});
  }
  prototype->symbols = Symbols({data::kSymbols + row.first_symbol, row.symbols});
  prototype->deprecated = row.deprecated;
  prototype->replaced_by = Name(row.replaced_by);
  return prototype;
}

// Never freed: programs use operators while static objects are destroyed.
const Prototype* MadeOnce(const data::OperatorRow& row, std::atomic<const Prototype*>& made) {
  const Prototype* known = made.load(std::memory_order_acquire);
  if (known != nullptr) {
    return known;
  }
  std::unique_ptr<const Prototype> fresh = MakePrototype(row);
  const bool first = made.compare_exchange_strong(known, fresh.get(), std::memory_order_acq_rel);
  return first ? fresh.release() : known;
}

std::atomic<const Prototype*>* Slots() {
  static auto* const slots = new std::atomic<const Prototype*>[data::kOperatorCount]();
  return slots;
}

}  // namespace

std::size_t BuiltInPrototypeCount() {
  return data::kOperatorCount;
}

std::string_view BuiltInPrototypeType(std::size_t index) {
  return Name(data::kOperators[index].type);
}

const Prototype* FindBuiltInPrototype(std::string_view type) {
  const std::span rows(data::kOperators, data::kOperatorCount);
  const auto row =
      std::ranges::lower_bound(rows, type, {}, [](const data::OperatorRow& r) { return Name(r.type); });
  if (row == rows.end() || Name(row->type) != type) {
    return nullptr;
  }
  return MadeOnce(*row, Slots()[row - rows.begin()]);
}

}  // namespace foothold
