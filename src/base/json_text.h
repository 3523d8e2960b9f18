// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Reading JSON that users write: the file, the syntax and the limits every configuration must keep. Messages
// are in words of ours, with line and column. Any thread.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace foothold {

inline constexpr std::size_t kMaxConfigBytes = 10 << 20;
inline constexpr int kMaxConfigNesting = 10;  // of objects, and likewise of arrays

// The content of a regular file. Fails with kInvalidFile or kInvalidFileSize.
std::string ReadConfigFile(const char* path);

// Fails with kParseFile and `text_code` when the text is not one JSON object, is nested too deep, or gives a
// key twice.
nlohmann::json ParseConfigText(const std::string& text, const char* text_code = nullptr);

// Any JSON. Fails with kParseFile; the message begins with where the text breaks.
nlohmann::json ParseJson(const std::string& text);

}  // namespace foothold
