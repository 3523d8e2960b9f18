// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "collectives/settings.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "base/environment.h"
#include "base/error.h"
#include "collectives/codes.h"

namespace foothold::collectives {
namespace {

constexpr double kMostSeconds = 2147483647.0;

[[noreturn]] void RefuseSetting(const char* name, const std::string& text, const char* expected) {
  throw Error(kHcclPara, fmt::format("{} is \"{}\", but must be {}", name, text, expected),
              kTextHcclEnvironment);
}

}  // namespace

std::optional<Nanoseconds> ParseSeconds(const std::string& text) {
  const bool digits = text.find_first_not_of("0123456789.") == std::string::npos;
  if (!digits || text.empty() || text == ".") return std::nullopt;
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str(), &end);
  if (*end != '\0' || !(seconds <= kMostSeconds)) return std::nullopt;
  if (seconds == 0) return kForever;
  return std::max<Nanoseconds>(1, std::llround(seconds * static_cast<double>(kSecond)));
}

CommSettings CommSettings::FromEnvironment() {
  CommSettings settings;
  if (const auto text = GetEnv("HCCL_EXEC_TIMEOUT"); text && !text->empty()) {
    const auto time = ParseSeconds(*text);
    if (!time) RefuseSetting("HCCL_EXEC_TIMEOUT", *text, "seconds from 0 (no limit) to 2147483647");
    settings.exec_timeout = *time;
  }
  if (const auto text = GetEnv("HCCL_CONNECT_TIMEOUT"); text && !text->empty()) {
    const auto seconds = ParseInt(*text);
    if (!seconds || *seconds < 1 || *seconds > 7200)
      RefuseSetting("HCCL_CONNECT_TIMEOUT", *text, "whole seconds from 1 to 7200");
    settings.connect_timeout = *seconds * kSecond;
  }
  return settings;
}

}  // namespace foothold::collectives
