// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/check.h"

#include <fmt/format.h>

#include <atomic>
#include <cctype>
#include <mutex>

#include "base/environment.h"
#include "base/process_events.h"
#include "base/tell.h"
#include "check/guards.h"
#include "check/history.h"
#include "check/late_settings.h"
#include "check/leaks.h"
#include "check/open_things.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

std::atomic<const Settings*> the_settings{nullptr};

void Begin(Settings settings) {
  const Settings* expected = nullptr;
  const auto* const made = new Settings(std::move(settings));
  if (!the_settings.compare_exchange_strong(expected, made)) return delete made;
  SetStackMode(made->stacks);
  WatchObjects();
  Reporter::Get().Open();
  AtExit(ExitStage::kFindings, [] {
    LookAtGuards();
    ReportLeaksAtExit();
    ReportOpenThings();
    ReportLateSettings();
    Reporter::Get().WriteEnd();
  });
  watch::Begin(watch::kCheck);
}

void TellVariable(const std::string& name, const std::string& text) {
  const std::string variable = "FOOTHOLD_" + name;
  TellWrongSetting(variable.c_str(), variable + ": " + text);
}

// With the library, so that nothing is missed.
[[maybe_unused]] const bool begun = [] {
  try {
    auto settings = ReadSettings([](const std::string& name) { return GetEnv(("FOOTHOLD_" + name).c_str()); },
                                 &TellVariable);
    if (settings) Begin(std::move(*settings));
    return true;
  } catch (...) {  // no memory at load: unchecked
    return false;
  }
}();

// "CHECK_OUTPUT" is "output" in the section, "CHECK" is "groups".
std::string KeyOf(const std::string& name) {
  if (name == "CHECK") return "groups";
  std::string key = name.substr(std::string("CHECK_").size());
  for (char& letter : key)
    letter = static_cast<char>(std::tolower(letter));
  return key;
}

}  // namespace

const Settings& TheSettings() noexcept {
  static const Settings none;
  const Settings* const settings = the_settings.load(std::memory_order_acquire);
  return settings == nullptr ? none : *settings;
}

const Rule* Wanted(const char* id) noexcept {
  const Rule* const rule = FindRule(id);
  return rule != nullptr && TheSettings().Wants(*rule) ? rule : nullptr;
}

void BeginFromConfig(const std::map<std::string, std::string>& section) {
  if (the_settings.load() != nullptr) return;
  const auto lookup = [&](const std::string& name) -> std::optional<std::string> {
    const auto found = section.find(KeyOf(name));
    return found == section.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
  const auto tell = [](const std::string& name, const std::string& text) {
    Tell(LogLevel::kWarning, fmt::format("\"check\" of the configuration, \"{}\": {}", KeyOf(name), text));
  };
  if (auto settings = ReadSettings(lookup, tell)) Begin(std::move(*settings));
}

void WriteReports() noexcept {
  if (On()) Reporter::Get().WriteFiles();
}

}  // namespace foothold::check
