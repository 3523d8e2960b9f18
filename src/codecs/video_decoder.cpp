// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
#include "codecs/video_decoder.h"

#include "base/error.h"

namespace foothold {

const char* NameOf(VideoCodec codec) {
  return codec == VideoCodec::kH264 ? "H.264" : "H.265";
}

void CheckPictureSize(std::uint64_t width, std::uint64_t height) {
  if (width == 0 || height == 0 || width > kMostPixelsPerSide || height > kMostPixelsPerSide)
    Fail(kInvalidParam, "the stream announces pictures of {} x {}; up to {} x {} are decoded", width, height,
         kMostPixelsPerSide, kMostPixelsPerSide);
}

VideoDecoder::VideoDecoder(VideoCodec codec, Order order)
    : order_(order),
      check_(codec == VideoCodec::kH264 ? MakeH264Check() : MakeH265Check()),
      library_(codec == VideoCodec::kH264 ? OpenH264Decoder() : OpenH265Decoder()) {}

VideoDecoder::Result VideoDecoder::Push(StreamBytes packet, std::uint64_t index) {
  problem_.clear();
  Result result;
  try {
    result = Check(packet);
  } catch (const Error& error) {
    problem_ = error.message();
    return Result::kFailed;
  }
  if (accepted_.empty()) return result;
  if (result == Result::kTaken && (order_ == Order::kDecoded || !check_->sequence().reorders))
    library_->ShowAtOnce();
  if (library_->Push(accepted_, index)) return result;
  problem_ = "the codec library could not decode it";
  return Result::kFailed;
}

VideoDecoder::Result VideoDecoder::Check(StreamBytes packet) {
  accepted_.clear();
  if (packet.size() > kMostPacketBytes)
    Fail(kInvalidParam, "a packet of {} bytes is longer than {}", packet.size(), kMostPacketBytes);
  bool has_slice = false;
  const bool found = ForEachUnit(packet, [&](StreamBytes unit) {
    const UnitCheck::Unit kind = check_->Look(unit);
    has_slice |= kind == UnitCheck::Unit::kSlice;
    if (kind != UnitCheck::Unit::kOther) Keep(unit);
  });
  if (!found) Fail(kInvalidParam, "the packet does not begin with a start code (00 00 01)");
  return has_slice ? Result::kTaken : Result::kNoPicture;
}

void VideoDecoder::Keep(StreamBytes unit) {
  constexpr std::uint8_t kStart[] = {0, 0, 0, 1};
  accepted_.insert(accepted_.end(), kStart, kStart + sizeof kStart);
  accepted_.insert(accepted_.end(), unit.begin(), unit.end());
}

}  // namespace foothold
