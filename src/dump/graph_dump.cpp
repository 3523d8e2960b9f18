// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "dump/graph_dump.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "base/environment.h"
#include "base/error.h"
#include "base/log.h"
#include "formats/graph_model.h"
#include "formats/readable_text.h"

namespace foothold {
namespace {

namespace fs = std::filesystem;

enum class Detail { kNothing, kFull, kNoWeights };

Detail WantedDetail() {
  const std::string value = GetEnv("DUMP_GE_GRAPH").value_or("");
  if (value == "1") return Detail::kFull;
  return value == "2" || value == "3" ? Detail::kNoWeights : Detail::kNothing;
}

// A place of its own per process and device, if one was named; else where the program runs.
fs::path Folder(int device) {
  for (const char* name : {"ASCEND_DUMP_PATH", "DUMP_GRAPH_PATH", "ASCEND_WORK_PATH"}) {
    const auto path = GetEnv(name);
    if (!path || path->empty()) continue;
    const fs::path folder = fs::path(*path) / fmt::format("pid_{}_deviceid_{}", getpid(), device);
    std::error_code error;
    fs::create_directories(folder, error);
    if (!error) return folder;
    Log(LogLevel::kWarning, "{} cannot be used for dumps of graphs: {}", folder.string(), error.message());
  }
  return ".";
}

void Write(const fs::path& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) Log(LogLevel::kWarning, "the dump {} of a graph could not be written", file.string());
}

// The bytes of constants go; that they are there and what they are like stays.
std::shared_ptr<Graph> WithoutWeights(const Graph& graph) {
  std::shared_ptr<Graph> copy = graph.Clone();
  for (Node* node : copy->nodes())
    for (auto& [name, attribute] : node->attributes)
      if (auto* value = std::get_if<TensorValue>(&attribute)) *value = TensorValue(value->type(), nullptr, 0);
  return copy;
}

}  // namespace

bool IsStageWanted(std::string_view level, std::string_view stage) {
  if (level.empty() || level == "1" || level == "2") return true;
  if (level == "3") return stage == kBuiltStage;
  if (level == "4") return stage == kBeginStage;
  while (!level.empty()) {
    const auto end = std::min(level.find('|'), level.size());
    if (end > 0 && stage.find(level.substr(0, end)) != std::string_view::npos) return true;
    level.remove_prefix(std::min(end + 1, level.size()));
  }
  return false;
}

void DumpStage(const Graph& graph, std::string_view stage, int device) {
  const Detail detail = WantedDetail();
  if (detail == Detail::kNothing || !IsStageWanted(GetEnv("DUMP_GRAPH_LEVEL").value_or(""), stage)) return;
  try {
    static std::atomic<int> next{0};
    const std::string formats = GetEnv("DUMP_GRAPH_FORMAT").value_or("ge_proto|onnx");
    const std::string name = fmt::format("{:08d}_graph_{}_{}", next.fetch_add(1), graph.name(), stage);
    const fs::path folder = Folder(device);
    const std::shared_ptr<Graph> shown = detail == Detail::kFull ? graph.Clone() : WithoutWeights(graph);
    if (formats.find("ge_proto") != std::string::npos)
      Write(folder / fmt::format("ge_proto_{}.txt", name), GraphModelText({shown, {}}));
    if (formats.find("readable") != std::string::npos)
      Write(folder / fmt::format("ge_readable_{}.txt", name), ReadableText(*shown));
    if (formats == "onnx")
      Log(LogLevel::kWarning,
          "DUMP_GRAPH_FORMAT=onnx: dumps of graphs are written as ge_proto or readable text only");
  } catch (...) {
    Log(LogLevel::kWarning, "stage {} of graph '{}' could not be dumped: {}", stage, graph.name(),
        CurrentError().message());
  }
}

}  // namespace foothold
