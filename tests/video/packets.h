// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Streams of H.264 and H.265 for tests: cut into packets of one picture each, and damaged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace video_test {

using Packet = std::vector<std::uint8_t>;

inline Packet ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return Packet(std::istreambuf_iterator<char>(file), {});
}

// Where units begin, behind their start codes; the end is the last.
inline std::vector<std::size_t> UnitsOf(const Packet& stream) {
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i + 3 < stream.size(); ++i) {
    if (stream[i] == 0 && stream[i + 1] == 0 && stream[i + 2] == 1) starts.push_back(i + 3);
  }
  return starts;
}

// `left` bytes can be read.
inline bool BeginsPicture(const std::uint8_t* unit, std::size_t left, bool h265) {
  if (left < (h265 ? 3u : 2u)) return false;
  const int type = h265 ? unit[0] >> 1 & 63 : unit[0] & 31;
  const bool slice = h265 ? type <= 21 : type == 1 || type == 5;
  return slice && (unit[h265 ? 2 : 1] & 0x80) != 0;
}

inline bool BelongsToNext(const std::uint8_t* unit, bool h265) {
  const int type = h265 ? unit[0] >> 1 & 63 : unit[0] & 31;
  return h265 ? type >= 32 && type <= 39 : type >= 6 && type <= 9;
}

// One packet for each picture, headers in front of it.
inline std::vector<Packet> PacketsOf(const Packet& stream, bool h265) {
  std::vector<Packet> packets(1);
  const std::vector<std::size_t> units = UnitsOf(stream);
  bool has_picture = false;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const std::uint8_t* unit = stream.data() + units[i];
    const bool picture = BeginsPicture(unit, stream.size() - units[i], h265);
    if (has_picture && (picture || BelongsToNext(unit, h265))) {
      packets.emplace_back();
      has_picture = false;
    }
    has_picture |= picture;
    const std::size_t end = i + 1 < units.size() ? units[i + 1] - 3 : stream.size();
    packets.back().insert(packets.back().end(), {0, 0, 1});
    packets.back().insert(packets.back().end(), unit, stream.data() + end);
  }
  return packets;
}

}  // namespace video_test
