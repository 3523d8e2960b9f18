// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Prints the operators that run, one line each: the type, a tab, and what it runs with. Read by
// operators_md.py.
#include <fmt/format.h>

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

void List() {
  for (const std::string_view type : PrototypeTypes()) {
    const OpDef* op = FindOp(type);
    if (!IsSupported(type)) continue;
    fmt::print("{}\t{}\n", type, op == nullptr ? "any type" : TextOf(op->types()));
  }
}

}  // namespace
}  // namespace foothold

int main() {
  foothold::List();
  return 0;
}
