// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Files that programs name, read whole: rank tables and white lists. Any thread.
#pragma once

#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace foothold::collectives {

// Nothing if it cannot be read, or does not end within more than any table needs.
inline std::optional<std::string> ReadSmallFile(const std::string& path) {
  constexpr std::size_t kMostBytes = std::size_t{64} << 20;
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text;
  std::vector<char> room(std::size_t{64} << 10);
  do {
    file.read(room.data(), static_cast<std::streamsize>(room.size()));
    text.append(room.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > kMostBytes) return std::nullopt;
  } while (file);
  return text;
}

}  // namespace foothold::collectives
