// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The text a failed public call leaves in the log and in the recent errors:
//
//   EE1003: aclrtMemcpy(dst=0x7f10, destMax=16, src=0x7e00, count=32, kind=1) failed: count (32) is larger
//   than destMax (16). [ACL_ERROR_RT_PARAM_INVALID 107000] Fix: ...
//
// Any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/error_codes.h"

namespace foothold {

class Error;

// The six-character codes that the number alone does not give: pass them to Error where the fault is seen.
inline constexpr const char* kTextNullPointer = "EH0002";
inline constexpr const char* kTextRuntimeNullPointer = "EE1004";
inline constexpr const char* kTextDumpItemMissing = "EP0001";
inline constexpr const char* kTextDumpValueNotInList = "EP0002";
inline constexpr const char* kTextDumpValueInvalid = "EP0003";
inline constexpr const char* kTextDumpNotJson = "EP0004";
inline constexpr const char* kTextDumpConflict = "EP0005";
inline constexpr const char* kTextDumpArgument = "EP0006";
inline constexpr const char* kTextDumpNullPointer = "EP0007";
inline constexpr const char* kTextDumpCallOrder = "EP0008";

// E, the part that failed (H the ACL layer, E the runtime, P dump, K profiling), four digits; docs/errors.md
// has the table.
std::string_view TextCode(Code code) noexcept;

struct TextCodeEntry {
  std::string_view text_code;
  std::string_view meaning;
};

// Every code that may stand in front of a text, sorted.
std::span<const TextCodeEntry> AllTextCodes() noexcept;

// With quotation marks; bytes that would break a line of a log are escaped. Any bytes.
std::string QuotedText(std::string_view text);

std::string FailureText(std::string_view api, std::string_view arguments, const Error& error);

}  // namespace foothold
