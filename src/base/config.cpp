// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/config.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/config_section.h"
#include "base/error.h"
#include "base/json_text.h"
#include "base/log.h"

namespace foothold {
namespace {

constexpr ConfigSection::TextCodes kTextCodes = {"EH0004", "EH0004", "EH0004", "EH0004"};

// Keys that set up the cores of an NPU.
constexpr const char* kIgnoredKeys[] = {"StackSize", "simt_printf_fifo_size",
                                        "simd_printf_fifo_size_per_core"};

template <typename T>
std::optional<T> ParseDecimal(std::string_view text) {
  T value{};
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = result.ec == std::errc() && result.ptr == text.data() + text.size();
  return whole ? std::optional<T>(value) : std::nullopt;
}

std::uint64_t ParseMaxOperatorModels(const nlohmann::json& json) {
  const ConfigSection section(json, "", kInvalidMaxOpQueueNum, kTextCodes);
  const char* const key = "max_opqueue_num";
  if (!section.Has(key)) return InitConfig().max_operator_models;
  const nlohmann::json& value = section.Get(key);
  const auto number =
      value.is_string() ? ParseDecimal<std::uint64_t>(value.get_ref<const std::string&>()) : std::nullopt;
  if (!number || *number == 0)
    section.FailInvalid(key, ShowJson(value), "a positive number as text, such as \"20000\"");
  return *number;
}

ErrorScope ParseErrorScope(const ConfigSection& section) {
  constexpr std::pair<std::string_view, ErrorScope> kScopes[] = {{"0", ErrorScope::kThread},
                                                                 {"1", ErrorScope::kProcess}};
  return section.Choose("err_msg_mode", kScopes, ErrorScope::kThread);
}

std::optional<std::int32_t> ParseDefaultDevice(const nlohmann::json& json) {
  if (!json.contains("defaultDevice")) return std::nullopt;
  const ConfigSection section(json.at("defaultDevice"), "defaultDevice", kInvalidParam, kTextCodes);
  section.LogOtherKeys({"default_device"});
  const std::optional<std::string> text = section.Text("default_device");
  if (!text) section.FailMissing("default_device", "it names the device, for instance \"0\"");
  const auto id = ParseDecimal<std::int32_t>(*text);
  if (!id || *id < 0)
    section.FailInvalid("default_device", ShowJson(*text), "a device id as text, such as \"0\"");
  return id;
}

std::map<std::string, std::string> ParseCheck(const nlohmann::json& json) {
  if (!json.contains("check")) return {};
  const ConfigSection section(json.at("check"), "check", kInvalidParam, kTextCodes);
  section.LogOtherKeys(
      {"groups", "on", "output", "suppress", "limit", "stacks", "hang", "quarantine", "guard", "fill"});
  std::map<std::string, std::string> texts;
  for (const auto& item : json.at("check").items())
    texts[item.key()] = section.Text(item.key().c_str()).value_or("");
  return texts;
}

void LogKeysWithoutEffect(const nlohmann::json& json) {
  for (const char* key : kIgnoredKeys) {
    if (json.contains(key))
      Log(LogLevel::kInfo, "the configuration key \"{}\" concerns an NPU only and has no effect", key);
  }
}

}  // namespace

bool SameSettings(const InitConfig& a, const InitConfig& b) {
  return a.dump == b.dump && a.profiler == b.profiler && a.max_operator_models == b.max_operator_models &&
         a.error_scope == b.error_scope && a.default_device == b.default_device && a.check == b.check;
}

InitConfig ParseInitConfig(const std::string& text) {
  const nlohmann::json json = ParseConfigText(text);
  const ConfigSection section(json, "", kInvalidParam, kTextCodes);
  section.LogOtherKeys({"dump", "profiler", "max_opqueue_num", "err_msg_mode", "defaultDevice", "check",
                        kIgnoredKeys[0], kIgnoredKeys[1], kIgnoredKeys[2]});
  LogKeysWithoutEffect(json);
  InitConfig config;
  config.text = text;
  if (json.contains("dump")) config.dump = ParseDumpConfig(json.at("dump"));
  if (json.contains("profiler")) config.profiler = ParseProfilerConfig(json.at("profiler"));
  config.max_operator_models = ParseMaxOperatorModels(json);
  config.error_scope = ParseErrorScope(section);
  config.default_device = ParseDefaultDevice(json);
  config.check = ParseCheck(json);
  if (config.dump && config.profiler && config.profiler->enabled) {
    Log(LogLevel::kWarning, "dump and profiling are both on: the times of the profile include the dump");
  }
  return config;
}

InitConfig LoadInitConfig(const char* path) {
  if (path == nullptr || *path == '\0') return {};
  const std::string text = ReadConfigFile(path);
  try {
    return ParseInitConfig(text);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("{} (in \"{}\")", error.message(), path), error.text_code());
  }
}

}  // namespace foothold
