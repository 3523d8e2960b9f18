// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <cstdarg>
#include <cstdio>

#include "acl/acl_base.h"
#include "base/acl_log.h"
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

void WriteModuleLog(int32_t module, LogLevel level, const char* format, va_list arguments) {
  char text[kMaxLine + 1];
  const int length = std::snprintf(text, sizeof(text), "module %d: ", module);
  if (std::vsnprintf(text + length, sizeof(text) - static_cast<size_t>(length), format, arguments) < 0)
    text[length] = '\0';
  WriteLog(level, text);
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

int32_t acllogCheckDebugLevel(int32_t /*moduleId*/, int32_t logLevel) {
  return LogEnabled(LevelOf(static_cast<aclLogLevel>(logLevel))) ? 1 : 0;
}

void acllogRecord(int32_t moduleId, int32_t level, const char* fmt, ...) {
  va_list arguments;
  va_start(arguments, fmt);
  acllogVaList(moduleId, level, fmt, arguments);
  va_end(arguments);
}

void acllogVaList(int32_t moduleId, int32_t level, const char* fmt, va_list list) {
  const LogLevel known = LevelOf(static_cast<aclLogLevel>(level));
  if (fmt != nullptr && LogEnabled(known)) WriteModuleLog(moduleId, known, fmt, list);
}
