// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "media/picture_lines.h"

#include <cstring>

#include "kernels/picture_rows.h"

namespace foothold::media {
namespace {

// Rows of LineRoom, by what they hold.
enum Slot : std::uint32_t { kY, kU, kV, kA, kHalf0, kHalf1, kHalf2, kHalf3, kSlots };

std::uint32_t PairsOf(const Region& region) {
  return ((region.left + region.width - 1) >> 1) - (region.left >> 1) + 1;
}

// The planes in order; a plane's row of the whole picture begins at its PlaneView.
std::uint8_t* PlaneRow(const Picture& picture, int plane, std::uint32_t y) {
  const PlaneView view = PlaneOf(picture, plane);
  return view.data + y * view.row_step;
}

}  // namespace

LineRoom::LineRoom(std::uint32_t rows, std::uint32_t width)
    : step_((width + 2 * kBefore + 63) / 64 * 64),
      memory_(std::make_unique_for_overwrite<std::uint8_t[]>(rows * step_)) {}

LineReader::LineReader(const Picture& picture, const Region& region)
    : picture_(picture),
      region_(region),
      layout_(LayoutOf(picture.format, "input")),
      pairs_(PairsOf(region)),
      room_(kSlots, region.width + 2) {
  if (layout_.components < 4) std::memset(room_.row(kA), 255, region.width);
  if (layout_.components > 1) return;
  std::memset(room_.row(kU), 128, region.width);
  std::memset(room_.row(kV), 128, region.width);
}

const std::uint8_t* LineReader::RowOf(int plane, std::uint32_t y) const {
  const PlaneLayout& shape = layout_.plane[plane];
  return PlaneRow(picture_, plane, (region_.top + y) >> shape.shift_y) +
         std::size_t{region_.left >> shape.shift_x} * shape.pixel_bytes;
}

Line LineReader::Read(std::uint32_t y) {
  Line line{{room_.row(kY), room_.row(kU), room_.row(kV), room_.row(kA)}};
  if (layout_.IsPacked422()) {
    ReadPacked422(y, &line);
  } else if (layout_.plane[0].pixel_bytes > 1) {
    ReadPixels(y, &line);
  } else {
    line.component[0] = RowOf(layout_.component[0].plane, y);
    if (layout_.components > 1) ReadChroma(y, &line);
  }
  return line;
}

void LineReader::ReadChroma(std::uint32_t y, Line* line) {
  const std::uint32_t count = layout_.shift_x == 1 ? pairs_ : region_.width;
  const bool interleaved = layout_.planes == 2;
  std::uint8_t* const halves[] = {room_.row(kHalf0), room_.row(kHalf1)};
  if (interleaved) SplitPixels(RowOf(1, y), 2, count, halves);
  for (int c = 1; c < 3; ++c) {
    const ComponentPlace& place = layout_.component[c];
    const std::uint8_t* const samples = interleaved ? halves[place.first] : RowOf(place.plane, y);
    line->component[c] = samples;
    if (layout_.shift_x == 0) continue;
    std::uint8_t* const spread = room_.row(c == 1 ? kU : kV);
    SpreadSamples(samples, 2 * std::size_t{count}, spread);
    line->component[c] = spread + (region_.left & 1);
  }
}

void LineReader::ReadPacked422(std::uint32_t y, Line* line) {
  std::uint8_t* const parts[] = {room_.row(kHalf0), room_.row(kHalf1), room_.row(kHalf2), room_.row(kHalf3)};
  SplitPixels(RowOf(0, y), 4, pairs_, parts);
  const std::size_t luma = layout_.component[0].first;
  const std::uint8_t* const both[] = {parts[luma], parts[luma + 2]};
  MergePixels(both, 2, pairs_, room_.row(kY));
  for (int c = 1; c < 3; ++c)
    SpreadSamples(parts[layout_.component[c].first], 2 * std::size_t{pairs_}, room_.row(c == 1 ? kU : kV));
  for (int c = 0; c < 3; ++c)
    line->component[c] += region_.left & 1;
}

void LineReader::ReadPixels(std::uint32_t y, Line* line) {
  const std::uint32_t channels = layout_.plane[0].pixel_bytes;
  std::uint8_t* parts[4] = {};
  for (std::uint32_t c = 0; c < layout_.components; ++c)
    parts[layout_.component[c].first] = room_.row(kY + c);
  SplitPixels(RowOf(0, y), channels, region_.width, parts);
  (void)line;  // which has them already
}

LineWriter::LineWriter(const Picture& picture, const Region& region)
    : picture_(picture),
      region_(region),
      layout_(LayoutOf(picture.format, "output")),
      odd_(layout_.shift_x == 1 ? region.left & 1 : 0),
      room_(kSlots + 4, region.width + 2) {}

std::uint8_t* LineWriter::RowOf(int plane, std::uint32_t y) const {
  const PlaneLayout& shape = layout_.plane[plane];
  return PlaneRow(picture_, plane, (region_.top + y) >> shape.shift_y) +
         std::size_t{region_.left >> shape.shift_x} * shape.pixel_bytes;
}

const std::uint8_t* LineWriter::Aligned(const std::uint8_t* row, std::uint32_t slot) {
  if (odd_ == 0) return row;
  std::uint8_t* const copy = room_.row(kSlots + slot);
  copy[0] = row[0];  // the pixel before it is not ours: what is averaged is the one that is
  std::memcpy(copy + 1, row, region_.width);
  return copy;
}

const std::uint8_t* LineWriter::Chroma(int component, const Line& first, const Line* second) {
  const std::uint8_t* const top = first.component[component];
  const std::uint8_t* const bottom = second != nullptr ? second->component[component] : nullptr;
  std::uint8_t* const out = room_.row(kHalf0 + static_cast<std::uint32_t>(component));
  if (layout_.shift_x == 0) {
    if (bottom == nullptr) return top;
    AverageRows(top, bottom, region_.width, out);
  } else if (bottom == nullptr) {
    AveragePairs(Aligned(top, 0), region_.width + odd_, out);
  } else {
    AverageSquares(Aligned(top, 0), Aligned(bottom, 1), region_.width + odd_, out);
  }
  return out;
}

void LineWriter::Write(std::uint32_t y, const Line& first, const Line* second) {
  if (layout_.IsPacked422()) {
    WritePacked422(y, first);
    if (second != nullptr) WritePacked422(y + 1, *second);
  } else if (layout_.plane[0].pixel_bytes > 1) {
    WritePixels(y, first);
    if (second != nullptr) WritePixels(y + 1, *second);
  } else {
    const int luma = layout_.component[0].plane;
    std::memcpy(RowOf(luma, y), first.component[0], region_.width);
    if (second != nullptr) std::memcpy(RowOf(luma, y + 1), second->component[0], region_.width);
    if (layout_.components > 1) WriteChroma(y, first, second);
  }
}

void LineWriter::WriteChroma(std::uint32_t y, const Line& first, const Line* second) {
  if (layout_.shift_y == 0 && second != nullptr) {
    WriteChroma(y, first, nullptr);
    return WriteChroma(y + 1, *second, nullptr);
  }
  const std::size_t count = layout_.shift_x == 1 ? PairsOf(region_) : region_.width;
  const std::uint8_t* ordered[2];
  for (int c = 1; c < 3; ++c) {
    const ComponentPlace& place = layout_.component[c];
    const std::uint8_t* const samples = Chroma(c, first, second);
    if (layout_.planes == 2) {
      ordered[place.first] = samples;
    } else {
      std::memcpy(RowOf(place.plane, y), samples, count);
    }
  }
  if (layout_.planes == 2) MergePixels(ordered, 2, count, RowOf(1, y));
}

void LineWriter::WritePacked422(std::uint32_t y, const Line& line) {
  const std::uint32_t pairs = PairsOf(region_);
  std::uint8_t* const out = RowOf(0, y);
  std::uint8_t* const parts[] = {room_.row(kY), room_.row(kU), room_.row(kV), room_.row(kA)};
  const std::size_t luma_place = layout_.component[0].first;
  std::uint8_t* const even = parts[luma_place];
  std::uint8_t* const odd = parts[luma_place + 2];
  // Luma of the pixels that share a pair with ours, but are not ours, stays.
  const bool shares_last = ((region_.left + region_.width) & 1) != 0;
  const std::uint8_t before = out[luma_place];
  const std::uint8_t behind = out[std::size_t{pairs - 1} * 4 + luma_place + 2];
  std::uint8_t* const luma = room_.row(kSlots + 2);
  std::memcpy(luma + odd_, line.component[0], region_.width);
  if (odd_ != 0) luma[0] = before;
  if (shares_last) luma[2 * std::size_t{pairs} - 1] = behind;
  std::uint8_t* const both[] = {even, odd};
  SplitPixels(luma, 2, pairs, both);
  for (int c = 1; c < 3; ++c)
    std::memcpy(parts[layout_.component[c].first], Chroma(c, line, nullptr), pairs);
  const std::uint8_t* const all[] = {parts[0], parts[1], parts[2], parts[3]};
  MergePixels(all, 4, pairs, out);
}

void LineWriter::WritePixels(std::uint32_t y, const Line& line) {
  const std::uint32_t channels = layout_.plane[0].pixel_bytes;
  const std::uint8_t* parts[4] = {};
  for (std::uint32_t c = 0; c < layout_.components; ++c)
    parts[layout_.component[c].first] = line.component[c];
  MergePixels(parts, channels, region_.width, RowOf(0, y));
}

}  // namespace foothold::media
