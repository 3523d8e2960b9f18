// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// How the samples of a picture lie in memory, by the numbers of the API (api/codes holds them equal). A
// format whose samples are no bytes, or that no operation takes, has no layout. Any thread.
#pragma once

#include <cstdint>

namespace foothold::media {

enum class PixelFormat : std::int32_t {
  kYuv400 = 0,
  kNv12 = 1,  // 4:2:0, U before V
  kNv21 = 2,
  kYuv422Sp = 3,
  kYvu422Sp = 4,
  kYuv444Sp = 5,
  kYvu444Sp = 6,
  kYuyv = 7,
  kUyvy = 8,
  kYvyu = 9,
  kVyuy = 10,
  kYuv444Packed = 11,
  kRgb = 12,
  kBgr = 13,
  kArgb = 14,
  kAbgr = 15,
  kRgba = 16,
  kBgra = 17,
  kYvu420Planar = 20,
  kYvu422Planar = 21,
  kYvu444Planar = 22,
  kYuv420Planar = 55,
  kYuv422Planar = 56,
  kYuv444Planar = 57,
  kRgbPlanar = 69,
  kBgrPlanar = 70,
  kYuv440Sp = 1000,
  kYvu440Sp = 1001,
  kUnknown = 10000,  // a decoder chooses
};

enum class ColorModel { kGray, kYuv, kRgb };

// Where the first sample of a component lies, and how far the next is, in bytes of a row.
struct ComponentPlace {
  std::uint8_t plane;
  std::uint8_t first;
  std::uint8_t step;
};

struct PlaneLayout {
  std::uint8_t pixel_bytes;  // of a pixel of this plane; of two pixels in packed 4:2:2
  std::uint8_t shift_x;      // log2 of how many pixels of the picture one of the plane covers
  std::uint8_t shift_y;
};

struct FormatLayout {
  PixelFormat format;
  const char* name;
  ColorModel model;
  std::uint8_t planes;
  std::uint8_t components;  // 1, 3, or 4 with alpha
  PlaneLayout plane[3];
  ComponentPlace component[4];  // Y U V or R G B, then alpha
  std::uint8_t shift_x;         // of the chroma components; 0 where there are none
  std::uint8_t shift_y;

  // Two pixels share their chroma in one plane: its samples are no row of equal pixels.
  bool IsPacked422() const { return planes == 1 && shift_x == 1; }
};

// Null for a format without a layout.
const FormatLayout* FindLayout(PixelFormat format);
// Fails with 100000, naming `what`, for such a format.
const FormatLayout& LayoutOf(PixelFormat format, const char* what);
// "NV12 (1)", for messages.
const char* NameOf(PixelFormat format);

}  // namespace foothold::media
