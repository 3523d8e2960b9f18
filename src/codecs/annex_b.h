// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A byte stream of H.264 or H.265: units behind start codes (00 00 01). Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace foothold {

using StreamBytes = std::span<const std::uint8_t>;

// The place of the next start code at or behind `from`, or the end.
inline std::size_t FindStartCode(StreamBytes stream, std::size_t from) {
  while (from + 3 <= stream.size()) {
    const void* one = std::memchr(stream.data() + from + 2, 1, stream.size() - from - 2);
    if (one == nullptr) break;
    const std::size_t at = static_cast<const std::uint8_t*>(one) - stream.data();
    if (stream[at - 1] == 0 && stream[at - 2] == 0) return at - 2;
    from = at - 1;
  }
  return stream.size();
}

// Calls `visit` with every unit, without its start code and the zeros behind it; not for empty ones. False if
// the bytes do not begin with zeros and a start code.
template <typename Visit>
bool ForEachUnit(StreamBytes stream, Visit&& visit) {
  std::size_t at = FindStartCode(stream, 0);
  for (std::size_t i = 0; i < at; ++i) {
    if (stream[i] != 0) return false;
  }
  if (at == stream.size()) return false;
  while (at < stream.size()) {
    const std::size_t begin = at + 3;
    at = FindStartCode(stream, begin);
    std::size_t end = at;
    while (end > begin && stream[end - 1] == 0)
      --end;
    if (end > begin) visit(stream.subspan(begin, end - begin));
  }
  return true;
}

}  // namespace foothold
