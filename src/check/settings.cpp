// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/settings.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/environment.h"

namespace foothold::check {
namespace {

using Tell = std::function<void(const std::string& name, std::string text)>;

std::vector<std::string> SplitList(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    std::string_view word = text.substr(0, comma);
    while (!word.empty() && word.front() == ' ')
      word.remove_prefix(1);
    while (!word.empty() && word.back() == ' ')
      word.remove_suffix(1);
    if (!word.empty()) words.emplace_back(word);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return words;
}

std::string GroupNames() {
  std::string names;
  for (const Group group : AllGroups())
    names += fmt::format("{}, ", NameOf(group));
  return names;
}

void AddGroup(Settings& settings, Group group) {
  if (std::find(settings.groups.begin(), settings.groups.end(), group) == settings.groups.end())
    settings.groups.push_back(group);
}

// Groups of the design that have no rules yet; asking for them is no mistake.
bool IsEmptyGroup(std::string_view word) {
  return word == "init" || word == "pages";
}

void ReadWord(Settings& settings, const std::string& given, const Tell& tell) {
  std::string_view word = given;
  if (word.starts_with('-')) {
    const std::string_view id = word.substr(1);
    if (FindRule(id) != nullptr) return settings.left_out.emplace_back(id), void();
    return tell("CHECK", fmt::format("there is no rule \"{}\" to leave out (foothold explain --rules)", id));
  }
  if (word.starts_with('+')) word.remove_prefix(1);
  if (word == "all" || word == "1") {
    for (const Group group : AllGroups())
      AddGroup(settings, group);
    return;
  }
  if (word == "portability") return void(settings.portability = true);
  if (word == "advice") return void(settings.advice = true);
  for (const Group group : AllGroups())
    if (word == NameOf(group)) return AddGroup(settings, group);
  if (IsEmptyGroup(word)) return tell("CHECK", fmt::format("the group \"{}\" has no rules yet", word));
  tell("CHECK",
       fmt::format("there is no group \"{}\"; expected all, {}portability, advice, 0, or a rule with a minus",
                   word, GroupNames()));
}

template <typename T>
void Choose(const Lookup& lookup, const Tell& tell, const char* name,
            const std::vector<std::pair<std::string_view, T>>& choices, T& into) {
  const std::string text = lookup(name).value_or("");
  if (text.empty()) return;
  std::string list;
  for (const auto& [word, value] : choices) {
    if (text == word) {
      into = value;
      return;
    }
    list += fmt::format("{}{}", list.empty() ? "" : ", ", word);
  }
  tell(name, fmt::format("\"{}\" is not known; expected {}. Using {}", text, list, choices.front().first));
}

void ReadLimits(const Lookup& lookup, const Tell& tell, Settings& settings) {
  const std::string text = lookup("CHECK_LIMIT").value_or("");
  if (text.empty()) return;
  std::vector<std::int64_t> numbers;
  for (const std::string& word : SplitList(text))
    numbers.push_back(ParseInt(word).value_or(-1));
  const bool fine =
      (numbers.size() == 1 || numbers.size() == 2) && *std::min_element(numbers.begin(), numbers.end()) > 0;
  if (!fine)
    return tell("CHECK_LIMIT",
                fmt::format("\"{}\": expected a number of reports, or two: in all, and per rule and "
                            "place. Using {},{}",
                            text, settings.limit, settings.limit_per_site));
  settings.limit = static_cast<std::uint64_t>(numbers[0]);
  if (numbers.size() == 2) settings.limit_per_site = static_cast<std::uint64_t>(numbers[1]);
}

void ReadHang(const Lookup& lookup, const Tell& tell, Settings& settings) {
  const std::string text = lookup("CHECK_HANG").value_or("");
  if (text.empty()) return;
  const auto seconds = ParseInt(text);
  if (!seconds || *seconds < 0 || *seconds > 1'000'000)
    return tell("CHECK_HANG", fmt::format("\"{}\": expected seconds, or 0 for never. Using {}", text,
                                          settings.hang / kSecond));
  settings.hang = *seconds * kSecond;
}

}  // namespace

bool Settings::Wants(const Rule& rule) const {
  if (rule.severity == Severity::kPortability && !portability) return false;
  if (rule.severity == Severity::kAdvice && !advice) return false;
  return std::find(groups.begin(), groups.end(), rule.group) != groups.end() &&
         std::find(left_out.begin(), left_out.end(), rule.id) == left_out.end();
}

std::optional<Settings> ReadSettings(const Lookup& lookup, const Tell& tell) {
  const std::vector<std::string> words = SplitList(lookup("CHECK").value_or(""));
  if (words.empty() || (words.size() == 1 && words[0] == "0")) return std::nullopt;
  Settings settings;
  for (const std::string& word : words)
    ReadWord(settings, word, tell);
  if (settings.groups.empty())  // only additions, or only mistakes: to all there is
    ReadWord(settings, "all", tell);
  Choose<OnFinding>(lookup, tell, "CHECK_ON",
                    {{"report", OnFinding::kReport},
                     {"error", OnFinding::kError},
                     {"abort", OnFinding::kAbort},
                     {"break", OnFinding::kBreak}},
                    settings.on);
  Choose<StackMode>(lookup, tell, "CHECK_STACKS",
                    {{"auto", StackMode::kAuto},
                     {"full", StackMode::kFull},
                     {"caller", StackMode::kCaller},
                     {"none", StackMode::kNone}},
                    settings.stacks);
  settings.outputs = SplitList(lookup("CHECK_OUTPUT").value_or(""));
  if (settings.outputs.empty()) settings.outputs = {"stderr"};
  settings.suppressions = SplitList(lookup("CHECK_SUPPRESS").value_or(""));
  ReadLimits(lookup, tell, settings);
  ReadHang(lookup, tell, settings);
  for (const char* name : {"CHECK_QUARANTINE", "CHECK_GUARD", "CHECK_FILL"})
    if (!lookup(name).value_or("").empty())
      tell(name, "has no effect: this part of the mode does not exist yet");
  return settings;
}

}  // namespace foothold::check
