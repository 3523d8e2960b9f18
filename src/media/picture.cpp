// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "media/picture.h"

#include "base/error.h"

namespace foothold::media {
namespace {

std::uint32_t ShiftUp(std::uint32_t value, unsigned shift) {
  return (value + (1u << shift) - 1) >> shift;
}

// Chroma planes of three-plane formats have rows of half the bytes where they have half the pixels.
std::uint64_t StrideOf(const FormatLayout& layout, int plane, std::uint32_t width_stride) {
  if (plane == 0) return width_stride;
  const PlaneLayout& shape = layout.plane[plane];
  return (std::uint64_t{width_stride} * shape.pixel_bytes) >> shape.shift_x;
}

std::uint64_t BytesOf(const FormatLayout& layout, int plane, std::uint32_t width_stride,
                      std::uint32_t height_stride) {
  return StrideOf(layout, plane, width_stride) * (height_stride >> layout.plane[plane].shift_y);
}

}  // namespace

std::uint64_t RowBytes(PixelFormat format, std::uint32_t width) {
  const FormatLayout& layout = LayoutOf(format, "described");
  const PlaneLayout& first = layout.plane[0];
  const std::uint64_t bytes = std::uint64_t{ShiftUp(width, first.shift_x)} * first.pixel_bytes;
  // The chroma rows of an odd width do not fit into as many bytes as luma has pixels.
  return layout.planes > 1 && layout.shift_x == 1 ? (bytes + 1) / 2 * 2 : bytes;
}

std::uint32_t PlaneRows(PixelFormat format, std::uint32_t height) {
  return LayoutOf(format, "described").shift_y == 1 ? ShiftUp(height, 1) * 2 : height;
}

std::uint64_t RequiredBytes(PixelFormat format, std::uint32_t width_stride, std::uint32_t height_stride) {
  const FormatLayout& layout = LayoutOf(format, "described");
  std::uint64_t bytes = 0;
  for (int plane = 0; plane < layout.planes; ++plane)
    bytes += BytesOf(layout, plane, width_stride, height_stride);
  return bytes;
}

std::uint64_t TightBytes(PixelFormat format, std::uint32_t width, std::uint32_t height) {
  return RequiredBytes(format, static_cast<std::uint32_t>(RowBytes(format, width)),
                       PlaneRows(format, height));
}

Picture TightPicture(PixelFormat format, std::uint32_t width, std::uint32_t height, std::uint8_t* data) {
  return {format,
          width,
          height,
          static_cast<std::uint32_t>(RowBytes(format, width)),
          PlaneRows(format, height),
          data,
          TightBytes(format, width, height)};
}

void CheckShape(const Picture& picture, const char* what) {
  LayoutOf(picture.format, what);
  if (picture.width == 0 || picture.height == 0 || picture.width > kMaxSide || picture.height > kMaxSide)
    Fail(kInvalidParam, "the {} picture is {} x {} pixels; both sides must be from 1 to {}", what,
         picture.width, picture.height, kMaxSide);
  const std::uint64_t row = RowBytes(picture.format, picture.width);
  if (picture.width_stride < row)
    Fail(kInvalidParam, "the {} picture's width stride is {} bytes; a row of {} pixels in {} has {}", what,
         picture.width_stride, picture.width, NameOf(picture.format), row);
  const std::uint32_t rows = PlaneRows(picture.format, picture.height);
  if (picture.height_stride < rows)
    Fail(kInvalidParam, "the {} picture's height stride is {} rows; {} in {} takes at least {}", what,
         picture.height_stride, picture.height, NameOf(picture.format), rows);
  if (picture.width_stride > kMaxStride || picture.height_stride > kMaxStride)
    Fail(kInvalidParam, "the {} picture's strides of {} bytes and {} rows are absurd", what,
         picture.width_stride, picture.height_stride);
  const std::uint64_t bytes = RequiredBytes(picture.format, picture.width_stride, picture.height_stride);
  if (picture.bytes < bytes)
    Fail(kInvalidParam, "the {} picture has {} bytes; {} with strides of {} bytes and {} rows needs {}", what,
         picture.bytes, NameOf(picture.format), picture.width_stride, picture.height_stride, bytes);
}

void Check(const Picture& picture, const char* what) {
  CheckShape(picture, what);
  if (picture.data == nullptr) Fail(kInvalidParam, "the {} picture's data must not be null", what);
}

void CheckInside(const Region& region, const Picture& picture, const char* what) {
  const bool fits = region.width > 0 && region.height > 0 &&
                    std::uint64_t{region.left} + region.width <= picture.width &&
                    std::uint64_t{region.top} + region.height <= picture.height;
  if (!fits)
    Fail(kInvalidParam, "the {} region of {} x {} pixels at ({}, {}) does not lie in the picture of {} x {}",
         what, region.width, region.height, region.left, region.top, picture.width, picture.height);
}

PlaneView PlaneOf(const Picture& picture, int plane, const Region& region) {
  const FormatLayout& layout = LayoutOf(picture.format, "checked");
  const PlaneLayout& shape = layout.plane[plane];
  std::uint64_t offset = 0;
  for (int before = 0; before < plane; ++before)
    offset += BytesOf(layout, before, picture.width_stride, picture.height_stride);
  const std::uint64_t step = StrideOf(layout, plane, picture.width_stride);
  const std::uint32_t left = region.left >> shape.shift_x, top = region.top >> shape.shift_y;
  const std::uint32_t last_x = (region.left + region.width - 1) >> shape.shift_x;
  const std::uint32_t last_y = (region.top + region.height - 1) >> shape.shift_y;
  return {picture.data + offset + top * step + std::uint64_t{left} * shape.pixel_bytes, step,
          last_x - left + 1, last_y - top + 1, shape.pixel_bytes};
}

PlaneView PlaneOf(const Picture& picture, int plane) {
  return PlaneOf(picture, plane, WholeOf(picture));
}

}  // namespace foothold::media
