// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "formats/graph_model.h"
#include "session/session.h"

namespace foothold {
namespace {

namespace fs = std::filesystem;

fs::path FileOf(const fs::path& folder, const GraphSlot& slot) {
  std::string name = slot.origin().graph->name();
  std::replace(name.begin(), name.end(), '/', '_');
  return folder / fmt::format("ge_proto_{}_{}.txt", slot.id(), name);
}

void WriteGraph(const fs::path& file, const Graph& graph) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << GraphModelText({graph.Clone(), {}});
  out.close();
  if (!out) Fail(kInvalidFile, "the graph '{}' could not be written to {}", graph.name(), file.string());
}

}  // namespace

void Session::SaveGraphs(const std::string& folder) const {
  RequireEngine();
  std::vector<std::shared_ptr<GraphSlot>> slots;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    for (const auto& [id, slot] : graphs_)
      slots.push_back(slot);
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) Fail(kInvalidFile, "the folder {} could not be made: {}", folder, error.message());
  for (const auto& slot : slots)
    WriteGraph(FileOf(folder, *slot), *slot->origin().graph);
}

}  // namespace foothold
