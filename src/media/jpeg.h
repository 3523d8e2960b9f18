// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// JPEG files in memory. Headers are read by code of our own, which believes nothing; samples are coded by
// libturbojpeg, which is loaded when first needed. Planes come out as they were coded, without colour
// arithmetic. Fails with 148052 for what is no JPEG or not decodable, with 200001 without the library, with
// 100000 for wrong arguments. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>

#include "media/picture.h"

namespace foothold::media {

// By the numbers of V1 (acldvppJpegFormat).
enum class JpegSampling : std::int32_t {
  k444 = 0,
  k422 = 1,
  k420 = 2,
  kGray = 3,
  k440 = 4,
  k411 = 5,
  kOther = 1000
};

// How odd sizes of pictures with shared chroma are rounded (acldvppJpegdPrecisionMode).
enum class JpegRounding : std::uint32_t {
  kDown = 0,        // each side only where chroma is shared along it
  kUp = 1,          // likewise
  kDownCompat = 2,  // both sides where any chroma is shared
};

struct JpegInfo {
  std::uint32_t width = 0;  // as shown: turned by the orientation
  std::uint32_t height = 0;
  std::int32_t components = 0;
  JpegSampling sampling = JpegSampling::kOther;
  int orientation = 1;            // of EXIF, 1..8
  bool needs_conversion = false;  // colours are not Y, U, V: RGB, CMYK

  bool turned() const { return orientation >= 5; }
};

JpegInfo ReadJpegInfo(const std::uint8_t* data, std::size_t size);

// What a decoder writes for an asked format: itself, but for kUnknown, which follows the sampling (V before
// U). Fails with 100000 for a format it cannot write.
PixelFormat JpegOutputFormat(const JpegInfo& info, PixelFormat asked);
// The visible size in that format.
struct JpegSize {
  std::uint32_t width, height;
};
JpegSize JpegOutputSize(const JpegInfo& info, PixelFormat format, JpegRounding rounding);
// Bytes that hold the picture in an asked format with rows of a multiple of 128 pixels, and of 16 rows.
std::uint64_t PredictJpegDecodeBytes(const JpegInfo& info, PixelFormat asked);

// Decodes into out.data. What `out` leaves open is filled in: kUnknown, a size of 0, strides of 0 (128 x 16).
// Answers the picture as it was written. A picture with an orientation is turned, unless the output's size
// fits only the picture as it lies in the file.
Picture DecodeJpeg(const std::uint8_t* data, std::size_t size, const Picture& out,
                   JpegRounding rounding = JpegRounding::kDownCompat);
// What of the file is written: with the orientation undone where the output's size asks for that.
JpegInfo JpegAsWritten(const JpegInfo& info, const Picture& out);
// The first half of decoding, which touches no memory of the output: the picture as it would be written.
Picture PlanJpegDecode(const JpegInfo& info, const Picture& out, JpegRounding rounding);

// An upper bound of the bytes of a coded picture. Quality makes no difference.
std::uint64_t PredictJpegEncodeBytes(PixelFormat format, std::uint32_t width, std::uint32_t height);
// 4:2:0, or 4:2:2 for packed 4:2:2 and 422SP; pictures in RGB are converted (BT.601 wide). Quality 1..100,
// 0 is 100. Answers the bytes written; fails with 100000 if `capacity` is too small.
std::size_t EncodeJpeg(const Picture& in, unsigned quality, std::uint8_t* out, std::size_t capacity);

}  // namespace foothold::media
