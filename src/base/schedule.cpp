// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/schedule.h"

#include <fmt/format.h>

#include <atomic>
#include <string_view>

#include "base/environment.h"

namespace foothold::schedule {

constinit How chosen = How::kNone;

namespace {

constexpr Nanoseconds kLate = 20 * kMillisecond;
constexpr Nanoseconds kChosenHold = 250 * kMillisecond;

struct Plan {
  std::uint64_t seed = 0;
  std::string name, record, replay;
};
Plan& ThePlan() {
  static Plan* const plan = new Plan;
  return *plan;
}

std::atomic<void (*)()> call_end_listener{nullptr};

// The first word: how; "record=PATH" may follow. False: it cannot be understood.
bool Read(std::string_view text, Plan& plan, How& schedule) {
  const std::string_view how = text.substr(0, text.find(','));
  if (how.size() < text.size()) {
    const std::string_view more = text.substr(how.size() + 1);
    constexpr std::string_view kRecord = "record=";
    if (!more.starts_with(kRecord) || more.size() == kRecord.size()) return false;
    plan.record = more.substr(kRecord.size());
  }
  if (how == "early" || how == "late") {
    schedule = how == "early" ? How::kEarly : How::kLate;
    return plan.record.empty();
  }
  schedule = How::kChosen;
  if (how.starts_with("file:")) return plan.replay = how.substr(5), !plan.replay.empty();
  const auto seed = ParseInt(how);
  if (!seed || *seed < 0) return false;
  plan.seed = static_cast<std::uint64_t>(*seed);
  return true;
}

[[maybe_unused]] const bool begun = [] {
  try {
    const std::string wanted = GetEnv("FOOTHOLD_SCHEDULE").value_or("");
    if (wanted.empty()) return true;
    How schedule = How::kNone;
    ThePlan().name = wanted;
    if (Read(wanted, ThePlan(), schedule)) {
      chosen = schedule;
      watch::Begin(watch::kSchedule);
    } else {
      TellWrongSetting(
          "FOOTHOLD_SCHEDULE",
          fmt::format("FOOTHOLD_SCHEDULE is \"{}\"; expected early, late, a number or file:PATH, "
                      "and behind the last two perhaps ,record=PATH. Using none.",
                      wanted));
    }
  } catch (...) {  // no memory at load: as it comes
  }
  return true;
}();

}  // namespace

Nanoseconds LongestHold() noexcept {
  return chosen == How::kLate ? kLate : kChosenHold;
}

std::uint64_t Seed() noexcept {
  return ThePlan().seed;
}

const std::string& Record() noexcept {
  return ThePlan().record;
}

const std::string& Replay() noexcept {
  return ThePlan().replay;
}

void SetCallEndListener(void (*listener)()) noexcept {
  call_end_listener.store(listener);
}

void CallEnds() noexcept {
  if (void (*const listener)() = call_end_listener.load(std::memory_order_relaxed)) listener();
}

const char* Name() noexcept {
  return watch::Is(watch::kSchedule) ? ThePlan().name.c_str() : nullptr;
}

}  // namespace foothold::schedule
