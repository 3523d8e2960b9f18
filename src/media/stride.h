// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// The strides decoders choose where the program left them open: rows of a multiple of 128 pixels, planes of a
// multiple of 16 rows.
#pragma once

#include "media/picture.h"

namespace foothold::media {

constexpr std::uint32_t RoundUp(std::uint32_t value, std::uint32_t to) {
  return (value + to - 1) / to * to;
}

inline std::uint32_t DecoderWidthStride(PixelFormat format, std::uint32_t width) {
  return static_cast<std::uint32_t>(RowBytes(format, RoundUp(width, 128)));
}
inline std::uint32_t DecoderHeightStride(std::uint32_t height) {
  return RoundUp(height, 16);
}

// Keeps strides that are large enough, both or none. `width` and `height` are those of the file.
inline void FillDecoderStrides(std::uint32_t width, std::uint32_t height, Picture* plan) {
  if (plan->width_stride >= RowBytes(plan->format, plan->width) &&
      plan->height_stride >= PlaneRows(plan->format, plan->height))
    return;
  plan->width_stride = DecoderWidthStride(plan->format, width < plan->width ? plan->width : width);
  plan->height_stride = DecoderHeightStride(height < plan->height ? plan->height : height);
}

}  // namespace foothold::media
