// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Samples of pictures one by one, straight from the description of the format, and all formats there are.
#pragma once

#include <vector>

#include "media/picture.h"
#include "unit/media/guarded_bytes.h"

namespace foothold::media {

inline std::uint8_t* SampleAt(const Picture& picture, int component, std::uint32_t x, std::uint32_t y) {
  const FormatLayout& layout = *FindLayout(picture.format);
  const ComponentPlace& place = layout.component[component];
  const bool chroma = layout.model == ColorModel::kYuv && component > 0 && component < 3;
  std::size_t at = 0;
  std::size_t stride = picture.width_stride, rows = picture.height_stride;
  for (int plane = 0; plane < place.plane; ++plane) {
    const PlaneLayout& shape = layout.plane[plane];
    at +=
        plane == 0 ? stride * rows : (stride * shape.pixel_bytes >> shape.shift_x) * (rows >> shape.shift_y);
  }
  const PlaneLayout& shape = layout.plane[place.plane];
  if (place.plane > 0) stride = stride * shape.pixel_bytes >> shape.shift_x;
  const std::uint32_t column = chroma ? x >> layout.shift_x : x, row = chroma ? y >> layout.shift_y : y;
  return picture.data + at + row * stride + std::size_t{column} * place.step + place.first;
}

inline std::vector<PixelFormat> AllFormats() {
  std::vector<PixelFormat> formats;
  for (int number = 0; number <= 1001; ++number)
    if (FindLayout(static_cast<PixelFormat>(number)) != nullptr)
      formats.push_back(static_cast<PixelFormat>(number));
  return formats;
}

// A picture of its own with strides a little larger than need be, at the end of its memory.
struct TestPicture {
  TestPicture(PixelFormat format, std::uint32_t width, std::uint32_t height, std::uint32_t seed,
              std::uint32_t more_bytes = 0, std::uint32_t more_rows = 0)
      : stride(static_cast<std::uint32_t>(RowBytes(format, width)) + more_bytes),
        rows(PlaneRows(format, height) + more_rows),
        bytes(RequiredBytes(format, stride, rows)),
        picture{format, width, height, stride, rows, bytes.data(), bytes.size()} {
    bytes.FillRandomly(seed);
  }
  std::uint32_t stride, rows;
  GuardedBytes bytes;
  Picture picture;
};

}  // namespace foothold::media
