// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "session/dump_options.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/error.h"
#include "base/graph_codes.h"
#include "base/log.h"
#include "dump/dumps.h"

namespace foothold {
namespace {

constexpr const char* kDump = "ge.exec.enableDump";
constexpr const char* kDumpDebug = "ge.exec.enableDumpDebug";
constexpr const char* kPath = "ge.exec.dumpPath";

struct Translation {
  const char* option;
  const char* key;
};
constexpr Translation kTexts[] = {
    {"ge.exec.dumpMode", "dump_mode"}, {"ge.exec.dumpData", "dump_data"}, {"ge.exec.dumpStep", "dump_step"}};

[[noreturn]] void Refuse(const std::string& why) {
  throw Error(kGeParamInvalid, why, kBadOption);
}

nlohmann::json LayersOf(const Options& options) {
  nlohmann::json selection = nlohmann::json::object();
  std::istringstream names(options.Find("ge.exec.dumpLayer").value_or(""));
  for (std::string name; names >> name;)
    selection["layer"].push_back(name);
  return nlohmann::json::array({selection});
}

// The same rules hold for options and for files, so options become what a file would say.
nlohmann::json AsFile(const Options& options, bool debug) {
  nlohmann::json dump = {{"dump_path", *options.Find(kPath)}};
  for (const Translation& one : kTexts) {
    const std::string text = options.Find(one.option).value_or("");
    if (!text.empty() && text != "None") dump[one.key] = text;
  }
  if (debug) {
    dump["dump_debug"] = "on";
  } else {
    dump["dump_list"] = LayersOf(options);
  }
  return dump;
}

}  // namespace

std::optional<DumpConfig> DumpConfigOf(const Options& options) {
  const bool dump = options.IsOn(kDump), debug = options.IsOn(kDumpDebug);
  if (!dump && !debug) return std::nullopt;
  if (dump && debug) Refuse(fmt::format("options {} and {} exclude each other", kDump, kDumpDebug));
  if (options.Find(kPath).value_or("").empty())
    Refuse(fmt::format("option {} needs {}, the directory to write to", dump ? kDump : kDumpDebug, kPath));
  try {
    return ParseDumpConfig(AsFile(options, debug));
  } catch (const Error& error) {
    Refuse(fmt::format("the options for dumps (ge.exec.dump...) cannot be used: {}", error.message()));
  }
}

std::shared_ptr<ModelDump> DumpOfGraph(const Options& options, const std::string& name, std::uint32_t id,
                                       int device) {
  auto config = DumpConfigOf(options);
  auto settings = config ? std::make_shared<const DumpSettings>(std::move(*config)) : Dumps::Get().current();
  return ModelDump::Make(std::move(settings), {{name}, id, device});
}

}  // namespace foothold
