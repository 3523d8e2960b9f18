// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "check/resolved_finding.h"
#include "check/suppressions.h"

namespace foothold::check {
namespace {

using Json = nlohmann::ordered_json;

Json ToJson(const std::vector<Frame>& frames) {
  Json list = Json::array();
  for (const Frame& frame : frames) {
    Json one{{"function", frame.function}, {"module", frame.module}, {"offset", frame.offset}};
    if (!frame.file.empty()) one["file"] = frame.file, one["line"] = frame.line;
    list.push_back(std::move(one));
  }
  return list;
}

Json ToJson(const Act& act, const std::vector<Frame>& frames) {
  Json json{{"call", act.call}, {"arguments", act.arguments}};
  if (!act.does.empty()) json["does"] = act.does;
  json["agent"] = act.agent.empty() ? "host" : act.agent;
  if (act.task) json["task"] = *act.task;
  json["thread"] = act.site.thread;
  json["stack"] = ToJson(frames);
  return json;
}

Json ToJson(const Object& object, const ResolvedFinding& found) {
  Json history = Json::array();
  for (const auto& [how, site] : object.history)
    history.push_back({{"how", how},
                       {"call", site.call == nullptr ? "" : site.call},
                       {"thread", site.thread},
                       {"stack", ToJson(found.StackOf(site))}});
  return {{"kind", object.label}, {"text", object.text}, {"history", std::move(history)}};
}

double Seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

std::string JsonOf(const ResolvedFinding& found) {
  const Finding& finding = found.finding;
  Json json{{"rule", finding.rule->id},
            {"group", NameOf(finding.rule->group)},
            {"severity", NameOf(finding.weight())},
            {"message", finding.headline},
            {"time", Seconds()},
            {"process", getpid()},
            {"now", ToJson(finding.now, found.NowStack())}};
  if (finding.before) json["before"] = ToJson(*finding.before, found.BeforeStack());
  json["objects"] = Json::array();
  for (const Object& object : finding.objects)
    json["objects"].push_back(ToJson(object, found));
  json["edges"] = finding.order.empty() ? Json::array() : Json::array({finding.order});
  json["fix"] = finding.fix.empty() ? finding.rule->fixes : finding.fix;
  Json key = Json::object();
  for (const auto& [name, value] : found.Key())
    key[name] = value;
  json["key"] = std::move(key);
  json["count"] = finding.places;
  json["suppression"] = SuppressionFor(finding.rule->id, found.NowStack(), found.BeforeStack());
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace foothold::check
