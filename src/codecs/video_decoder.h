// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// Decodes one stream of H.264 or H.265: packets go in with a number, pictures come out in the order they are
// shown in, with the number of their packet. Every packet is checked before the codec library sees any of it.
// One thread at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "codecs/codec.h"
#include "codecs/unit_check.h"

namespace foothold {

class VideoDecoder {
 public:
  enum class Order { kShown, kDecoded };
  enum class Result {
    kTaken,      // its picture has come, or will
    kNoPicture,  // nothing but headers
    kFailed,     // `problem` says why; a picture of it may come all the same, damaged
  };

  // Throws 200001 if the library for this codec is not installed.
  VideoDecoder(VideoCodec codec, Order order);

  // One access unit in Annex B form. Pull until there is nothing before the next.
  Result Push(StreamBytes packet, std::uint64_t index);
  bool Pull(DecodedPicture* picture) { return library_->Pull(picture); }
  // The stream ends here: the pictures held back can be pulled. Another one may follow.
  void Flush() { library_->Flush(); }
  // Why the last Push failed.
  const std::string& problem() const { return problem_; }
  // No picture is held back for longer than this many packets.
  static constexpr std::uint64_t kLongestDelay = 17;

 private:
  Result Check(StreamBytes packet);
  void Keep(StreamBytes unit);

  const Order order_;
  std::unique_ptr<UnitCheck> check_;
  std::unique_ptr<CodecDecoder> library_;
  std::vector<std::uint8_t> accepted_;  // what the library sees of a packet
  std::string problem_;
};

}  // namespace foothold
