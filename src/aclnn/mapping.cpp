// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/mapping.h"

#include <algorithm>
#include <map>
#include <span>

#include "aclnn/by_default.h"

namespace foothold::aclnn {
namespace {

std::map<std::string_view, Mapping>& AllMappings() {
  static auto* const mappings = new std::map<std::string_view, Mapping>;
  return *mappings;
}

bool HasLikeness(std::string_view name) {
  const std::span<const Function> all(AllFunctions(), FunctionCount());
  const auto found =
      std::lower_bound(all.begin(), all.end(), name,
                       [](const Function& one, std::string_view text) { return one.name < text; });
  return found != all.end() && found->name == name && found->like.op != nullptr;
}

}  // namespace

RegisterMapping::RegisterMapping(const char* function, Mapping mapping) {
  AllMappings().emplace(function, mapping);
}

RegisterMapping::RegisterMapping(std::initializer_list<std::pair<const char*, Mapping>> mappings) {
  for (const auto& [function, mapping] : mappings)
    AllMappings().emplace(function, mapping);
}

Mapping FindMapping(std::string_view function) {
  const auto found = AllMappings().find(function);
  if (found != AllMappings().end()) return found->second;
  return HasLikeness(function) ? MapByDefault : nullptr;
}

}  // namespace foothold::aclnn
