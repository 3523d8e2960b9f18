// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "aclnn/mapping.h"

#include <map>

namespace foothold::aclnn {
namespace {

std::map<std::string_view, Mapping>& AllMappings() {
  static auto* const mappings = new std::map<std::string_view, Mapping>;
  return *mappings;
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
  return found == AllMappings().end() ? nullptr : found->second;
}

}  // namespace foothold::aclnn
