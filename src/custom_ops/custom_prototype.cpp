// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "custom_ops/custom_prototype.h"

#include <set>

#include "base/error.h"

namespace foothold {
namespace {

using custom::Operator;

// More than any operator has: what lies behind is no table.
constexpr std::size_t kMostRows = 1000;

template <typename Row>
void CheckTable(const Row* rows, std::size_t count, const char* what) {
  if (count > kMostRows) Fail(kInvalidParam, "it has {} {}, more than {}", count, what, kMostRows);
  if (count > 0 && rows == nullptr) Fail(kInvalidParam, "its table of {} {} is null", count, what);
  std::set<std::string> names;
  for (std::size_t i = 0; i < count; ++i) {
    if (rows[i].name == nullptr || *rows[i].name == '\0')
      Fail(kInvalidParam, "number {} of its {} has no name", i, what);
    if (!names.insert(rows[i].name).second)
      Fail(kInvalidParam, "two of its {} are called '{}'", what, rows[i].name);
  }
}

DataTypeSet TypesOf(const custom::Port& port) {
  std::uint64_t bits = 0;
  if (port.type_count > kMostRows || (port.type_count > 0 && port.types == nullptr))
    Fail(kInvalidParam, "the types of port '{}' are no table", port.name);
  for (std::size_t i = 0; i < port.type_count; ++i) {
    if (port.types[i] < 0 || port.types[i] >= 64)
      Fail(kInvalidParam, "port '{}' has a data type {}, which there is not", port.name, port.types[i]);
    bits |= std::uint64_t{1} << port.types[i];
  }
  return DataTypeSet(bits);
}

PortKind KindOf(const custom::Port& port) {
  switch (port.kind) {
    case custom::kRequired:
      return PortKind::kRequired;
    case custom::kOptional:
      return PortKind::kOptional;
    case custom::kList:
      return PortKind::kDynamic;
    default:
      Fail(kInvalidParam, "port '{}' is of kind {}; known are 0 to 2", port.name, port.kind);
  }
}

std::vector<PrototypePort> PortsOf(const custom::Port* ports, std::size_t count, const char* what) {
  CheckTable(ports, count, what);
  std::vector<PrototypePort> made;
  for (std::size_t i = 0; i < count; ++i)
    made.push_back({ports[i].name, KindOf(ports[i]), TypesOf(ports[i]), {}});
  return made;
}

template <typename T>
std::vector<T> ListAt(const T* values, std::size_t count, const char* name) {
  if (count > 0 && values == nullptr) Fail(kInvalidParam, "the default of attribute '{}' is null", name);
  return std::vector<T>(values, values + count);
}

Attribute DefaultOf(const custom::Attribute& from) {
  switch (from.kind) {
    case custom::kInt:
      return from.int_default;
    case custom::kFloat:
      return from.float_default;
    case custom::kString:
      return std::string(from.string_default == nullptr ? "" : from.string_default);
    case custom::kBool:
      return from.int_default != 0;
    case custom::kInts:
      return ListAt(from.ints_default, from.default_count, from.name);
    default:
      return ListAt(from.floats_default, from.default_count, from.name);
  }
}

PrototypeAttribute AttributeOf(const custom::Attribute& from) {
  using Type = PrototypeAttributeType;
  static constexpr Type kTypes[] = {Type::kInt,  Type::kFloat,   Type::kString,
                                    Type::kBool, Type::kListInt, Type::kListFloat};
  if (from.kind > custom::kFloats)
    Fail(kInvalidParam, "attribute '{}' is of kind {}; known are 0 to 5", from.name, from.kind);
  if (from.required != 0) return {from.name, kTypes[from.kind], true, {}};
  return {from.name, kTypes[from.kind], false, DefaultOf(from)};
}

}  // namespace

Prototype PrototypeOf(const Operator& described) {
  if (described.struct_size < sizeof(Operator)) {
    Fail(kInvalidParam, "its struct_size is {} instead of {} or more; set it to sizeof(FootholdOperator)",
         described.struct_size, sizeof(Operator));
  }
  if (described.type == nullptr || *described.type == '\0') Fail(kInvalidParam, "it has no type");
  if (described.kernel == nullptr) Fail(kInvalidParam, "it has no kernel");
  Prototype prototype;
  prototype.type = described.type;
  prototype.inputs = PortsOf(described.inputs, described.input_count, "inputs");
  prototype.outputs = PortsOf(described.outputs, described.output_count, "outputs");
  if (prototype.outputs.empty()) Fail(kInvalidParam, "it has no outputs");
  if (prototype.inputs.empty() && described.infer == nullptr)
    Fail(kInvalidParam, "without inputs it needs a rule for the shapes of its outputs");
  CheckTable(described.attributes, described.attribute_count, "attributes");
  for (std::size_t i = 0; i < described.attribute_count; ++i)
    prototype.attributes.push_back(AttributeOf(described.attributes[i]));
  return prototype;
}

}  // namespace foothold
