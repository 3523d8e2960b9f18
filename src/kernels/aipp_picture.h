// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A picture of bytes becomes the input of a network in one pass: swapped, cropped, resized, converted,
// normalised and padded (AIPP), straight into the layout its first operator reads. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/aipp_rows.h"

namespace foothold {

// Numbers as the API has them.
enum class AippFormat : int {
  kYuv420sp = 1,
  kXrgb8888 = 2,
  kRgb888 = 3,
  kYuv400 = 4,
  kArgb8888 = 7,
  kYuyv = 8,
  kYuv422sp = 9,
  kAyuv444 = 10,
};

bool IsAippFormat(std::int64_t number);
bool IsYuv(AippFormat format);
// Of a pixel, once it is taken apart.
std::size_t ChannelsOf(AippFormat format);
std::size_t PictureBytes(AippFormat format, std::size_t width, std::size_t height);

// What happens to a picture. The crop is inside the source, and all sizes fit together: who makes it has
// looked.
struct AippPicture {
  AippFormat format = AippFormat::kYuv420sp;
  std::size_t width = 0, height = 0;  // of the source
  bool swaps_colours = false;         // red and blue, or U and V
  bool first_is_last = false;         // the first of four channels comes behind the others
  std::size_t left = 0, top = 0, crop_width = 0, crop_height = 0;
  std::size_t scaled_width = 0, scaled_height = 0;  // those of the crop where nothing is resized
  bool converts = false;
  AippColours colours;
  AippScale scale;
  std::size_t pad_left = 0, pad_right = 0, pad_top = 0, pad_bottom = 0;
  float padding = 0;

  std::size_t OutWidth() const { return pad_left + scaled_width + pad_right; }
  std::size_t OutHeight() const { return pad_top + scaled_height + pad_bottom; }
  bool Resizes() const { return scaled_width != crop_width || scaled_height != crop_height; }
};

enum class AippElement { kFloat, kFloat16, kUint8 };  // bytes are not normalised

// Where it goes: planes, or the channels of each pixel side by side, with zeros around the picture.
struct AippTarget {
  AippElement element = AippElement::kFloat;
  std::size_t channels = 0;  // the first of those there are
  bool interleaved = false;
  std::size_t left = 0, right = 0, top = 0, bottom = 0;

  std::size_t Rows(const AippPicture& picture) const { return top + picture.OutHeight() + bottom; }
  std::size_t Columns(const AippPicture& picture) const { return left + picture.OutWidth() + right; }
};

// The rows [begin, end) of a target.
void MakeAippRows(const AippPicture& picture, const AippTarget& target, const std::uint8_t* source,
                  std::size_t begin, std::size_t end, std::byte* to);

}  // namespace foothold
