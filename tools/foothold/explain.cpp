// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/error_catalogue.h"
#include "foothold/command.h"
#include "foothold/explanation.h"
#include "foothold/rule_explanation.h"

namespace foothold {
namespace {

using Json = nlohmann::ordered_json;

class Explain final : public Command {
 public:
  void AddOptions(CLI::App& app) override;
  int Run(const CLI::App& app) override;

 private:
  int PrintAll() const;
  int PrintRules() const;
  bool PrintRule(const std::string& query, Json& list) const;
  int PrintQueries(const std::vector<std::string>& queries) const;

  std::vector<std::string> queries_;
  bool all_ = false;
  bool json_ = false;
  bool rules_ = false;
  bool markdown_ = false;
};

void Explain::AddOptions(CLI::App& app) {
  app.add_option(
      "error", queries_,
      "Error numbers (107000, 0x5010A002, -1), names (ACL_ERROR_RT_PARAM_INVALID, rt_param_invalid) or the "
      "codes in front of error texts (EE1003), or rules of foothold check (ACL-MEM-004)");
  app.add_flag("--all", all_, "List every error number");
  app.add_flag("--rules", rules_, "List every rule foothold check looks for");
  app.add_flag("--markdown", markdown_, "With --rules: as the page docs/rules.md");
  app.add_flag("--json", json_, "Answer in JSON");
  // A negative number looks like an option to the parser, so what it does not know comes back to be looked at
  // here.
  app.allow_extras();
}

// A question may hold any bytes; those that are not UTF-8 are replaced.
std::string Dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

bool IsNegativeNumber(const std::string& text) {
  return text.size() > 1 && text[0] == '-' && text.find_first_not_of("0123456789", 1) == std::string::npos;
}

int Explain::Run(const CLI::App& app) {
  std::vector<std::string> queries = queries_;
  for (const std::string& extra : app.remaining()) {
    if (!IsNegativeNumber(extra)) throw CLI::ExtrasError({extra});
    queries.push_back(extra);
  }
  if (all_ + rules_ + !queries.empty() != 1)
    throw CLI::ValidationError("explain", "give error numbers, names or rules, or --all, or --rules");
  if (rules_) return PrintRules();
  return all_ ? PrintAll() : PrintQueries(queries);
}

int Explain::PrintAll() const {
  Json list = Json::array();
  for (const CatalogueEntry* entry : AllErrors()) {
    if (json_) {
      list.push_back(ToJson(*entry));
    } else {
      fmt::print("{:>10}  {}  {}\n", entry->number, entry->name, entry->meaning);
    }
  }
  if (json_) fmt::print("{}\n", Dump(list));
  return 0;
}

int Explain::PrintRules() const {
  const std::string text = json_ ? Dump(RuleListJson()) + "\n" : markdown_ ? RulePage() : RuleList();
  fmt::print("{}", text);
  return 0;
}

// Whether the question is about a rule; then it is answered.
bool Explain::PrintRule(const std::string& query, Json& list) const {
  const check::Rule* const rule = AskedRule(query);
  if (rule == nullptr) return false;
  if (json_) {
    Json json{{"query", query}, {"known", true}};
    json.update(RuleJson(*rule));
    list.push_back(std::move(json));
  } else {
    fmt::print("{}", RuleText(*rule));
  }
  return true;
}

int Explain::PrintQueries(const std::vector<std::string>& queries) const {
  Json list = Json::array();
  bool all_known = true;
  for (const std::string& query : queries) {
    if (PrintRule(query, list)) continue;
    if (LooksLikeRule(query) && !json_) {
      fmt::print(stderr, "{} is not a rule that is looked for; foothold explain --rules lists them.\n",
                 query);
      all_known = false;
      continue;
    }
    const Explanation explanation(query);
    all_known = all_known && explanation.Known();
    if (json_) {
      list.push_back(explanation.ToJson());
    } else {
      std::FILE* const stream = explanation.Known() ? stdout : stderr;
      fmt::print(stream, "{}{}", &query == &queries.front() ? "" : "\n", explanation.ToText());
    }
  }
  if (json_) fmt::print("{}\n", Dump(list));
  return all_known ? 0 : kExitUnknown;
}

const RegisterCommand<Explain> explain("explain", "Say what an error number means and what to do about it");

}  // namespace
}  // namespace foothold
