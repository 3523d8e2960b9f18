// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "check/schedule.h"

#include <fmt/format.h>

#include "base/environment.h"

namespace foothold::check {
namespace {

[[maybe_unused]] const bool begun = [] {
  try {
    const std::string wanted = GetEnv("FOOTHOLD_SCHEDULE").value_or("");
    if (wanted == "late")
      watch::Begin(watch::kSchedule);
    else if (!wanted.empty())
      TellWrongSetting(
          "FOOTHOLD_SCHEDULE",
          fmt::format("FOOTHOLD_SCHEDULE is \"{}\"; there is only \"late\" yet. Using none.", wanted));
  } catch (...) {  // no memory at load: as it comes
  }
  return true;
}();

}  // namespace

const char* ScheduleName() noexcept {
  return RunsLate() ? "late" : nullptr;
}

}  // namespace foothold::check
