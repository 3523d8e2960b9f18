// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/dump_config.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "base/config_section.h"
#include "base/error_catalogue.h"
#include "base/failure_text.h"
#include "base/json_text.h"

namespace foothold {
namespace {

constexpr ConfigSection::TextCodes kTextCodes = {kTextDumpItemMissing, kTextDumpValueNotInList,
                                                 kTextDumpValueInvalid, kTextDumpConflict};

template <typename T>
using Choice = std::pair<std::string_view, T>;

constexpr Choice<DumpMode> kModes[] = {
    {"input", DumpMode::kInput}, {"output", DumpMode::kOutput}, {"all", DumpMode::kAll}};
constexpr Choice<DumpLevel> kLevels[] = {
    {"op", DumpLevel::kOp}, {"kernel", DumpLevel::kKernel}, {"all", DumpLevel::kAll}};
constexpr Choice<DumpData> kDataForms[] = {{"tensor", DumpData::kTensor}, {"stats", DumpData::kStatistics}};
constexpr Choice<DumpScene> kScenes[] = {{"normal", DumpScene::kNormal},
                                         {"lite_exception", DumpScene::kLiteException},
                                         {"aic_err_brief_dump", DumpScene::kBriefException},
                                         {"aic_err_norm_dump", DumpScene::kNormException},
                                         {"aic_err_detail_dump", DumpScene::kDetailException},
                                         {"watcher", DumpScene::kWatcher}};
constexpr Choice<DumpStatistic> kStatistics[] = {{"Max", DumpStatistic::kMax},
                                                 {"Min", DumpStatistic::kMin},
                                                 {"Avg", DumpStatistic::kAverage},
                                                 {"L2norm", DumpStatistic::kL2Norm},
                                                 {"Nan", DumpStatistic::kNan},
                                                 {"Negative Inf", DumpStatistic::kNegativeInf},
                                                 {"Positive Inf", DumpStatistic::kPositiveInf}};
constexpr Choice<DumpKernelData> kKernelData[] = {{"all", DumpKernelData::kAll},
                                                  {"printf", DumpKernelData::kPrintf},
                                                  {"tensor", DumpKernelData::kTensor},
                                                  {"assert", DumpKernelData::kAssert},
                                                  {"timestamp", DumpKernelData::kTimestamp}};

bool IsExceptionScene(DumpScene scene) {
  return scene == DumpScene::kLiteException || scene == DumpScene::kBriefException ||
         scene == DumpScene::kNormException || scene == DumpScene::kDetailException;
}

template <typename T, std::size_t kCount>
std::vector<T> ChooseEach(const ConfigSection& section, const char* key,
                          const std::vector<std::string_view>& names, const Choice<T> (&choices)[kCount]) {
  std::vector<T> chosen;
  for (const std::string_view name : names) {
    const auto found = std::find_if(std::begin(choices), std::end(choices),
                                    [&](const auto& one) { return one.first == name; });
    if (found == std::end(choices)) {
      std::string_view list[kCount];
      std::transform(std::begin(choices), std::end(choices), list, [](const auto& one) { return one.first; });
      section.FailNotInList(key, ShowJson(std::string(name)), list);
    }
    if (std::find(chosen.begin(), chosen.end(), found->second) == chosen.end())
      chosen.push_back(found->second);
  }
  return chosen;
}

// "input0", "output2".
std::optional<DumpExclusion::Position> ParsePosition(std::string_view text) {
  DumpExclusion::Position position;
  position.is_input = text.substr(0, 5) == "input";
  if (!position.is_input && text.substr(0, 6) != "output") return std::nullopt;
  const std::string_view digits = text.substr(position.is_input ? 5 : 6);
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), position.index);
  const bool whole = result.ec == std::errc() && result.ptr == digits.data() + digits.size();
  return whole ? std::optional(position) : std::nullopt;
}

DumpExclusion ParseExclusion(const nlohmann::json& item, const std::string& list) {
  const ConfigSection section(item, "dump.dump_list." + list, kInvalidDumpConfig, kTextCodes);
  section.LogOtherKeys({"name", "pos"});
  DumpExclusion exclusion{.name = section.Text("name").value_or(""), .positions = {}};
  if (exclusion.name.empty()) section.FailMissing("name", "it says what is left out");
  for (const std::string& text : section.Texts("pos")) {
    const auto position = ParsePosition(text);
    if (!position) section.FailInvalid("pos", ShowJson(text), "positions such as \"input0\" and \"output1\"");
    exclusion.positions.push_back(*position);
  }
  return exclusion;
}

std::vector<DumpExclusion> ParseExclusions(const ConfigSection& section, const char* key) {
  std::vector<DumpExclusion> exclusions;
  if (!section.Has(key)) return exclusions;
  const nlohmann::json& list = section.Get(key);
  if (!list.is_array()) section.FailInvalid(key, ShowJson(list), "an array of objects");
  for (const nlohmann::json& item : list)
    exclusions.push_back(ParseExclusion(item, key));
  return exclusions;
}

DumpSelection ParseSelection(const nlohmann::json& item) {
  const ConfigSection section(item, "dump.dump_list", kInvalidDumpConfig, kTextCodes);
  section.LogOtherKeys({"model_name", "layer", "watcher_nodes", "opname_blacklist", "optype_blacklist"});
  DumpSelection selection{.model_name = section.Text("model_name").value_or(""),
                          .layers = section.Texts("layer"),
                          .watcher_nodes = section.Texts("watcher_nodes"),
                          .excluded_names = ParseExclusions(section, "opname_blacklist"),
                          .excluded_types = ParseExclusions(section, "optype_blacklist")};
  if (section.Has("model_name") && selection.model_name.empty()) {
    section.FailInvalid("model_name", "\"\"", "the name of a model, or no such key for all models");
  }
  return selection;
}

std::vector<DumpSelection> ParseSelections(const ConfigSection& section) {
  std::vector<DumpSelection> selections;
  if (!section.Has("dump_list")) return selections;
  const nlohmann::json& list = section.Get("dump_list");
  if (!list.is_array()) section.FailInvalid("dump_list", ShowJson(list), "an array of objects");
  for (const nlohmann::json& item : list)
    selections.push_back(ParseSelection(item));
  return selections;
}

std::optional<std::uint64_t> ParseStep(std::string_view text) {
  std::uint64_t step = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), step);
  const bool whole = result.ec == std::errc() && result.ptr == text.data() + text.size();
  return whole ? std::optional(step) : std::nullopt;
}

// "7" or "3-5".
std::optional<DumpSteps> ParseStepRange(std::string_view text) {
  const std::size_t dash = text.find('-');
  const std::optional<std::uint64_t> first = ParseStep(text.substr(0, dash));
  const std::optional<std::uint64_t> last =
      dash == std::string_view::npos ? first : ParseStep(text.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return DumpSteps{*first, *last};
}

std::vector<DumpSteps> ParseSteps(const ConfigSection& section) {
  const std::optional<std::string> text = section.Text("dump_step");
  std::vector<DumpSteps> steps;
  if (!text) return steps;
  for (std::size_t begin = 0; begin <= text->size();) {
    const std::size_t end = std::min(text->find('|', begin), text->size());
    const std::optional<DumpSteps> range = ParseStepRange(std::string_view(*text).substr(begin, end - begin));
    if (!range) {
      section.FailInvalid("dump_step", ShowJson(*text),
                          "numbers and ascending ranges joined by |, such as \"0|3-5|10\"");
    }
    steps.push_back(*range);
    begin = end + 1;
  }
  return steps;
}

std::vector<DumpStatistic> ParseStatistics(const ConfigSection& section) {
  const std::vector<std::string> names = section.Texts("dump_stats");
  if (section.Has("dump_stats") && names.empty()) {
    section.FailInvalid("dump_stats", "[]", "at least one statistic, or no such key for all of them");
  }
  return ChooseEach(section, "dump_stats", {names.begin(), names.end()}, kStatistics);
}

std::vector<DumpKernelData> ParseKernelData(const ConfigSection& section) {
  const std::optional<std::string> text = section.Text("dump_kernel_data");
  if (!text) return {};
  std::vector<std::string_view> names = SplitText(*text, ',');
  for (std::string_view& name : names) {
    name.remove_prefix(std::min(name.find_first_not_of(' '), name.size()));
    name = name.substr(0, name.find_last_not_of(' ') + 1);
  }
  if (names.empty()) section.FailInvalid("dump_kernel_data", "\"\"", "a list such as \"printf,tensor\"");
  return ChooseEach(section, "dump_kernel_data", names, kKernelData);
}

// An empty object in the list is how a configuration for single operators says "no models".
bool SelectsModels(const DumpConfig& config) {
  return std::any_of(config.selections.begin(), config.selections.end(),
                     [](const DumpSelection& one) { return one != DumpSelection(); });
}

void CheckWatcher(const ConfigSection& section, const DumpConfig& config) {
  if (config.mode != DumpMode::kOutput)
    section.FailConflict("dump_scene \"watcher\" needs dump_mode \"output\"");
  if (config.overflow_only) section.FailConflict("dump_scene \"watcher\" excludes dump_debug \"on\"");
  if (config.single_operators) section.FailConflict("dump_scene \"watcher\" excludes dump_op_switch \"on\"");
  if (config.selections.empty()) section.FailMissing("dump_list", "dump_scene \"watcher\" needs it");
  for (const DumpSelection& one : config.selections) {
    if (!one.excluded_names.empty() || !one.excluded_types.empty())
      section.FailConflict("dump_scene \"watcher\" excludes black lists in dump_list");
    if (!one.model_name.empty())
      section.FailConflict("dump_scene \"watcher\" excludes model_name in dump_list");
    if (one.layers.empty())
      section.FailMissing("layer", "dump_scene \"watcher\" needs it in every item of dump_list");
    if (one.watcher_nodes.empty()) {
      section.FailMissing("watcher_nodes", "dump_scene \"watcher\" needs it in every item of dump_list");
    }
  }
}

void CheckExclusions(const ConfigSection& section, const DumpConfig& config) {
  const bool data_dump = SelectsModels(config) || config.single_operators;
  if (config.overflow_only && data_dump) {
    section.FailConflict("dump_debug \"on\" excludes models in dump_list and dump_op_switch \"on\"");
  }
  if (IsExceptionScene(config.scene) && (data_dump || config.overflow_only)) {
    section.FailConflict(
        "a dump_scene for exceptions excludes models in dump_list, dump_op_switch \"on\" and dump_debug "
        "\"on\"");
  }
  if (section.Has("dump_stats") && config.scene != DumpScene::kNone) {
    section.FailConflict("dump_stats and dump_scene exclude each other");
  }
  if (section.Has("dump_stats") && config.data != DumpData::kStatistics) {
    section.FailConflict("dump_stats needs dump_data \"stats\"");
  }
  if (config.scene == DumpScene::kWatcher) return CheckWatcher(section, config);
  const bool watches = std::any_of(config.selections.begin(), config.selections.end(),
                                   [](const DumpSelection& one) { return !one.watcher_nodes.empty(); });
  if (watches) section.FailConflict("watcher_nodes in dump_list needs dump_scene \"watcher\"");
}

// Without anything to dump the configuration is a mistake, not a wish for nothing.
void CheckThatSomethingIsDumped(const ConfigSection& section, const DumpConfig& config) {
  const bool without_list = config.single_operators || config.overflow_only ||
                            IsExceptionScene(config.scene) || !config.kernel_data.empty();
  if (without_list || !config.selections.empty()) return;
  section.FailMissing("dump_list",
                      "it names the models to dump; [{}] stands for all. For single operators set "
                      "dump_op_switch to \"on\" instead");
}

void CheckPath(const ConfigSection& section, const DumpConfig& config) {
  if (section.Has("dump_path")) return section.CheckDirectory("dump_path", config.path);
  if (!IsExceptionScene(config.scene)) section.FailMissing("dump_path", "it names the directory to write to");
}

}  // namespace

bool DumpConfig::IncludesStep(std::uint64_t step) const {
  return steps.empty() || std::any_of(steps.begin(), steps.end(), [step](const DumpSteps& range) {
           return range.first <= step && step <= range.last;
         });
}

bool DumpConfig::ForExceptions() const {
  return IsExceptionScene(scene);
}

DumpConfig ParseDumpConfig(const nlohmann::json& dump) {
  const ConfigSection section(dump, "dump", kInvalidDumpConfig, kTextCodes);
  section.LogOtherKeys({"dump_path", "dump_list", "dump_mode", "dump_level", "dump_op_switch", "dump_data",
                        "dump_step", "dump_stats", "dump_debug", "dump_scene", "dump_kernel_data"});
  DumpConfig config{.path = section.Text("dump_path").value_or(""),
                    .selections = ParseSelections(section),
                    .mode = section.Choose("dump_mode", kModes, DumpMode::kOutput),
                    .level = section.Choose("dump_level", kLevels, DumpLevel::kAll),
                    .single_operators = section.Switch("dump_op_switch"),
                    .data = section.Choose("dump_data", kDataForms, DumpData::kTensor),
                    .steps = ParseSteps(section),
                    .statistics = ParseStatistics(section),
                    .overflow_only = section.Switch("dump_debug"),
                    .scene = section.Choose("dump_scene", kScenes, DumpScene::kNone),
                    .kernel_data = ParseKernelData(section)};
  CheckExclusions(section, config);
  CheckThatSomethingIsDumped(section, config);
  CheckPath(section, config);
  if (config.single_operators && !SelectsModels(config)) config.selections.clear();
  return config;
}

DumpConfig LoadDumpConfig(const char* path) {
  const nlohmann::json json = ParseConfigText(ReadConfigFile(path), kTextDumpNotJson);
  if (!json.contains("dump")) {
    throw Error(kInvalidDumpConfig, fmt::format("\"{}\" has no key \"dump\"", path), kTextDumpItemMissing);
  }
  return ParseDumpConfig(json.at("dump"));
}

}  // namespace foothold
