// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "model/dumped_model.h"

#include <filesystem>

#include "dump/dumps.h"
#include "model/description.h"

namespace foothold {

std::shared_ptr<ModelDump> DumpOf(const OmFile& file, std::uint32_t id, int device) {
  auto settings = Dumps::Get().current();
  if (!settings) return nullptr;
  std::vector<std::string> names;
  if (!file.path().empty()) names.push_back(std::filesystem::path(file.path()).stem().string());
  names.push_back(ReadDescription(file).name);
  return ModelDump::Make(std::move(settings), {std::move(names), id, device});
}

NodePredicate KeptNodes(std::shared_ptr<ModelDump> dump) {
  if (!dump) return nullptr;
  return [dump = std::move(dump)](const Node& node) { return dump->KeepsNode(node.name(), node.type()); };
}

}  // namespace foothold
