// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstdarg>
#include <cstdio>

#include "acl/acl_base.h"
#include "base/log.h"

using namespace foothold;

namespace {

constexpr size_t kMaxLine = 1024;

LogLevel LevelOf(aclLogLevel level) {
  switch (level) {
    case ACL_DEBUG:
      return LogLevel::kDebug;
    case ACL_INFO:
      return LogLevel::kInfo;
    case ACL_WARNING:
      return LogLevel::kWarning;
    case ACL_ERROR:
      return LogLevel::kError;
  }
  return LogLevel::kError;  // a level of a newer header is worth being seen
}

}  // namespace

void aclAppLog(aclLogLevel logLevel, const char* func, const char* file, uint32_t line, const char* fmt,
               ...) {
  const LogLevel level = LevelOf(logLevel);
  if (fmt == nullptr || !LogEnabled(level)) return;
  char text[kMaxLine + 1];
  int length = std::snprintf(text, sizeof(text), "%s:%u %s: ", file == nullptr ? "?" : file, line,
                             func == nullptr ? "?" : func);
  if (length >= 0 && static_cast<size_t>(length) < sizeof(text)) {
    va_list arguments;
    va_start(arguments, fmt);
    if (std::vsnprintf(text + length, sizeof(text) - static_cast<size_t>(length), fmt, arguments) < 0)
      text[length] = '\0';
    va_end(arguments);
  }
  WriteLog(level, text);
}
