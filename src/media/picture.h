// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// A picture in memory, owned by somebody else, and everything that must be known before its samples are
// touched. Check is what every operation starts with: it fails with 100000 for what cannot be such a picture.
// Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "media/pixel_format.h"

namespace foothold::media {

struct Picture {
  PixelFormat format = PixelFormat::kUnknown;
  std::uint32_t width = 0;  // visible pixels
  std::uint32_t height = 0;
  std::uint32_t width_stride = 0;   // bytes from row to row of the first plane
  std::uint32_t height_stride = 0;  // rows from plane to plane
  std::uint8_t* data = nullptr;     // an address that code follows; inputs are only read
  std::size_t bytes = 0;            // from data on
};

// Rectangles of pixels; width and height are not 0.
struct Region {
  std::uint32_t left = 0;
  std::uint32_t top = 0;
  std::uint32_t width = 0;
  std::uint32_t height = 0;

  bool operator==(const Region&) const = default;
};

// A plane, or a part of one: rows of pixels of `pixel_bytes` samples each.
struct PlaneView {
  std::uint8_t* data;
  std::size_t row_step;  // bytes
  std::uint32_t width;   // pixels of the plane
  std::uint32_t height;
  std::uint32_t pixel_bytes;
};

// No picture is larger than this in either direction: sizes are products that fit 64 bits and most buffers.
constexpr std::uint32_t kMaxSide = 65535;
constexpr std::uint32_t kMaxStride = 1u << 24;

// Bytes of a row of visible pixels of the first plane.
std::uint64_t RowBytes(PixelFormat format, std::uint32_t width);
// Rows of the first plane that a picture of so many has: rounded up where two share their chroma.
std::uint32_t PlaneRows(PixelFormat format, std::uint32_t height);
// Bytes of a picture with these strides, at most kMaxStride: the planes follow one another.
std::uint64_t RequiredBytes(PixelFormat format, std::uint32_t width_stride, std::uint32_t height_stride);
// The same with the smallest strides.
std::uint64_t TightBytes(PixelFormat format, std::uint32_t width, std::uint32_t height);
// A picture at `data` with the smallest strides.
Picture TightPicture(PixelFormat format, std::uint32_t width, std::uint32_t height, std::uint8_t* data);

// Everything but the memory, for calls that check when they queue; then with it. `what` is "input", "output".
void CheckShape(const Picture& picture, const char* what);
void Check(const Picture& picture, const char* what);
// The region lies in the picture.
void CheckInside(const Region& region, const Picture& picture, const char* what);
inline Region WholeOf(const Picture& picture) {
  return {0, 0, picture.width, picture.height};
}

// Precondition of both: checked. The part of a plane that belongs to a region: every sample of its pixels,
// also where a pixel outside shares it. Packed 4:2:2 counts pairs of pixels.
PlaneView PlaneOf(const Picture& picture, int plane);
PlaneView PlaneOf(const Picture& picture, int plane, const Region& region);

}  // namespace foothold::media
