// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
// Histograms and lookup tables: what is done with samples by their component.
#include <array>

#include "base/error.h"
#include "base/thread_pool.h"
#include "media/transform.h"

namespace foothold::media {
namespace {

// For each byte of a pixel of a plane the component it belongs to; -1 for alpha.
std::array<int, 4> ComponentsOf(const FormatLayout& layout, int plane) {
  std::array<int, 4> owner{-1, -1, -1, -1};
  for (int c = 0; c < layout.components && c < 3; ++c) {
    const ComponentPlace& place = layout.component[c];
    if (place.plane != plane) continue;
    for (std::uint32_t at = place.first; at < layout.plane[plane].pixel_bytes; at += place.step)
      owner[at] = c;
  }
  return owner;
}

// The pixels of packed 4:2:2 are two each: the last of an odd width has a byte of luma too many.
std::uint32_t VisibleBytes(const FormatLayout& layout, const Picture& picture, const PlaneView& view,
                           std::uint32_t pixel, std::uint32_t byte) {
  const bool surplus = layout.IsPacked422() && (picture.width & 1) != 0 && pixel + 1 == view.width &&
                       byte == layout.component[0].first + 2u;
  return surplus ? 0 : 1;
}

constexpr std::array<std::uint8_t, 256> Identity() {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t i = 0; i < 256; ++i)
    table[i] = static_cast<std::uint8_t>(i);
  return table;
}
constexpr std::array<std::uint8_t, 256> kIdentity = Identity();

void MapRow(const std::uint8_t* in, std::uint8_t* out, std::uint32_t width, std::uint32_t pixel_bytes,
            const std::uint8_t* const* tables) {
  for (std::uint32_t x = 0; x < width; ++x, in += pixel_bytes, out += pixel_bytes)
    for (std::uint32_t byte = 0; byte < pixel_bytes; ++byte)
      out[byte] = tables[byte][in[byte]];
}

}  // namespace

void CalcHist(const Picture& in, Histogram& counts) {
  Check(in, "input");
  const FormatLayout& layout = LayoutOf(in.format, "input");
  counts = {};
  for (int plane = 0; plane < layout.planes; ++plane) {
    const PlaneView view = PlaneOf(in, plane);
    const std::array<int, 4> owner = ComponentsOf(layout, plane);
    for (std::uint32_t y = 0; y < view.height; ++y)
      for (std::uint32_t byte = 0; byte < view.pixel_bytes; ++byte) {
        if (owner[byte] < 0) continue;
        auto& count = counts[static_cast<std::size_t>(owner[byte])];
        const std::uint8_t* const row = view.data + y * view.row_step + byte;
        for (std::uint32_t x = 0; x < view.width; ++x)
          count[row[std::size_t{x} * view.pixel_bytes]] += VisibleBytes(layout, in, view, x, byte);
      }
  }
}

void ApplyLut(const Picture& in, const Picture& out, const LookupTable& table) {
  Check(in, "input");
  Check(out, "output");
  if (in.format != out.format || in.width != out.width || in.height != out.height)
    Fail(kInvalidParam, "a table maps samples in place: {} of {} x {} cannot become {} of {} x {}",
         NameOf(in.format), in.width, in.height, NameOf(out.format), out.width, out.height);
  const FormatLayout& layout = LayoutOf(in.format, "input");
  for (int plane = 0; plane < layout.planes; ++plane) {
    const PlaneView from = PlaneOf(in, plane), to = PlaneOf(out, plane);
    const std::array<int, 4> owner = ComponentsOf(layout, plane);
    const std::uint8_t* tables[4];
    for (std::size_t byte = 0; byte < 4; ++byte)
      tables[byte] = owner[byte] < 0 ? kIdentity.data() : table[static_cast<std::size_t>(owner[byte])].data();
    ParallelFor(from.height, 40000 / from.width + 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t y = begin; y < end; ++y)
        MapRow(from.data + y * from.row_step, to.data + y * to.row_step, from.width, from.pixel_bytes,
               tables);
    });
  }
}

}  // namespace foothold::media
