// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What must hold for any bytes somebody gives as a PNG picture. Used by the fuzzer and by the replay of its
// corpus.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "fuzz/require.h"
#include "media/png.h"

namespace foothold {

// Refused with a reason, or a picture of the size that was told before. Large ones are only looked at.
inline void FuzzPng(const std::string& bytes) {
  using namespace media;
  constexpr std::size_t kMostBytes = 1 << 20;
  const auto* const data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  try {
    const PngInfo info = ReadPngInfo(data, bytes.size());
    for (const PixelFormat format : {PixelFormat::kUnknown, PixelFormat::kRgb}) {
      const std::uint64_t room = PredictPngDecodeBytes(info, format);
      if (room > kMostBytes) continue;
      std::vector<std::uint8_t> out(room);
      const Picture picture = DecodePng(data, bytes.size(), {format, 0, 0, 0, 0, out.data(), out.size()});
      Require(picture.width == info.width && picture.height == info.height);
    }
  } catch (const Error& error) {
    Require(error.code() == kInvalidParam && !error.message().empty());
  }
}

}  // namespace foothold
