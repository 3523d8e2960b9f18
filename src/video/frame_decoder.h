// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Foothold authors
//
// What decoding channels of both interfaces have in common: packets go in with their frames, and every frame
// comes out once, with its picture or without, whatever fails. One thread at a time.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "codecs/video_decoder.h"
#include "video/frame_ledger.h"

namespace foothold::video {

enum class FrameResult { kGood, kFailed, kWithoutPicture };

// A frame has its packet in a member of that name.
template <typename Frame>
class FrameDecoder {
 public:
  class Receiver {
   public:
    // Puts the picture where the frame wants it; may throw.
    virtual void Show(const DecodedPicture& picture, Frame& frame) = 0;
    virtual void Done(std::unique_ptr<Frame> frame, FrameResult result) noexcept = 0;

   protected:
    ~Receiver() = default;
  };

  // Throws 200001 if the library for this codec is not installed.
  FrameDecoder(VideoCodec codec, VideoDecoder::Order order, Receiver& receiver)
      : decoder_(codec, order), receiver_(receiver) {}

  void Push(std::unique_ptr<Frame> frame) {
    const std::vector<std::uint8_t> packet = std::move(frame->packet);
    const std::uint64_t number = frames_.Add(std::move(frame));
    const FrameResult result = Decode(packet, number);
    TakePictures();
    if (result != FrameResult::kGood) Give(frames_.Take(number), result);
    GiveUp(VideoDecoder::kLongestDelay);
  }

  // The stream ends here; another one may follow.
  void Flush() {
    Try("the end of a stream", [this] { decoder_.Flush(); });
    TakePictures();
    GiveUp(0);
  }

  // The oldest frame without a picture, or null: for whoever ends the decoder before its frames.
  std::unique_ptr<Frame> Withdraw() { return frames_.TakeOverdue(0); }

 private:
  // An exception ends up in the log, unless it is the end of this thread.
  template <typename Step>
  static bool Try(const char* what, Step&& step) {
    try {
      step();
      return true;
    } catch (...) {
      const Error error = CurrentError();
      Log(LogLevel::kError, "{} in a video channel failed: {}", what, error.message());
      return false;
    }
  }

  FrameResult Decode(const std::vector<std::uint8_t>& packet, std::uint64_t number) {
    auto result = VideoDecoder::Result::kFailed;
    if (!Try("a packet", [&] { result = decoder_.Push(packet, number); })) return FrameResult::kFailed;
    if (result == VideoDecoder::Result::kTaken) return FrameResult::kGood;
    if (result == VideoDecoder::Result::kNoPicture) return FrameResult::kWithoutPicture;
    Log(LogLevel::kWarning, "packet {} of a video channel failed: {}", number, decoder_.problem());
    return FrameResult::kFailed;
  }

  void TakePictures() {
    DecodedPicture picture;
    while (Try("a picture", [&] { pulled_ = decoder_.Pull(&picture); }) && pulled_) {
      std::unique_ptr<Frame> frame = frames_.Take(picture.index);
      if (frame == nullptr) continue;
      const bool shown = Try("a picture", [&] { receiver_.Show(picture, *frame); });
      Give(std::move(frame), shown ? FrameResult::kGood : FrameResult::kFailed);
    }
  }

  // Some packets never become a picture: damaged ones, and those that need pictures from before the
  // beginning.
  void GiveUp(std::uint64_t delay) {
    while (std::unique_ptr<Frame> frame = frames_.TakeOverdue(delay))
      Give(std::move(frame), FrameResult::kFailed);
  }

  void Give(std::unique_ptr<Frame> frame, FrameResult result) {
    if (frame != nullptr) receiver_.Done(std::move(frame), result);
  }

  VideoDecoder decoder_;
  Receiver& receiver_;
  FrameLedger<Frame> frames_{VideoDecoder::kLongestDelay + 1};
  bool pulled_ = false;
};

}  // namespace foothold::video
