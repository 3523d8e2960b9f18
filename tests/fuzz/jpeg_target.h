// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What must hold for any bytes somebody gives as a JPEG picture. Used by the fuzzer and by the replay of its
// corpus.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "fuzz/require.h"
#include "media/jpeg.h"

namespace foothold {

// Refused with a reason, or a picture of the size that was told before. Large ones are only looked at.
inline void FuzzJpeg(const std::string& bytes) {
  using namespace media;
  constexpr std::size_t kMostBytes = 1 << 20;
  const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  try {
    const JpegInfo info = ReadJpegInfo(data, bytes.size());
    Require(info.width > 0 && info.height > 0 && info.orientation >= 1 && info.orientation <= 8);
    for (const PixelFormat format : {PixelFormat::kNv12, PixelFormat::kUnknown, PixelFormat::kRgb}) {
      const std::uint64_t room = PredictJpegDecodeBytes(info, format);
      if (room > kMostBytes) continue;
      std::vector<std::uint8_t> out(room);
      const Picture picture = DecodeJpeg(data, bytes.size(), {format, 0, 0, 0, 0, out.data(), out.size()});
      Require(RequiredBytes(picture.format, picture.width_stride, picture.height_stride) <= room);
    }
  } catch (const Error& error) {
    Require(error.code() == kUnsupportedJpeg && !error.message().empty());
  }
}

}  // namespace foothold
