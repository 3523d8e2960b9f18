// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What must hold for any bytes somebody sends to a video channel. Used by the fuzzers and by the replay of
// their corpus.
#pragma once

#include <string>

#include "codecs/video_decoder.h"
#include "fuzz/require.h"
#include "video/packets.h"

namespace foothold {

// Every packet is taken or refused with a reason, and pictures have a size that was accepted.
inline void FuzzVideo(VideoCodec codec, const std::string& bytes) {
  VideoDecoder decoder(codec, VideoDecoder::Order::kShown);
  const video_test::Packet stream(bytes.begin(), bytes.end());
  std::uint64_t sent = 0, shown = 0;
  const auto pull = [&] {
    for (DecodedPicture picture; decoder.Pull(&picture); ++shown) {
      Require(picture.width <= kMostPixelsPerSide && picture.height <= kMostPixelsPerSide);
      Require(picture.width > 0 && picture.height > 0 && picture.index <= sent);
      volatile std::uint8_t last = 0;
      for (int plane = 0; plane < 3; ++plane) {
        const std::size_t rows = plane == 0 ? picture.height : (picture.height + 1) / 2;
        last = picture.planes[plane][(rows - 1) * picture.strides[plane]];
      }
      (void)last;
    }
  };
  for (const video_test::Packet& packet : video_test::PacketsOf(stream, codec == VideoCodec::kH265)) {
    if (decoder.Push(packet, ++sent) == VideoDecoder::Result::kFailed) Require(!decoder.problem().empty());
    pull();
  }
  decoder.Flush();
  pull();
  Require(shown <= sent + VideoDecoder::kLongestDelay);
}

}  // namespace foothold
