// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The library's log. Level and sink come from the environment, read once: ASCEND_GLOBAL_LOG_LEVEL (0 debug …
// 4 none, default 3), ASCEND_SLOG_PRINT_TO_STDOUT (1: standard output and no file), ASCEND_PROCESS_LOG_PATH
// (a directory; each process writes <directory>/debug/plog/plog-<pid>_<UTC time>.log, and older parts of it
// beside it). With neither there is no log. The library never prints anywhere else. Any thread, also in a
// forked child. A record is
//
//   [ERROR] FOOTHOLD(<pid>,<tid>):2025-01-31T12:00:00.123456Z text
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <utility>

namespace foothold {

enum class LogLevel { kDebug = 0, kInfo = 1, kWarning = 2, kError = 3, kNone = 4 };

bool LogEnabled(LogLevel level) noexcept;
void WriteLog(LogLevel level, std::string_view text) noexcept;

// Where this process's records go, for people: "standard output", a file, "none", or "none: " and why.
std::string DescribeLogSink();

template <typename... Args>
void Log(LogLevel level, fmt::format_string<Args...> format, Args&&... args) noexcept {
  if (!LogEnabled(level)) return;
  try {
    WriteLog(level, fmt::format(format, std::forward<Args>(args)...));
  } catch (...) {  // a log line is never worth a failure
  }
}

}  // namespace foothold
