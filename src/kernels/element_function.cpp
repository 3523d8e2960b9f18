// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "kernels/element_function.h"

#include <map>

namespace foothold {
namespace {

using Table = std::map<std::string_view, const ElementFunction*>;

Table MakeTable() {
  Table table;
  for (const auto functions : {ArithmeticFunctions(), ComparisonFunctions(), MathFunctions(),
                               LibraryFunctions(), ActivationFunctions(), GradientFunctions()})
    for (const ElementFunction& function : functions)
      table.emplace(function.name, &function);
  return table;
}

const Table& Functions() {
  static const auto* table = new Table(MakeTable());
  return *table;
}

}  // namespace

const ElementFunction* FindElementFunction(std::string_view name) {
  const auto found = Functions().find(name);
  return found == Functions().end() ? nullptr : found->second;
}

std::vector<const ElementFunction*> AllElementFunctions() {
  std::vector<const ElementFunction*> all;
  for (const auto& [name, function] : Functions())
    all.push_back(function);
  return all;
}

}  // namespace foothold
