// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What a codec library has to offer; behind video_decoder.h, which checks what comes in. One stream, one
// thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "codecs/annex_b.h"

namespace foothold {

enum class VideoCodec { kH264, kH265 };

const char* NameOf(VideoCodec codec);

// Planar 4:2:0, in memory of the decoder: good until its next call.
struct DecodedPicture {
  const std::uint8_t* planes[3] = {};
  std::size_t strides[3] = {};  // bytes
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  int bits = 8;             // more: two bytes for each sample
  std::uint64_t index = 0;  // of the packet it came in
};

class CodecDecoder {
 public:
  virtual ~CodecDecoder() = default;
  // A checked packet, with start codes. False if it could not be decoded, or not well.
  virtual bool Push(StreamBytes packet, std::uint64_t index) = 0;
  // The next picture to be shown, as long as there is one; all of them before the next Push.
  virtual bool Pull(DecodedPicture* picture) = 0;
  // The stream ends here: what is held back can be pulled. Another one may follow.
  virtual void Flush() = 0;
  // Pictures need not wait for later ones any more.
  virtual void ShowAtOnce() = 0;
};

// Throw 200001, with the package to install, if the library is not there.
std::unique_ptr<CodecDecoder> OpenH264Decoder();
std::unique_ptr<CodecDecoder> OpenH265Decoder();

}  // namespace foothold
