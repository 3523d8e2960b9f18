// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Reading the values of options: lists inside lists, each with its separator. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace foothold {

// Without blanks at both ends.
std::string_view Trim(std::string_view text);
// The trimmed parts; empty ones too, but none for an empty text, and none after a separator at the end.
std::vector<std::string_view> Split(std::string_view text, char separator);
// Nothing if it is no whole number.
std::optional<std::int64_t> ParseInteger(std::string_view text);

// Throws an E10001: option `option`: "part" why.
[[noreturn]] void RefuseOption(std::string_view option, std::string_view part, std::string_view why);

}  // namespace foothold
