// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include <fmt/format.h>

#include "api/media/described.h"
#include "base/failure_text.h"

namespace foothold::media {

Picture ShapeOf(const PictureDesc& values) {
  return {static_cast<PixelFormat>(values.format),
          values.width,
          values.height,
          values.width_stride,
          values.height_stride,
          nullptr,
          values.size};
}

DescribedPicture FindDescribed(const acldvppPicDesc* handle, const char* what) {
  if (handle == nullptr)
    throw Error(kInvalidParam, fmt::format("the description of the {} picture must not be null", what),
                kTextNullPointer);
  const PicturePointer shared = PictureDescs::Get().Find(handle);
  const PictureDesc values = shared->Read();
  return {shared, values, ShapeOf(values)};
}

DescribedPicture FindComplete(const acldvppPicDesc* handle, const char* what) {
  DescribedPicture found = FindDescribed(handle, what);
  CheckShape(found.shape, what);
  if (found.values.data == nullptr) Fail(kInvalidParam, "the {} picture's data must not be null", what);
  return found;
}

MediaMemory MemoryOf(const DescribedPicture& picture, Use use, const char* name) {
  const Picture& shape = picture.shape;
  const std::size_t bytes = RequiredBytes(shape.format, shape.width_stride, shape.height_stride);
  const bool all = bytes == TightBytes(shape.format, shape.width, shape.height);
  return {picture.values.data, bytes, use, all ? Extent::kExact : Extent::kPartial, name};
}

Picture PictureAt(const Picture& shape, std::uint8_t* data) {
  Picture picture = shape;
  picture.data = data;
  return picture;
}

Region FindRegion(const acldvppRoiConfig* handle, const char* what) {
  const RegionConfig& bounds = RegionConfigs::Get().Find(handle);
  if (bounds.right < bounds.left || bounds.bottom < bounds.top || bounds.right >= kMaxSide ||
      bounds.bottom >= kMaxSide)
    Fail(kInvalidParam, "the {} region goes from column {} to {} and from row {} to {}, both included", what,
         bounds.left, bounds.right, bounds.top, bounds.bottom);
  return {bounds.left, bounds.top, bounds.right - bounds.left + 1, bounds.bottom - bounds.top + 1};
}

Border FindBorder(const acldvppBorderConfig* handle) {
  const BorderConfig& config = BorderConfigs::Get().Find(handle);
  if (config.type < BORDER_CONSTANT || config.type > BORDER_REFLECT_101)
    Fail(kInvalidParam, "border type {} does not exist; 0 to 3 do", config.type);
  return {static_cast<BorderKind>(config.type),
          config.top,
          config.bottom,
          config.left,
          config.right,
          config.value};
}

Interpolation FindInterpolation(const acldvppResizeConfig* handle) {
  const std::uint32_t number = handle == nullptr ? 0 : ResizeConfigs::Get().Find(handle).interpolation;
  switch (number) {
    case 0:
    case 1:
    case 3:
      return Interpolation::kBilinear;
    case 2:
    case 4:
      return Interpolation::kNearest;
    case 5:
      return Interpolation::kBicubic;
    default:
      Fail(kInvalidParam, "interpolation {} does not exist; 0 to 5 do", number);
  }
}

std::shared_ptr<PictureChannel> FindChannel(const acldvppChannelDesc* handle) {
  return PictureChannels::Get().Find(handle);
}

}  // namespace foothold::media
