// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "foothold/rule_explanation.h"

#include <fmt/format.h>

#include <cctype>
#include <nlohmann/json.hpp>

#include "base/error_catalogue.h"

namespace foothold {
namespace {

using Json = nlohmann::ordered_json;
using check::NameOf;
using check::Rule;

std::string Lines(const char* title, const char* lines) {
  std::string text = fmt::format("  {}:\n", title);
  for (const std::string_view line : SplitText(lines, '\n'))
    text += fmt::format("    - {}\n", line);
  return text;
}

std::string OneLine(std::string text) {
  for (char& letter : text)
    if (letter == '\n') letter = ' ';
  return text;
}

const char* HowToAsk(check::Severity severity) {
  switch (severity) {
    case check::Severity::kPortability:
      return "  Looked for with +portability: it works here, and is documented as wrong for a device.\n";
    case check::Severity::kAdvice:
      return "  Looked for with +advice.\n";
    default:
      return "";
  }
}

}  // namespace

const Rule* AskedRule(std::string query) {
  for (char& letter : query)
    letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return check::FindRule(query);
}

bool LooksLikeRule(const std::string& query) {
  for (const char* front : {"ACL-", "NN-", "GE-", "acl-", "nn-", "ge-"})
    if (query.starts_with(front)) return true;
  return false;
}

std::string RuleText(const Rule& rule) {
  return fmt::format("{}  {}, group {}\n  {}\n{}{}{}  More: docs/{}\n", rule.id, NameOf(rule.severity),
                     NameOf(rule.group), rule.sentence, HowToAsk(rule.severity),
                     Lines("Usual causes", rule.causes), Lines("What to do", rule.fixes), rule.chapter);
}

Json RuleJson(const Rule& rule) {
  return {{"id", rule.id},
          {"group", NameOf(rule.group)},
          {"severity", NameOf(rule.severity)},
          {"sentence", rule.sentence},
          {"causes", SplitText(rule.causes, '\n')},
          {"fixes", SplitText(rule.fixes, '\n')},
          {"chapter", rule.chapter}};
}

std::string RuleList() {
  std::string text;
  for (const Rule& rule : check::AllRules())
    text += fmt::format("{:<16}{:<13}{:<8}{}\n", rule.id, NameOf(rule.severity), NameOf(rule.group),
                        rule.sentence);
  return text;
}

Json RuleListJson() {
  Json list = Json::array();
  for (const Rule& rule : check::AllRules())
    list.push_back(RuleJson(rule));
  return list;
}

std::string RulePage() {
  std::string text = fmt::format(
      "# Rules\n\nWhat [`foothold check`](checking.md) looks for today: {} rules. Made by `foothold explain "
      "--rules "
      "--markdown`; a\ntest holds the two together. `foothold explain ACL-MEM-004` says the same on the "
      "command line.\n",
      check::AllRules().size());
  for (const check::Group group : check::AllGroups()) {
    std::string rows;
    for (const Rule& rule : check::AllRules())
      if (rule.group == group)
        rows += fmt::format("| {} | {} | {} | {} | {} |\n", rule.id, NameOf(rule.severity), rule.sentence,
                            OneLine(rule.causes), OneLine(rule.fixes));
    if (rows.empty()) continue;
    text += fmt::format(
                "\n## Group `{}`\n\n| id | severity | rule | usual causes | what to do "
                "|\n|---|---|---|---|---|\n",
                NameOf(group)) +
            rows;
  }
  return text;
}

}  // namespace foothold
