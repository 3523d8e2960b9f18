// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Prints the operators that run, one line each, with tabs between: the type, what it runs with, and what it
// does with views: "reads all", "reads" and ports, "selects" if it is read through, or nothing. Read by
// operators_md.py.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "compiler/supported_types.h"
#include "ops/op.h"
#include "ops/type_lists.h"
#include "prototypes/prototype.h"

namespace foothold {
namespace {

std::string TextOf(const std::vector<DataType>& types) {
  if (types.empty()) return "";
  if (types == FixedSizeTypes()) return "any type";
  if (types == WholeByteTypes()) return "types of whole bytes";
  if (types == NumberTypes()) return "numbers";
  if (types == NumberAndBoolTypes()) return "numbers, bool";
  std::string text;
  for (const DataType type : types)
    text += fmt::format("{}{}", text.empty() ? "" : ", ", DataTypeName(type));
  return text;
}

// Families of operators name the ports of all of them.
std::vector<std::string> OwnPorts(const Prototype& prototype, const std::vector<std::string>& named) {
  std::vector<std::string> own;
  for (const auto& input : prototype.inputs)
    if (std::find(named.begin(), named.end(), input.name) != named.end()) own.emplace_back(input.name);
  return own;
}

std::string ViewsOf(const OpDef* op, const Prototype& prototype) {
  if (op == nullptr) return "";
  if (op->select() || !op->views().empty()) return "selects";
  if (!op->reads_views()) return "";
  if (op->view_ports().empty()) return "reads all";
  return fmt::format("reads {}", fmt::join(OwnPorts(prototype, op->view_ports()), ", "));
}

void List() {
  for (const std::string_view type : PrototypeTypes()) {
    const OpDef* op = FindOp(type);
    if (!IsSupported(type)) continue;
    fmt::print("{}\t{}\t{}\n", type, op == nullptr ? "any type" : TextOf(op->types()),
               ViewsOf(op, *FindPrototype(type)));
  }
}

}  // namespace
}  // namespace foothold

int main() {
  foothold::List();
  return 0;
}
