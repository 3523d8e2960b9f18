// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "base/environment.h"

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <memory>
#include <thread>

#include "base/cgroup.h"
#include "base/first_time.h"
#include "base/tell.h"

namespace foothold {
namespace {

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

char Upper(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

// Powers of 1024: "" 0, "K" 1, "KB" 1, "KiB" 1, ... ; nothing for an unknown unit.
std::optional<int> UnitPower(std::string_view unit) {
  if (unit.empty() || unit == "B" || unit == "b") return 0;
  const auto power = std::string_view("KMGT").find(Upper(unit[0]));
  if (power == std::string_view::npos) return std::nullopt;
  const std::string_view rest = unit.substr(1);
  const bool known = rest.empty() || (rest.size() == 1 && Upper(rest[0]) == 'B') ||
                     (rest.size() == 2 && Upper(rest[0]) == 'I' && Upper(rest[1]) == 'B');
  return known ? std::optional<int>(static_cast<int>(power) + 1) : std::nullopt;
}

int CpusInAffinityMask() {
  // The kernel refuses a mask smaller than its own, so the size grows until it fits.
  for (std::size_t cpus = 1024; cpus <= (1u << 20); cpus *= 2) {
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> mask(CPU_ALLOC(cpus),
                                                                [](cpu_set_t* set) { CPU_FREE(set); });
    if (!mask) break;
    if (sched_getaffinity(0, CPU_ALLOC_SIZE(cpus), mask.get()) == 0) {
      return CPU_COUNT_S(CPU_ALLOC_SIZE(cpus), mask.get());
    }
    if (errno != EINVAL) break;
  }
  return static_cast<int>(std::thread::hardware_concurrency());
}

}  // namespace

void TellWrongSetting(const char* name, std::string_view text) noexcept {
  if (FirstTime(name)) Tell(LogLevel::kWarning, text);
}

std::optional<std::string> GetEnv(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::optional<std::int64_t> ParseInt(std::string_view text) {
  const std::string_view digits = Trim(text);
  std::int64_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec != std::errc() || result.ptr != digits.data() + digits.size()) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> ParseBytes(std::string_view text) {
  const std::string_view trimmed = Trim(text);
  std::uint64_t value = 0;
  const auto result = std::from_chars(trimmed.data(), trimmed.data() + trimmed.size(), value);
  if (result.ec != std::errc()) return std::nullopt;
  const std::optional<int> power =
      UnitPower(Trim(trimmed.substr(static_cast<std::size_t>(result.ptr - trimmed.data()))));
  if (!power || value > std::numeric_limits<std::uint64_t>::max() >> (10 * *power)) return std::nullopt;
  return value << (10 * *power);
}

std::int64_t GetEnvInt(const char* name, std::int64_t fallback, std::int64_t least, std::int64_t greatest) {
  const std::string text = GetEnv(name).value_or("");
  if (text.empty()) return fallback;
  const std::optional<std::int64_t> value = ParseInt(text);
  if (value && *value >= least && *value <= greatest) return *value;
  TellWrongSetting(name, fmt::format("{} is \"{}\"; expected a whole number from {} to {}. Using {}.", name,
                                     text, least, greatest, fallback));
  return fallback;
}

std::uint64_t GetEnvBytes(const char* name, std::uint64_t fallback) {
  const std::string text = GetEnv(name).value_or("");
  if (text.empty()) return fallback;
  const std::optional<std::uint64_t> value = ParseBytes(text);
  if (value) return *value;
  TellWrongSetting(
      name,
      fmt::format("{} is \"{}\"; expected a number of bytes such as 1073741824, 512M or 4GiB. Using {}.",
                  name, text, fallback));
  return fallback;
}

int UsableCpus() {
  const int allowed = CpusInAffinityMask();
  const double quota = ReadCgroupLimits().cpus.value_or(allowed);
  return std::max(1, static_cast<int>(std::min<double>(allowed, quota)));
}

std::uint64_t UsableMemory() {
  const auto physical =
      static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return std::min(physical, ReadCgroupLimits().memory_bytes.value_or(physical));
}

std::optional<std::uint64_t> LastLevelCache() {
  for (const int level : {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE}) {
    if (const long bytes = sysconf(level); bytes > 0) return static_cast<std::uint64_t>(bytes);
  }
  return std::nullopt;
}

}  // namespace foothold
