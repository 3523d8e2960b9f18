// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How directories and files of dumps are called. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace foothold {

// Longer names are no file names.
inline constexpr std::size_t kLongestFileName = 255;

// The name of an operator or model as a part of a file name: dots, slashes, blanks and characters that cannot
// be seen become underscores.
std::string FileNamePart(std::string_view name);

// "20260131235959", of the local clock.
std::string DumpStamp();
// Since 1970, never the same twice in a process.
std::uint64_t DumpMicroseconds();

struct DumpFileName {
  std::string_view type, name;
  std::uint32_t task = 0;
  int stream = 0;
  std::uint64_t time = 0;
  std::string_view suffix = {};
};
std::string ToString(const DumpFileName& name);

// Digits to stand for a name that is too long.
std::string ShortNameFor(const std::string& name);

}  // namespace foothold
