// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "onnx/mapping.h"

#include <map>

#include "onnx/custom_mapping.h"

namespace foothold::onnx {
namespace {

using Table = std::multimap<std::string, Mapping, std::less<>>;

// A function's own variable, so that it exists before the first registration.
Table& TheTable() {
  static Table table;
  return table;
}

}  // namespace

const Mapping* FindMapping(std::string_view domain, std::string_view op, int version) {
  if (!domain.empty()) return FindCustomMapping(op);
  const auto [first, last] = TheTable().equal_range(op);
  for (auto found = first; found != last; ++found)
    if (found->second.since <= version && version <= found->second.until) return &found->second;
  return first == last ? FindCustomMapping(op) : nullptr;
}

std::vector<Mapping> AllMappings() {
  std::vector<Mapping> all;
  for (const auto& [name, mapping] : TheTable())
    all.push_back(mapping);
  return all;
}

RegisterMapping::RegisterMapping(const char* op, MapFunction map, int since, int until) {
  TheTable().emplace(op, Mapping{op, map, since, until});
}

RegisterMapping::RegisterMapping(std::initializer_list<const char*> ops, MapFunction map, int since,
                                 int until) {
  for (const char* op : ops)
    TheTable().emplace(op, Mapping{op, map, since, until});
}

}  // namespace foothold::onnx
