// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "ir/imported_outputs.h"

#include <fmt/format.h>

namespace foothold {

std::string ImportedName(const Graph& graph, std::size_t output) {
  const auto found = graph.attributes.find(kImportedOutputs);
  if (found == graph.attributes.end()) return {};
  const auto* names = std::get_if<std::vector<std::string>>(&found->second);
  if (names == nullptr) return {};
  const OutputRef& value = graph.outputs.at(output);
  const std::string start = fmt::format("{}:{}:", value.node->name(), value.port);
  // Two outputs may be one value under two names: the one in its place counts first.
  if (output < names->size() && (*names)[output].starts_with(start)) return (*names)[output];
  for (const std::string& name : *names)
    if (name.starts_with(start)) return name;
  return {};
}

}  // namespace foothold
