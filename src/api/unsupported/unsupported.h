// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Declared functions that are not implemented, one line each in the files beside this: the name and the
// types of its parameters. Such a function reports itself like any other failure and never answers success.
// Implementing a function means deleting its line; with both in place the library does not link.
// docs/api_status.md is made from these lines.
#pragma once

#include "base/error_codes.h"

namespace foothold {

// Reports that `name` is not supported, with `code`, and returns the code. Any thread.
int ReportUnsupported(const char* name, Code code) noexcept;

}  // namespace foothold

// For functions that return an error code. Each file names its own: kUnsupportedCode.
#define FOOTHOLD_UNSUPPORTED(name, ...)                            \
  extern "C" int name(__VA_ARGS__) {                               \
    return ::foothold::ReportUnsupported(#name, kUnsupportedCode); \
  }

// For functions that return something else: `answer` is what they document for a failure.
#define FOOTHOLD_UNSUPPORTED_VALUE(type, answer, name, ...) \
  extern "C" type name(__VA_ARGS__) {                       \
    ::foothold::ReportUnsupported(#name, kUnsupportedCode); \
    return answer;                                          \
  }

#define FOOTHOLD_UNSUPPORTED_VOID(name, ...)                \
  extern "C" void name(__VA_ARGS__) {                       \
    ::foothold::ReportUnsupported(#name, kUnsupportedCode); \
  }
