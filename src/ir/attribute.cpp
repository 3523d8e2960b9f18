// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ir/attribute.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ir/graph.h"

namespace foothold {
namespace {

// In the order of the alternatives of Attribute.
constexpr std::array<std::string_view, 23> kKinds = {"VT_NONE",
                                                     "VT_INT",
                                                     "VT_FLOAT",
                                                     "VT_STRING",
                                                     "VT_BOOL",
                                                     "VT_TENSOR",
                                                     "VT_TENSOR_DESC",
                                                     "VT_DATA_TYPE",
                                                     "VT_BYTES",
                                                     "VT_NAMED_ATTRS",
                                                     "VT_GRAPH",
                                                     "VT_LIST_INT",
                                                     "VT_LIST_FLOAT",
                                                     "VT_LIST_STRING",
                                                     "VT_LIST_BOOL",
                                                     "VT_LIST_TENSOR",
                                                     "VT_LIST_TENSOR_DESC",
                                                     "VT_LIST_DATA_TYPE",
                                                     "VT_LIST_BYTES",
                                                     "VT_LIST_LIST_INT",
                                                     "VT_LIST_LIST_FLOAT",
                                                     "VT_LIST_NAMED_ATTRS",
                                                     "VT_LIST_GRAPH"};
static_assert(kKinds.size() == std::variant_size_v<Attribute>);

constexpr std::size_t kPrintedElements = 16;

std::string Print(std::monostate) {
  return "<none>";
}
std::string Print(std::int64_t value) {
  return fmt::to_string(value);
}
std::string Print(float value) {
  return fmt::format("{:.6f}", value);
}
std::string Print(bool value) {
  return value ? "true" : "false";
}
std::string Print(const std::string& value) {
  return fmt::format("\"{}\"", value);
}
std::string Print(const TensorValue& value) {
  return "tensor " + ToString(value.type());
}
std::string Print(const TensorType& value) {
  return ToString(value);
}
std::string Print(DataType value) {
  return std::string(DataTypeName(value));
}
std::string Print(const Bytes& value) {
  return fmt::format("<{} bytes>", value.size());
}
std::string Print(const std::shared_ptr<const NamedAttributes>& value) {
  return value ? fmt::format("{}{{{} attributes}}", value->name, value->attributes.size()) : "<none>";
}
std::string Print(const std::shared_ptr<Graph>& value) {
  return value ? "%" + value->name() : "<none>";
}

template <typename T>
std::string Print(const std::vector<T>& list) {
  std::string text = "{";
  for (std::size_t i = 0; i < std::min(list.size(), kPrintedElements); ++i)
    text += (i == 0 ? "" : ", ") + Print(static_cast<T>(list[i]));
  return text + (list.size() > kPrintedElements ? ", ...}" : "}");
}

}  // namespace

std::string_view AttributeKind(const Attribute& value) {
  return kKinds[value.index()];
}

std::string ToString(const Attribute& value) {
  return std::visit([](const auto& held) { return Print(held); }, value);
}

}  // namespace foothold
