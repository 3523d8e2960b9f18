// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/late_settings.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <utility>

#include "base/per_process.h"
#include "check/call_finding.h"
#include "check/reporter.h"

namespace foothold::check {
namespace {

struct State {
  Site used;  // the last thing it would have been for
  Site late;  // made after that; empty: not
  bool missed = false;
};

struct AllSettings {
  static AllSettings& Get() { return PerProcess<AllSettings>::Get(); }

  std::mutex mutex;  // guards the map
  std::map<std::pair<Setting, std::uint64_t>, State> states;
};

const char* RuleOf(Setting setting) {
  return setting == Setting::kDump ? "ACL-DUMP-003" : "ACL-USE-001";
}

const char* HeadlineOf(Setting setting) {
  switch (setting) {
    case Setting::kSaturation:
      return "the mode of saturation was set after the last stream was made";
    case Setting::kTimeLimit:
      return "the time limit of waits was set after the last wait was queued";
    case Setting::kAllocator:
      return "the allocator of a stream was registered after its last run";
    case Setting::kDump:
      return "the dump was configured after the last model was loaded";
    case Setting::kProfile:
      return "the profile was begun after the last model was loaded";
  }
  return "";
}

bool NeedsMiss(Setting setting) {
  return setting == Setting::kDump || setting == Setting::kProfile;
}

void Report(Setting setting, const State& state) {
  auto finding = FindingAt(RuleOf(setting), state.late, HeadlineOf(setting));
  if (!finding) return;
  finding->before = ActAt(state.used, "made or ran the last thing it would hold for");
  Reporter::Get().ReportLater(std::move(*finding));
}

}  // namespace

void NoteSetting(Setting setting, std::uint64_t of) noexcept try {
  AllSettings& settings = AllSettings::Get();
  const std::lock_guard<std::mutex> lock(settings.mutex);
  State& state = settings.states[{setting, of}];
  state.late = state.used ? SiteHere() : Site{};
} catch (...) {
}

void NoteUseOf(Setting setting, std::uint64_t of) noexcept try {
  AllSettings& settings = AllSettings::Get();
  const std::lock_guard<std::mutex> lock(settings.mutex);
  settings.states[{setting, of}] = {SiteHere(), {}};
} catch (...) {
}

void SettingMissed(Setting setting) noexcept try {
  AllSettings& settings = AllSettings::Get();
  const std::lock_guard<std::mutex> lock(settings.mutex);
  State& state = settings.states[{setting, 0}];
  state.missed = state.missed || state.late;
} catch (...) {
}

void SettingEnded(Setting setting) noexcept try {
  AllSettings& settings = AllSettings::Get();
  const std::lock_guard<std::mutex> lock(settings.mutex);
  State& state = settings.states[{setting, 0}];
  if (!state.missed) state.late = {};
} catch (...) {
}

void ReportLateSettings() noexcept try {
  std::map<std::pair<Setting, std::uint64_t>, State> states;
  {
    AllSettings& settings = AllSettings::Get();
    const std::lock_guard<std::mutex> lock(settings.mutex);
    states = settings.states;
  }
  for (const auto& [key, state] : states)
    if (state.late && (state.missed || !NeedsMiss(key.first))) Report(key.first, state);
} catch (...) {
}

}  // namespace foothold::check
