// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Settings read from environment variables, and what the machine lets this process use. A value that cannot be
// understood is logged with what was expected, and the default is used.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace foothold {

std::optional<std::string> GetEnv(const char* name);

// A whole number within [least, greatest].
std::int64_t GetEnvInt(const char* name, std::int64_t fallback, std::int64_t least, std::int64_t greatest);

// A byte count: digits with an optional K, M, G or T (powers of 1024; an "iB" or "B" may follow).
std::uint64_t GetEnvBytes(const char* name, std::uint64_t fallback);

// CPUs this process may run on: affinity mask and cgroup quota (v1 and v2), at least 1.
int UsableCpus();

// Bytes of memory this process may use: physical memory or cgroup limit, whichever is lower.
std::uint64_t UsableMemory();

}  // namespace foothold
