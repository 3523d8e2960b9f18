// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "check/resolved_finding.h"

namespace foothold::check {
namespace {

using Json = nlohmann::ordered_json;

const char* LevelOf(std::string_view severity) {
  if (severity == "error") return "error";
  return severity == "warning" ? "warning" : "note";
}

Json ToSarif(const Rule& rule) {
  return {{"id", rule.id},
          {"shortDescription", {{"text", rule.sentence}}},
          {"help", {{"text", fmt::format("Causes: {}\nFix: {}", rule.causes, rule.fixes)}}},
          {"defaultConfiguration", {{"level", LevelOf(NameOf(rule.severity))}}},
          {"properties", {{"group", NameOf(rule.group)}}}};
}

// As code hosts want it: a file below the folder the command runs in is named from there.
std::string UriOf(const std::string& file) {
  std::error_code unknown;
  const std::string here = std::filesystem::current_path(unknown).string() + "/";
  const std::string plain = std::filesystem::path(file).lexically_normal().string();
  return !unknown && plain.starts_with(here) ? plain.substr(here.size()) : plain;
}

// Where a stack first stands in source; code hosts want a place even where none is known.
Json LocationOf(const Json& stack, const std::string& message) {
  std::string file;
  int line = 1;
  std::string function;
  for (const Json& frame : stack) {
    if (function.empty()) function = frame.value("function", "");
    if (!frame.contains("file")) continue;
    file = frame["file"];
    line = std::max(frame.value("line", 1), 1);
    break;
  }
  if (file.empty()) file = stack.empty() ? "unknown" : stack[0].value("module", "unknown");
  Json location{
      {"physicalLocation", {{"artifactLocation", {{"uri", UriOf(file)}}}, {"region", {{"startLine", line}}}}},
      {"message", {{"text", message}}}};
  if (!function.empty())
    location["logicalLocations"] = Json::array({{{"name", function}, {"kind", "function"}}});
  return location;
}

Json StackOf(const Json& act, const std::string& message) {
  Json frames = Json::array();
  for (const Json& frame : act["stack"])
    frames.push_back({{"location", LocationOf(Json::array({frame}), frame.value("function", ""))}});
  return {{"message", {{"text", message}}}, {"frames", std::move(frames)}};
}

std::string Fingerprint(const Json& key) {
  std::string text;
  for (const auto& [name, value] : key.items())
    text += fmt::format("{}={} ", name, value.get<std::string>());
  return text;
}

std::string CallOf(const Json& act) {
  return fmt::format("{} {}", act.value("call", ""), act.value("does", ""));
}

Json ToResult(const Json& finding) {
  Json related = Json::array(), stacks = Json::array();
  stacks.push_back(StackOf(finding["now"], "now: " + CallOf(finding["now"])));
  if (finding.contains("before")) {
    related.push_back(LocationOf(finding["before"]["stack"], "before: " + CallOf(finding["before"])));
    stacks.push_back(StackOf(finding["before"], "before: " + CallOf(finding["before"])));
  }
  for (const Json& object : finding["objects"])
    for (const Json& act : object["history"])
      related.push_back(LocationOf(act["stack"], fmt::format("{}: {} {}", object.value("text", ""),
                                                             act.value("how", ""), act.value("call", ""))));
  return {{"ruleId", finding["rule"]},
          {"level", LevelOf(finding.value("severity", "error"))},
          {"message",
           {{"text", fmt::format("{}. Fix: {}", finding.value("message", ""), finding.value("fix", ""))}}},
          {"locations", Json::array({LocationOf(finding["now"]["stack"], CallOf(finding["now"]))})},
          {"relatedLocations", std::move(related)},
          {"stacks", std::move(stacks)},
          {"partialFingerprints", {{"footholdKey/v1", Fingerprint(finding["key"])}}},
          {"occurrenceCount", finding.value("count", 1)}};
}

}  // namespace

std::string SarifOf(const std::vector<Json>& findings) {
  Json rules = Json::array(), results = Json::array();
  for (const Rule& rule : AllRules())
    rules.push_back(ToSarif(rule));
  std::set<std::string> seen;
  for (const Json& finding : findings)
    if (seen.insert(Fingerprint(finding["key"])).second) results.push_back(ToResult(finding));
  const Json file{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       Json::array({{{"tool", {{"driver", {{"name", "foothold check"}, {"rules", std::move(rules)}}}}},
                     {"results", std::move(results)}}})}};
  return file.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace foothold::check
