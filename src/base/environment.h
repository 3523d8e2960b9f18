// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Settings read from environment variables, and what the machine lets this process use. A value that cannot
// be understood is told on standard error, once for each variable, and logged, with what was expected; the
// default is used. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace foothold {

std::optional<std::string> GetEnv(const char* name);

// A whole number within [least, greatest]. An empty value counts as not set, here and below.
std::int64_t GetEnvInt(const char* name, std::int64_t fallback, std::int64_t least, std::int64_t greatest);

// A byte count: digits with an optional K, M, G or T (powers of 1024; an "iB" or "B" may follow).
std::uint64_t GetEnvBytes(const char* name, std::uint64_t fallback);

// The texts GetEnvInt and GetEnvBytes accept, white space around them allowed; nothing for any other.
std::optional<std::int64_t> ParseInt(std::string_view text);
std::optional<std::uint64_t> ParseBytes(std::string_view text);

// Tells that a setting cannot be used, once for each variable.
void TellWrongSetting(const char* name, std::string_view text) noexcept;

// CPUs this process may run on: affinity mask and whole CPUs of the cgroup quota (v1 and v2), at least 1.
int UsableCpus();

// Bytes of memory this process may use: physical memory or cgroup limit (v1 and v2), whichever is lower.
std::uint64_t UsableMemory();

// Bytes of the largest cache; nothing if the machine does not say.
std::optional<std::uint64_t> LastLevelCache();

}  // namespace foothold
