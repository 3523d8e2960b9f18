// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Lines of pixels of any format as one row of bytes per component, chroma as often as luma: read from a part
// of a picture, and written to one. What lies between two formats is only these rows. For convert; one object
// is one thread's.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "media/picture.h"

namespace foothold::media {

// Rows that somebody else holds: Y U V or R G B, then alpha.
struct Line {
  const std::uint8_t* component[4] = {};
};

// Room for rows of a width, with one sample before the first and vectors behind the last.
class LineRoom {
 public:
  LineRoom(std::uint32_t rows, std::uint32_t width);
  std::uint8_t* row(std::uint32_t index) const { return memory_.get() + index * step_ + kBefore; }

 private:
  static constexpr std::size_t kBefore = 64;
  std::size_t step_;
  std::unique_ptr<std::uint8_t[]> memory_;
};

class LineReader {
 public:
  // Both checked before.
  LineReader(const Picture& picture, const Region& region);
  // A line of the region. Grey has U and V of 128, what has no alpha one of 255. Valid until the next call.
  Line Read(std::uint32_t y);

 private:
  const std::uint8_t* RowOf(int plane, std::uint32_t y) const;
  void ReadChroma(std::uint32_t y, Line* line);
  void ReadPacked422(std::uint32_t y, Line* line);
  void ReadPixels(std::uint32_t y, Line* line);

  const Picture& picture_;
  const Region region_;
  const FormatLayout& layout_;
  const std::uint32_t pairs_;  // of pixels, where they share chroma
  LineRoom room_;
};

class LineWriter {
 public:
  LineWriter(const Picture& picture, const Region& region);
  // Lines that share their chroma: the first is at an even place of the picture, or at the region's begin, or
  // alone (`second` null).
  void Write(std::uint32_t y, const Line& first, const Line* second);

 private:
  std::uint8_t* RowOf(int plane, std::uint32_t y) const;
  // The rows to be averaged, with the first pixel at an even place.
  const std::uint8_t* Aligned(const std::uint8_t* row, std::uint32_t slot);
  const std::uint8_t* Chroma(int component, const Line& first, const Line* second);
  void WriteChroma(std::uint32_t y, const Line& first, const Line* second);
  void WritePacked422(std::uint32_t y, const Line& line);
  void WritePixels(std::uint32_t y, const Line& line);

  const Picture& picture_;
  const Region region_;
  const FormatLayout& layout_;
  const std::uint32_t odd_;  // 1 where the region begins at an odd column
  LineRoom room_;
};

}  // namespace foothold::media
